"""What the panels of positions share: maps of numbers without words, on the screen and on paper."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from viz.components import heatmap as views
from viz.figures.heatmap_svg import heatmap_svg
from viz.pages.positions.numbers import sampled as evenly
from viz.state.language import say

TALL = 280  # pixels of a map
PAPER = 64  # rows and columns of a printed one


def show_map(
    name: str, numbers: np.ndarray, rows: range | np.ndarray, across: range | np.ndarray, *, unit: str,
    most: float | None = None, columns: str | None = None, row: int | None = None, column: int | None = None,
    also: tuple[int, ...] = (), on_pick: Callable[[], None] | None = None,
) -> None:  # fmt: skip
    """Numbers to both sides of zero by position; no words, so rows can be as low as a pixel."""
    most = float(abs(numbers).max()) if most is None else most
    views.heatmap(
        numbers, np.ones(numbers.shape, bool), [str(each) for each in rows], [str(each) for each in across],
        say, key=name, label=say(f"export.{name}"), rows=say("positions.axis.position"), unit=unit,
        columns=columns or say("positions.axis.position"), most=most, least=-most, row=row, column=column,
        also=also, tall=TALL, on_pick=on_pick,
    )  # fmt: skip


def map_svg(name: str, numbers: np.ndarray, most: float | None = None, columns: str | None = None) -> str:
    """The same on paper, where every row needs room: of many, every second, third, …"""
    rows, across = (evenly(count, PAPER) for count in numbers.shape)
    part = numbers[np.ix_(rows, across)]
    most = float(abs(part).max()) if most is None else most
    return heatmap_svg(
        part, [str(each) for each in rows], [str(each) for each in across], most=most, least=-most,
        rows=say("positions.axis.position"), columns=columns or say("positions.axis.position"),
        title=say(f"export.{name}"), titles=part.size <= 1024,
    )  # fmt: skip


def on_paper(said: str, numbers: np.ndarray) -> str:
    """What a printed map says: the sentence, and what was left out of the picture."""
    rows, columns = (-(-count // PAPER) for count in numbers.shape)
    if rows == columns == 1:
        return said
    return f"{said} {say('positions.paper', rows=rows, columns=columns)}"


def sampling_note(step: int) -> list[str]:
    """That a map shows every second, third, … position, if it does."""
    return [say("positions.sampled", step=step)] if step > 1 else []


def cursors(places: int) -> None:
    for name in ("first", "second"):
        st.slider(say(f"{name}.label"), 0, places - 1, key=name, width=165)
