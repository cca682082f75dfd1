"""How much of each first-layer score of this very run is content, position and bias."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model import Trace
from viz.components import drawing
from viz.components.heatmap import heatmap
from viz.figures.drawing import Drawing
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.labels import readable
from viz.figures.numbers import percent, scientific
from viz.pages.positions import Positions, figures, numbers
from viz.state import runs
from viz.state.language import say
from viz.state.picture import sides, spoken
from viz.state.rows import rows
from viz.state.selection import Selection
from viz.state.session import select, selection
from viz.text import plain
from viz.widgets.panel import Panel


def terms(trace: Trace, chosen: Positions) -> Panel | None:
    """How much of each score of one row is content, position and bias."""
    here = selection()
    kind, head = _kind(here), here.head[0]
    if (found := _terms(trace, kind, head)) is None:
        return None
    looking, looked_at = sides(trace, kind, here.reading)
    queries, keys = ([readable(piece, say) for piece in side.pieces] for side in (looking, looked_at))
    row = _row(here, kind, found, spoken(looking))
    word = rows(trace, kind, say).options()[row]
    seen = np.flatnonzero(found.mask[row])  # a decoder's later pieces have no bar
    names, words = [say(f"positions.terms.{name}") for name in numbers.TERMS], [keys[place] for place in seen]
    titles = {"title": say("positions.terms.alt", word=word), "total": say("positions.terms.total")}
    bars = figures.stacked(found.parts[:, row, seen], found.scores[row, seen], words, names, **titles)
    sizes = figures.sizes(found.sizes, names, say("export.positions_sizes"))
    most = float(abs(found.scores[found.mask]).max())
    more: dict[str, Any] = {"most": most, "least": -most, "row": row}
    more |= {"rows": say(looking.axis), "columns": say(looked_at.axis)}
    scores = found.scores, queries, keys
    title, said = say(f"positions.terms.scores.{kind}", head=head + 1), say("positions.terms.said")
    unit, (grid, middle, right) = say("positions.unit.score"), st.columns([5, 6, 5], gap="medium")
    with grid:
        st.markdown(title)
        heatmap(
            found.scores, found.mask, queries, keys, say, key="positions_scores", label=plain(title),
            unit=unit, on_pick=_pick_row, **more,
        )  # fmt: skip
    with middle:
        st.text(say("positions.terms.row", word=word))
        drawing.show(bars, key="positions_terms")
    measured = say("positions.terms.error", error=scientific(found.difference))
    with right:
        _beside(found, sizes, names, measured, said if here.kind != "cross" else _crossed(said))
    return Panel(
        {
            "positions_terms": bars,
            "positions_sizes": sizes,
            "positions_scores": partial(
                heatmap_svg, *scores, mask=found.mask, title=plain(title), scale=unit, **more
            ),
        },
        {**dict(zip(numbers.TERMS, found.parts, strict=True)), "scores": found.scores, "row": row},
        said={
            "positions_terms": f"{said} {measured}",
            "positions_sizes": say("positions.terms.sizes"),
            "positions_scores": title,
        },
    )  # fmt: skip


def _how(kind: str) -> str:
    """What can be done here, and what it does not show."""
    cross = say("positions.terms.cross") if kind == "cross" else ""
    return f"{say('positions.terms.how')} {cross}".strip()


def _beside(found: numbers.Terms, sizes: Drawing, names: Sequence[str], measured: str, said: str) -> None:
    """How large each part is over the whole map, which is the largest, and how it was taken apart."""
    largest = int(found.sizes.argmax())
    share = percent(found.sizes[largest] / found.sizes.sum(), 0)
    st.markdown(say("positions.terms.sizes"))
    drawing.show(sizes, key="positions_sizes")
    st.text(say("positions.terms.largest", part=names[largest], share=share))
    st.markdown(measured)
    st.caption(said)


def _crossed(said: str) -> str:
    return f"{said} {say('positions.terms.cross')}"


def _terms(trace: Trace, kind: str, head: int) -> numbers.Terms | None:
    """The parts of the scores, or one sentence that says why there are none."""
    if missing(trace, kind):
        return None
    found = numbers.terms(trace, kind, head)
    if found is None:
        positions = runs.translator().config.positions
        st.info(say("positions.terms.none", kind=say(f"positions.kind.{positions}")))
    return found


def missing(trace: Trace, kind: str) -> bool:
    """Of very long sentences only attention is kept."""
    if kind in trace.scores and f"{kind}.embedding.sum" in trace.stream[kind]:
        return False
    st.info(say("positions.long", longest=runs.LONG))
    return True


def _kind(here: Selection) -> str:
    return "encoder" if here.kind == "cross" else here.kind


def _row(here: Selection, kind: str, found: numbers.Terms, words: Sequence[bool]) -> int:
    """The chosen word, if it is one of this side; else the word where positions speak loudest."""
    if here.kind == kind and here.row is not None and here.row < len(found.scores):
        return here.row
    return found.strongest(words)


def _pick_row() -> None:
    picked = st.session_state["positions_scores"]["pick"] or {}
    select(kind=_kind(selection()), row=picked.get("row"), column=picked.get("column"))
