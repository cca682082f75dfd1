"""Positions in this very run: the parts of a first-layer score, and the shuffle test."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model import Trace
from model.inspect import edits
from model.text.tokenizer import Tokens
from viz.components import drawing
from viz.components.heatmap import heatmap
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.labels import readable
from viz.figures.numbers import scientific
from viz.pages.positions import figures
from viz.pages.positions import numbers as order
from viz.pages.positions.panels.laboratory import Panel
from viz.state import session
from viz.state.picture import sides
from viz.state.runs import TraceCache
from viz.state.selection import Selection
from viz.state.session import say, select, selection

MOST_BYTES = 16 * 2**20  # of shuffled runs, each the size of one layer


def terms(trace: Trace, chosen: Selection) -> Panel | None:
    """How much of each score of one row is content, position and bias."""
    kind, head = _kind(chosen), chosen.head[0]
    found = _terms(trace, kind, head)
    if found is None:
        return None
    looking, looked_at = sides(trace, kind, chosen.reading)
    queries, keys = ([readable(piece, say) for piece in side.pieces] for side in (looking, looked_at))
    row = _row(chosen, kind, found)
    seen = np.flatnonzero(found.mask[row])  # a decoder's later pieces have no bar
    names = [say(f"order.terms.{name}") for name in order.TERMS]
    bars = figures.stacked(
        found.parts[:, row, seen], found.scores[row, seen], [keys[place] for place in seen], names,
        title=say("order.terms.alt", word=queries[row]), total=say("order.terms.total"),
    )  # fmt: skip
    sizes = figures.sizes(found.sizes, names, say("export.order_sizes"))
    most = float(abs(found.scores[found.mask]).max())
    scale = {"most": most, "least": -most, "row": row}
    words = {"rows": say(looking.axis), "columns": say(looked_at.axis)}
    title, said = say(f"order.terms.scores.{kind}", head=head + 1), say("order.terms.said")
    grid, middle, right = st.columns([5, 6, 5], gap="medium")
    with grid:
        st.markdown(title)
        heatmap(
            found.scores, found.mask, queries, keys, say, key="order_scores", label=title,
            unit=say("order.unit.score"), on_pick=_pick_row, **words, **scale,
        )  # fmt: skip
    with middle:
        st.text(say("order.terms.row", word=queries[row]))
        drawing.show(bars, key="order_terms")
    with right:
        st.markdown(say("order.terms.sizes"))
        drawing.show(sizes, key="order_sizes")
        measured = say("order.terms.error", error=scientific(found.difference))
        st.markdown(measured)
        st.caption(said)
        if chosen.kind == "cross":
            st.caption(say("order.terms.cross"))
    return Panel(
        {
            "order_terms": bars.svg,
            "order_sizes": sizes.svg,
            "order_scores": lambda: heatmap_svg(
                found.scores, queries, keys, mask=found.mask, title=title, scale=say("order.unit.score"),
                **words, **scale,
            ),
        },
        {"order_terms": f"{said} {measured}", "order_sizes": say("order.terms.sizes"), "order_scores": title},
        {**dict(zip(order.TERMS, found.parts, strict=True)), "scores": found.scores, "row": row},
    )  # fmt: skip


def shuffle(trace: Trace, chosen: Selection) -> Panel | None:
    """The same words in another order: with positions each becomes another vector, without none does."""
    config, count = session.translator().config, len(trace.source.ids)
    if config.positions == "none":
        st.info(say("order.shuffle.none"))
        return None
    if count < 3:
        st.info(say("order.shuffle.short"))
        return None
    if _missing(trace, "encoder"):
        return None
    words = [readable(piece, say) for piece in trace.source.pieces]
    dealt = deal(count, chosen.seed)
    path = f"encoder.layers.{config.layers - 1}.after_feed_forward"
    with st.spinner(say("order.shuffle.working")):
        vectors = {
            (off, shuffled): _run(trace, path, off, chosen.seed if shuffled else None).points[path]
            for off in (False, True)
            for shuffled in (False, True)
        }
    on, off = (
        order.moved(vectors[without, False], vectors[without, True], dealt) for without in (False, True)
    )
    most = float(on.distance.max())
    lines = figures.crossing(
        words, dealt, say("export.order_words"), (say("order.shuffle.before"), say("order.shuffle.after"))
    )
    pair = {
        name: figures.distances(
            each.distance, words, most, say(f"order.shuffle.{name}"), say(f"export.order_{name}")
        )
        for name, each in (("on", on), ("off", off))
    }
    st.button(say("order.shuffle.again"), key="shuffle_again", on_click=_again)
    for column, (name, drawn) in zip(
        st.columns(3, gap="medium"), {"words": lines, **pair}.items(), strict=True
    ):
        with column:
            drawing.show(drawn, key=f"order_{name}")
    length = float(np.linalg.norm(vectors[False, False], axis=-1).mean())
    said = [say("order.shuffle.said", mean=f"{on.distance.mean():.2f}", length=f"{length:.2f}")]
    if config.window is None:
        said.append(say("order.shuffle.off_said", largest=scientific(off.largest)))
    else:
        values = {"window": config.window, "largest": scientific(off.largest)}
        said.append(say("order.shuffle.window", **values))
    st.markdown(" ".join(said))
    st.caption(say("order.shuffle.why"))
    return Panel(
        {"order_words": lines.svg, "order_on": pair["on"].svg, "order_off": pair["off"].svg},
        {"order_words": say("order.shuffle.why"), "order_on": said[0], "order_off": said[1]},
        {"order": np.array(dealt), "distance_on": on.distance, "distance_off": off.distance},
    )


def deal(count: int, seed: int) -> Sequence[int]:
    """Where each place's piece stood before; the model's own shuffle, asked about plain numbers."""
    places = tuple(range(count))
    return edits.Shuffle(seed).reorder(Tokens(places, places, places)).ids


def _run(trace: Trace, path: str, off: bool, seed: int | None) -> Trace:
    """The encoder's output with or without positions and shuffling; run once, whoever asks."""
    text = st.session_state.shown
    changes = [edits.PositionsOff("encoder")] if off else []
    changes += [edits.Shuffle(seed)] if seed is not None else []

    def run() -> Trace:
        return session.translator().trace(text, trace.target.predicted_ids, changes, keep=[path])

    return _runs().get((session.checkpoint(), text, off, seed), run)


@st.cache_resource(show_spinner=False)
def _runs() -> TraceCache:
    return TraceCache(MOST_BYTES)


def _terms(trace: Trace, kind: str, head: int) -> order.Terms | None:
    """The parts of the scores, or one sentence that says why there are none."""
    if _missing(trace, kind):
        return None
    found = order.terms(trace, kind, head)
    if found is None:
        positions = session.translator().config.positions
        st.info(say("order.terms.none", kind=say(f"order.kind.{positions}")))
    return found


def _missing(trace: Trace, kind: str) -> bool:
    """Of very long sentences only attention is kept."""
    if kind in trace.scores and f"{kind}.embedding.sum" in trace.stream[kind]:
        return False
    st.info(say("order.long", longest=session.LONG))
    return True


def _kind(chosen: Selection) -> str:
    return "encoder" if chosen.kind == "cross" else chosen.kind


def _row(chosen: Selection, kind: str, found: order.Terms) -> int:
    """The chosen word, if it is one of this side; else where positions speak loudest."""
    if chosen.kind == kind and chosen.row is not None and chosen.row < len(found.scores):
        return chosen.row
    return found.strongest


def _pick_row() -> None:
    picked = st.session_state["order_scores"]["pick"] or {}
    select(kind=_kind(selection()), row=picked.get("row"), column=picked.get("column"))


def _again() -> None:
    select(seed=(selection().seed + 1) % 10_000)
