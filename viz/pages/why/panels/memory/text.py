"""On a text: where a head looks on both sides of the line, what that changes, what a score is made of."""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.components.heatmap import heatmap
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.labels import readable
from viz.figures.numbers import fixed, percent
from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.figures.memory import reading as figures
from viz.pages.why.formulas import memory as formulas
from viz.pages.why.numbers import memory as numbers
from viz.state import recalled, runs
from viz.state.language import say
from viz.state.recalled import Read
from viz.state.session import chosen, select
from viz.text import language_name, verbatim
from viz.widgets.panel import Panel

MAP, NEXT, TERMS = "why_memory_view", "why_memory_next_view", "why_memory_terms_view"
ON_THE_WALL = f"<style>.st-key-{MAP} {{ --fill: 0.72; }}</style>"


class Shown(NamedTuple):
    """What is read, and where in it one looks."""

    asked: Why
    read: Read
    row: int
    cell: numbers.Cell

    @property
    def queries(self) -> list[str]:
        return [readable(piece, say) for piece in self.read.segment]

    @property
    def keys(self) -> list[str]:
        return [*(readable(piece, say) for piece in self.read.remembered), *self.queries]

    @property
    def came(self) -> int | None:
        """The piece that does come after the row; nothing is known of what would follow the text."""
        ids = self.read.reading.segment
        return ids[self.row + 1] if self.row + 1 < len(ids) else None


def show() -> Panel:
    shown = _shown()
    if shown is None:
        return Panel()
    if presenting():
        st.html(ON_THE_WALL)
    finding, explained = _finding(shown), _explained(shown)
    st.text(finding)
    left, right = st.columns([1.55, 1], gap="medium")
    with left:
        exported = _map(shown)
    with right:
        pictures = _beside(shown)
    formula = formulas.formula(shown.cell, recalled.reader().config.width // recalled.reader().config.heads)
    if not presenting():  # there the presenter explains
        left, right = st.columns([1, 1.55], gap="medium")
        left.latex(formula)
        right.caption(verbatim(f"{explained} {say('why.memory.hint')}"))
    return Panel(
        {"why_memory": exported, **pictures}, _arrays(shown), finding, explained, formula,
        said={"why_memory_terms": say("why.memory.terms.said")},
    )  # fmt: skip


def _shown() -> Shown | None:
    """What there is to show, or one sentence that says why there is nothing."""
    asked, shape = chosen(Why), recalled.reader().config
    if asked.memory_text == "own":
        config = runs.translator().config
        if config.target != shape.language:
            both = {"own": language_name(shape.language, say), "other": language_name(config.target, say)}
            st.info(say("why.memory.foreign", **both))
            return None
        before = after = runs.translation_of(runs.current_trace()).text
    else:
        before, after = numbers.TEXTS[asked.memory_text]
    with st.spinner(say("why.memory.working")):
        read = recalled.read(before, after)
    if read is None:
        st.info(say("why.memory.empty"))
        return None
    row = numbers.row_of(read.reading, asked.memory_row)
    cell = numbers.cell(read.reading, asked.memory_layer, asked.memory_head, row, asked.memory_column)
    return Shown(asked, read, row, cell)


def _map(shown: Shown) -> partial[str]:
    """The chosen head's map with a line behind the memory's columns, and the same as a file."""
    asked, reading = shown.asked, shown.read.reading
    weights = reading.pattern[asked.memory_layer, asked.memory_head]
    title = say("why.memory.map", layer=asked.memory_layer + 1, head=asked.memory_head + 1)
    columns = say("why.memory.columns", kept=len(reading.remembered), count=len(reading.segment))
    look: dict[str, Any] = {
        "rows": say("why.memory.rows"), "columns": columns, "divide": len(reading.remembered),
        "row": shown.row, "column": shown.cell.column, "most": float(weights.max()),
    }  # fmt: skip
    unit = say("heatmap.weight")
    heatmap(
        weights, reading.mask, shown.queries, shown.keys, say, key=MAP, label=title, unit=unit,
        on_pick=_pick, **look,
    )  # fmt: skip
    return partial(
        heatmap_svg, weights, shown.queries, shown.keys, mask=reading.mask, title=title, scale=unit, **look
    )


def _beside(shown: Shown) -> dict[str, Any]:
    """What comes next after the row, and the chosen score."""
    reading, queries, keys, cell = shown.read.reading, shown.queries, shown.keys, shown.cell
    choices = recalled.reader().tokenizer.spelled
    with_memory, without = (
        numbers.expected(each[shown.row], shown.came) for each in (reading.expected, reading.alone)
    )
    title = say("why.memory.next", word=queries[shown.row])
    following = figures.next_pieces(
        with_memory, without, lambda id: readable(choices([id])[0], say), title, say
    )
    st.caption(verbatim(title))
    drawing.show(following, key=NEXT)
    where = "why.memory.cell.memory" if cell.column < len(reading.remembered) else "why.memory.cell.segment"
    title = say(where, looking=queries[cell.row], seen=keys[cell.column], back=cell.back)
    parts = figures.terms(cell, title, say)
    st.caption(verbatim(title))
    drawing.show(parts, key=TERMS)
    return {"why_memory_next": following, "why_memory_terms": parts}


def _finding(shown: Shown) -> str:
    """What memory brings on this text, and where it brings most."""
    reading, queries = shown.read.reading, shown.queries
    gains, kept = numbers.saved(reading), len(reading.remembered)
    share = float(numbers.to_memory(reading)[shown.asked.memory_layer, shown.asked.memory_head])
    head = say("why.memory.head", share=percent(share, 0), kept=kept)
    if not len(gains):
        return f"{say('why.memory.finding.one', word=queries[0])} {head}"
    with_memory, without = (float(each.mean()) for each in reading.losses)
    what = "own" if shown.asked.memory_text == "own" else "text"
    said = say(f"why.memory.finding.{what}", memory=fixed(with_memory, 2), emptied=fixed(without, 2))
    best = int(gains.argmax())
    if with_memory >= without or gains[best] <= 0:
        return f"{said} {say('why.memory.finding.nothing')} {head}"
    chances = [figures.chance(float(np.exp(-each[best]))) for each in reading.losses]
    where = say(
        "why.memory.finding.most", word=queries[best], next=queries[best + 1], memory=chances[0],
        emptied=chances[1],
    )  # fmt: skip
    return f"{said} {where} {head}"


def _explained(shown: Shown) -> str:
    shape = recalled.reader().config
    said = say("why.memory.explained", segment=shape.segment, memory=shape.memory, layers=shape.layers)
    cut = shown.read.pieces - len(shown.read.segment)
    if cut:
        said = f"{said} {say('why.memory.cut', shown=len(shown.read.segment), pieces=shown.read.pieces)}"
    return said


def _arrays(shown: Shown) -> dict[str, object]:
    reading, asked = shown.read.reading, shown.asked
    with_memory, without = reading.losses
    place = asked.memory_layer, slice(None), asked.memory_head
    return {
        "remembered": list(shown.read.remembered), "segment": list(shown.read.segment),
        "weights": reading.pattern[asked.memory_layer, asked.memory_head],
        **{term: reading.terms[place][number] for number, term in enumerate(numbers.TERMS)},
        "row": shown.row, "column": shown.cell.column,
        "minus_log_p_memory": with_memory, "minus_log_p_emptied": without,
        "weight_on_memory": numbers.to_memory(reading),
    }  # fmt: skip


def _pick() -> None:
    picked = st.session_state[MAP]["pick"] or {}
    select(memory_row=picked.get("row"), memory_column=picked.get("column"))
