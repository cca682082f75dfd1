"""Look: where does each word look? One head of the current sentence as a heatmap."""

import streamlit as st

from viz.figures.heatmap import attention_heatmap
from viz.session import current_trace, say

KINDS = ("encoder", "decoder", "cross")
READINGS = ("predicted", "read")
TOOLBAR = {"modeBarButtonsToRemove": ["pan", "zoomIn", "zoomOut", "autoScale"]}

trace = current_trace()
layers, heads = trace.attention["encoder"].shape[:2]


def choose(name: str, options: dict, first: object) -> object:
    """A row of buttons; `options` are the values and what is written on them."""
    return st.segmented_control(
        say(f"{name}.label"),
        options,
        default=first,
        required=True,
        format_func=options.get,
        key=name,
        persist_state="session",
    )


def numbered(count: int) -> dict[int, str]:
    return {number: str(number) for number in range(1, count + 1)}


@st.fragment
def one_head() -> None:
    with st.container(horizontal=True, gap="small"):
        kind = choose("kind", {kind: say(f"kind.{kind}") for kind in KINDS}, "cross")
        layer = choose("layer", numbered(layers), layers)
        head = choose("head", numbered(heads), 1)
        reading = None
        if kind != "encoder":
            options = {reading: say(f"reading.{reading}") for reading in READINGS}
            reading = choose("reading", options, "predicted")

    rows = trace.source.pieces if reading is None else getattr(trace.target, reading)
    columns = trace.target.read if kind == "decoder" else trace.source.pieces
    figure = attention_heatmap(
        trace.attention[kind][layer - 1, head - 1], rows, columns, say,
        mask=trace.mask[kind][layer - 1, head - 1],
        rows="axis.source.query" if reading is None else f"axis.target.{reading}",
        columns="axis.target.key" if kind == "decoder" else "axis.source.key",
    )  # fmt: skip
    shown = say("heatmap.alt", kind=say(f"kind.{kind}"), layer=layer, head=head)
    st.plotly_chart(figure, key="heatmap", alt=shown, config=TOOLBAR)
    st.markdown(say("seen.encoder" if reading is None else f"seen.{kind}.{reading}"))


st.title(say("look.title"), anchor=False)
one_head()
