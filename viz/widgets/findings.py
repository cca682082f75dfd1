"""What one sees in a map, in one sentence with this run's own numbers, and what to do next."""

import numpy as np
import streamlit as st

from viz.figures.numbers import fixed, percent, rounded
from viz.state import telling
from viz.state.language import say
from viz.state.picture import Picture
from viz.state.selection import Selection
from viz.text import verbatim
from viz.widgets.heads import explanation, over_the_corpus
from viz.widgets.nudges import nudge


def finding(shown: Picture, chosen: Selection) -> str:
    """The clearest look of a word at a word, or of what was chosen, in one sentence."""
    row, column = shown.row_of(chosen.row), shown.column_of(chosen.column)
    if row is None and column is None:
        return _of_the_map(shown, chosen)
    way = "row" if column is None else "column" if row is None else "cell"
    return _pair(f"finding.{way}", shown, *shown.strongest(row, column))


def findings(shown: Picture, chosen: Selection) -> None:
    """What one sees here, with this run's own numbers."""
    st.text(finding(shown, chosen))
    if next_step := nudge(chosen):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="nudge"):
            st.caption(verbatim(next_step.said), width="content")
            st.button(next_step.label, key="nudge_go", on_click=next_step.go)
    said = [explanation(chosen)]
    if chosen.weighting == "norm":
        said.append(say("weighting.explained"))
    if len(chosen.head) > 1:
        said.append(say(f"combine.caveat.{chosen.combine}"))
    if shown.hidden is not None:
        most = int(np.argmax(shown.hidden))
        values = {"mean": f"{shown.hidden.mean():.3f}", "most": f"{shown.hidden[most]:.3f}"}
        said.append(say(f"special.mass.{chosen.weighting}", **values))
    if chosen.units == "words":
        said.append(say("units.rule"))
    st.caption(" ".join(said))
    if len(chosen.head) == 1 and (known := over_the_corpus(chosen)):
        st.caption(verbatim(known))  # somebody may have named a question


def _of_the_map(shown: Picture, chosen: Selection) -> str:
    pair = telling.clearest(shown)
    resting = telling.rest(shown)
    if pair is None:  # no word at all, or none that may look at another
        return _pair("finding.cell", shown, *shown.strongest())
    if resting is None:
        itself = bool(telling.themselves(shown)[pair])
        key = f"finding.self.{chosen.weighting}" if itself else f"finding.{chosen.weighting}"
        return _pair(key, shown, *pair)
    first = say(
        f"finding.rests.{chosen.weighting}",
        mark=shown.keys[resting.column],
        marks=percent(resting.share, 0),
    )
    return f"{first} {_pair('finding.between', shown, *pair)}"


def _pair(key: str, shown: Picture, row: int, column: int) -> str:
    weight = float(shown.combined[row, column])
    written = fixed(weight, 2) if weight >= 0.01 else rounded(weight, 1)
    return say(key, looking=shown.queries[row], seen=shown.keys[column], weight=written)
