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
from viz.pages.positions import Positions, figures, numbers
from viz.state import runs
from viz.state.language import say
from viz.state.picture import sides
from viz.state.selection import Selection
from viz.state.session import chosen, select, selection
from viz.state.trace_cache import TraceCache
from viz.widgets.panel import Panel

MOST_BYTES = 16 * 2**20  # of shuffled runs, each the size of one layer


def terms(trace: Trace, chosen: Positions) -> Panel | None:
    """How much of each score of one row is content, position and bias."""
    here = selection()
    kind, head = _kind(here), here.head[0]
    found = _terms(trace, kind, head)
    if found is None:
        return None
    looking, looked_at = sides(trace, kind, here.reading)
    queries, keys = ([readable(piece, say) for piece in side.pieces] for side in (looking, looked_at))
    row = _row(here, kind, found)
    seen = np.flatnonzero(found.mask[row])  # a decoder's later pieces have no bar
    names = [say(f"positions.terms.{name}") for name in numbers.TERMS]
    bars = figures.stacked(
        found.parts[:, row, seen], found.scores[row, seen], [keys[place] for place in seen], names,
        title=say("positions.terms.alt", word=queries[row]), total=say("positions.terms.total"),
    )  # fmt: skip
    sizes = figures.sizes(found.sizes, names, say("export.positions_sizes"))
    most = float(abs(found.scores[found.mask]).max())
    scale = {"most": most, "least": -most, "row": row}
    words = {"rows": say(looking.axis), "columns": say(looked_at.axis)}
    title, said = say(f"positions.terms.scores.{kind}", head=head + 1), say("positions.terms.said")
    grid, middle, right = st.columns([5, 6, 5], gap="medium")
    with grid:
        st.markdown(title)
        heatmap(
            found.scores, found.mask, queries, keys, say, key="positions_scores", label=title,
            unit=say("positions.unit.score"), on_pick=_pick_row, **words, **scale,
        )  # fmt: skip
    with middle:
        st.text(say("positions.terms.row", word=queries[row]))
        drawing.show(bars, key="positions_terms")
    with right:
        st.markdown(say("positions.terms.sizes"))
        drawing.show(sizes, key="positions_sizes")
        measured = say("positions.terms.error", error=numbers.written(found.difference))
        st.markdown(measured)
        st.caption(said)
        if here.kind == "cross":
            st.caption(say("positions.terms.cross"))
    return Panel(
        {
            "positions_terms": bars.svg,
            "positions_sizes": sizes.svg,
            "positions_scores": lambda: heatmap_svg(
                found.scores, queries, keys, mask=found.mask, title=title, scale=say("positions.unit.score"),
                **words, **scale,
            ),
        },
        {**dict(zip(numbers.TERMS, found.parts, strict=True)), "scores": found.scores, "row": row},
        said={
            "positions_terms": f"{said} {measured}",
            "positions_sizes": say("positions.terms.sizes"),
            "positions_scores": title,
        },
    )  # fmt: skip


def shuffle(trace: Trace, chosen: Positions) -> Panel | None:
    """The same words in another order: with positions each becomes another vector, without none does."""
    config, count = runs.translator().config, len(trace.source.ids)
    if config.positions == "none":
        st.info(say("positions.shuffle.none"))
        return None
    if count < 3:
        st.info(say("positions.shuffle.short"))
        return None
    if _missing(trace, "encoder"):
        return None
    words = [readable(piece, say) for piece in trace.source.pieces]
    dealt = deal(count, chosen.seed)
    path = f"encoder.layers.{config.layers - 1}.after_feed_forward"
    with st.spinner(say("positions.shuffle.working")):
        vectors = {
            (off, shuffled): _run(trace, path, off, chosen.seed if shuffled else None).points[path]
            for off in (False, True)
            for shuffled in (False, True)
        }
    on, off = (
        numbers.moved(vectors[without, False], vectors[without, True], dealt) for without in (False, True)
    )
    most = float(on.distance.max())
    lines = figures.crossing(
        words,
        dealt,
        say("export.positions_words"),
        (say("positions.shuffle.before"), say("positions.shuffle.after")),
    )
    pair = {
        name: figures.distances(
            each.distance, words, most, say(f"positions.shuffle.{name}"), say(f"export.positions_{name}")
        )
        for name, each in (("on", on), ("off", off))
    }
    st.button(say("positions.shuffle.again"), key="shuffle_again", on_click=_again)
    for column, (name, drawn) in zip(
        st.columns(3, gap="medium"), {"words": lines, **pair}.items(), strict=True
    ):
        with column:
            drawing.show(drawn, key=f"positions_{name}")
    length = float(np.linalg.norm(vectors[False, False], axis=-1).mean())
    said = [say("positions.shuffle.said", mean=f"{on.distance.mean():.2f}", length=f"{length:.2f}")]
    if config.window is None:
        said.append(say("positions.shuffle.off_said", largest=numbers.written(off.largest)))
    else:
        values = {"window": config.window, "largest": numbers.written(off.largest)}
        said.append(say("positions.shuffle.window", **values))
    st.markdown(" ".join(said))
    st.caption(say("positions.shuffle.why"))
    return Panel(
        {"positions_words": lines.svg, "positions_on": pair["on"].svg, "positions_off": pair["off"].svg},
        {"order": np.array(dealt), "distance_on": on.distance, "distance_off": off.distance},
        said={
            "positions_words": say("positions.shuffle.why"),
            "positions_on": said[0],
            "positions_off": said[1],
        },
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
        return runs.translator().trace(text, trace.target.predicted_ids, changes, keep=[path])

    return _runs().get((runs.checkpoint(), text, off, seed), run)


@st.cache_resource(show_spinner=False)
def _runs() -> TraceCache:
    return TraceCache(MOST_BYTES)


def _terms(trace: Trace, kind: str, head: int) -> numbers.Terms | None:
    """The parts of the scores, or one sentence that says why there are none."""
    if _missing(trace, kind):
        return None
    found = numbers.terms(trace, kind, head)
    if found is None:
        positions = runs.translator().config.positions
        st.info(say("positions.terms.none", kind=say(f"positions.kind.{positions}")))
    return found


def _missing(trace: Trace, kind: str) -> bool:
    """Of very long sentences only attention is kept."""
    if kind in trace.scores and f"{kind}.embedding.sum" in trace.stream[kind]:
        return False
    st.info(say("positions.long", longest=runs.LONG))
    return True


def _kind(here: Selection) -> str:
    return "encoder" if here.kind == "cross" else here.kind


def _row(here: Selection, kind: str, found: numbers.Terms) -> int:
    """The chosen word, if it is one of this side; else where positions speak loudest."""
    if here.kind == kind and here.row is not None and here.row < len(found.scores):
        return here.row
    return found.strongest


def _pick_row() -> None:
    picked = st.session_state["positions_scores"]["pick"] or {}
    select(kind=_kind(selection()), row=picked.get("row"), column=picked.get("column"))


def _again() -> None:
    select(seed=(chosen(Positions).seed + 1) % 10_000)
