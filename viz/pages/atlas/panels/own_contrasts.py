"""Rows of one's own: questions that a visitor has kept, as a file to take along, and measured together."""

import re
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from model.atlas.causal.decisions import decisions
from model.atlas.causal.examples import deciding_words
from model.probe.contrasts import Contrast, Phenomenon, parse_phenomenon
from viz.figures.drawing import Drawing
from viz.figures.numbers import signed
from viz.pages.atlas.numbers import asking
from viz.pages.atlas.numbers.asking import Question
from viz.pages.atlas.numbers.measuring import measure_contrasts
from viz.pages.atlas.panels.counting import counting_bar
from viz.pages.atlas.panels.own_result import show_result
from viz.state import causal, models, runs
from viz.state.language import say
from viz.state.refusals import reason
from viz.text import verbatim
from viz.widgets.controls import unfold
from viz.widgets.names import head_name

NAME = "my_question"
FEWEST, MOST = 4, 200  # rows that can be measured: the most take a few minutes
LONGEST_NAME = 40  # letters, as links carry them


class Measured(NamedTuple):
    """What was measured: rows, and for each its gap and what the silence of the strongest head changes."""

    rows: tuple[Contrast, ...]
    head: causal.Where | None
    changes: list[tuple[float, float]]


def own_contrasts() -> dict[str, Drawing]:
    """The rows, what can be done with them, and what was measured of them."""
    own = _own()
    st.markdown(f"#### {say('own.title')}")
    _say_note()
    if own.contrasts:
        _table(own)
        _controls(own)
    with st.container(horizontal=True, gap="small"):
        few = len(own.contrasts) < FEWEST
        start = st.button(say("own.measure"), key="own_measure", type="primary", disabled=few)
        unfold("own_open", say("own.open"), _uploader)
    if start:
        _measure(own)
    st.caption(say("own.what", fewest=FEWEST, most=MOST, count=len(own.contrasts)))
    told = (st.session_state.get(models.own("own_causal")) or {}).get(own.name)
    if not told:
        return {}
    if _measured(own) is None:
        st.caption(say("own.changed"))
    return show_result(own.name, told)


def keep(question: Question) -> None:
    """Add what was asked as a row. A sentence stands once in a file: the last question about it counts."""
    own = _own()
    try:
        row = asking.as_row(runs.translator(), question)
    except ValueError:
        _note("warning", say("own.unspelled"))
        return
    others = [each for each in own.contrasts if each.sentence != row.sentence]
    if len(others) == MOST:
        _note("warning", say("own.full", most=MOST))
        return
    replaced = len(others) < len(own.contrasts)
    _set(replace(own, contrasts=(*others, row)))
    _note("success", say("own.replaced" if replaced else "own.kept", count=len(others) + 1))


def _own() -> Phenomenon:
    return st.session_state.get(models.own("own_rows")) or Phenomenon(NAME, ())


def _set(own: Phenomenon) -> None:
    st.session_state[models.own("own_rows")], st.session_state[models.own("own_said")] = own, None


def _measured(own: Phenomenon) -> Measured | None:
    """What was measured of these very rows, under this name."""
    found: Measured | None = st.session_state.get(models.own("own_measured"), {}).get(own.name)
    return found if found and found.rows == own.contrasts else None


def _table(own: Phenomenon) -> None:
    """Every row by the words that decide; once measured, the lead as it is and without the strongest head."""
    found = _measured(own)
    titles = [say(f"own.column.{name}") for name in ("number", "sentence", "right", "wrong")]
    if found and found.head:
        titles += [say("own.column.gap"), say("own.column.without", head=head_name(*found.head))]
    lines = [_line("th", titles)]
    for place, row in enumerate(own.contrasts):
        cells = [str(place + 1), row.sentence, *deciding_words(row.right, row.wrong)]
        if found and found.head:
            gap, change = found.changes[place]
            cells += [signed(gap, 1), signed(gap + change, 1)]
        lines.append(_line("td", cells))
    st.html(f'<div class="wide"><table class="numbers said rows">{"".join(lines)}</table></div>')


def _line(tag: str, cells: list[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _controls(own: Phenomenon) -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="own_controls"):
        st.session_state["own_name"] = own.name
        st.text_input(say("own.name"), key="own_name", on_change=_rename, width=200)
        places = range(len(own.contrasts))
        labels = {place: f"{place + 1} · {own.contrasts[place].sentence}" for place in places}
        if st.session_state.get("own_row") not in places:
            st.session_state["own_row"] = len(own.contrasts) - 1
        st.selectbox(say("own.row"), places, format_func=labels.__getitem__, key="own_row", width=240)
        st.button(say("own.remove"), key="own_remove", on_click=_remove)
        st.button(say("own.clear"), key="own_clear", on_click=partial(_set, replace(own, contrasts=())))
        st.download_button(
            say("own.save"), partial(asking.as_file, own), f"{own.name}.tsv", "text/tab-separated-values",
            key="own_save", on_click="ignore",
        )  # fmt: skip


def _remove() -> None:
    own, place = _own(), st.session_state["own_row"]
    _set(replace(own, contrasts=own.contrasts[:place] + own.contrasts[place + 1 :]))


def _rename() -> None:
    _set(replace(_own(), name=_free_name(st.session_state["own_name"])))


def _free_name(wanted: str) -> str:
    """A name that files and links can carry, and that none of the phenomena that ship has."""
    name = re.sub(r"\W+", "_", wanted).strip("_")[:LONGEST_NAME] or NAME
    taken = name in causal.phenomena(runs.atlas("hand"))
    return f"own_{name}"[:LONGEST_NAME] if taken else name


def _uploader() -> None:
    st.file_uploader(say("own.file"), ["tsv", "txt"], key="own_file", on_change=_upload)


def _upload() -> None:
    """Add the rows of a file; a bad one is refused by its line, and nothing is lost."""
    file = st.session_state["own_file"]
    if file is None:
        return
    own = _own()
    try:
        given = parse_phenomenon(file.name, file.getvalue(), file.name)
        list(decisions(runs.translator(), [given]))
    except ValueError as error:
        _note("warning", say("own.refused"), reason(error))
        return
    rows = {row.sentence: row for row in (*own.contrasts, *given.contrasts)}
    if not own.contrasts:
        own = replace(given, name=_free_name(Path(file.name).stem))
    _set(replace(own, contrasts=tuple(rows.values())[:MOST]))
    many = len(rows) > MOST
    _note("success", say("own.first" if many else "own.added", most=MOST, count=len(given.contrasts)))


def _measure(own: Phenomenon) -> None:
    progress = counting_bar(len(own.contrasts), key="own_stop")
    try:
        found: dict[str, Any] = measure_contrasts(runs.checkpoint(), own, progress)
    except RuntimeError:
        st.warning(say("corpus.died"))
        return
    told, state = found["told"], st.session_state
    if told["gap"] is None:
        # Nothing was measured that another panel could show.
        known = told["rows"]
        _note("warning", say("own.one_half" if known else "own.none_right", rows=known))
    else:
        state[models.own("own_causal")] = {**(state.get(models.own("own_causal")) or {}), own.name: told}
        measured = Measured(own.contrasts, found["head"], found["rows"])
        state[models.own("own_measured")] = {**state.get(models.own("own_measured"), {}), own.name: measured}
        _note("success", say("own.done", name=own.name, count=len(own.contrasts), matrix=say("chart.matrix")))
    st.rerun()


def _note(kind: str, text: str, reason: str = "") -> None:
    """To be said until something else is asked or done: an upload makes the page run more than once."""
    st.session_state[models.own("own_said")] = kind, text, reason, st.session_state["ask_filled"]


def _say_note() -> None:
    kind, text, reason, asked = st.session_state.get(models.own("own_said")) or ("", "", "", None)
    if asked == st.session_state["ask_filled"]:
        {"warning": st.warning, "success": st.success}[kind](verbatim(text))
        if reason:
            st.text(reason)
