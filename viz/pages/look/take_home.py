"""What Look gives to take home: lines and map of the chosen heads, and what they are compared with."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model import Trace
from viz.export import files, standalone
from viz.export.handout import Section
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.lines_svg import lines_svg
from viz.pages.look import panels
from viz.pages.look.comparison import Comparison
from viz.pages.look.figures import cosine_svg, cosines
from viz.pages.look.same_word import same_word
from viz.state.language import say
from viz.state.picture import Picture
from viz.state.runs import translation_of
from viz.state.selection import Selection
from viz.state.session import chosen
from viz.text import translate
from viz.widgets.findings import finding
from viz.widgets.heads import explanation, name, over_the_corpus
from viz.widgets.panel import Facts, Panel

Draw = Callable[[], str]


def take_home(trace: Trace, shown: Picture, here: Selection) -> Panel:
    """Nothing is drawn before somebody asks for it."""
    place: dict[str, Any] = {"row": shown.row_of(here.row), "column": shown.column_of(here.column)}
    scale: dict[str, Any] = {"scale": say(f"heatmap.{here.weighting}"), "colour": here.colour}
    title, speak = name(here), translate(st.session_state.language)
    known = over_the_corpus(here) if len(here.head) == 1 else ""
    explained = f"{explanation(here)} {known}".strip()
    grid, lines = partial(_grid, shown, title, place | scale), partial(_lines, shown, title, place)
    said = {
        "sentence": st.session_state.shown,
        "translation": translation_of(trace).text,
        "explanation": explained,
    }
    heads = "-".join(str(head + 1) for head in here.head)
    compared, arrays = _compared(shown, here)

    def numbers(about: Facts) -> Mapping[str, Callable[[], str | bytes]]:
        return {
            "CSV": lambda: files.to_csv(shown, title),
            "JSON": lambda: files.to_json(shown, about, arrays),
            "NPZ": lambda: files.to_npz(shown, about, arrays),
        }

    return Panel(
        {"heatmap": grid, "head_view": lines, **compared},
        name=f"{here.kind}-layer-{here.layer + 1}-head-{heads}",
        sections=lambda: [
            Section(title, grid(), finding(shown, here)),
            Section(title, lines(), explained),
        ],
        numbers=numbers,
        # Called outside this run, where nobody's language is known: it takes ours along.
        alone=lambda: standalone.page(shown, speak, layer=here.layer, title=title, **said, **place, **scale),
    )


def _grid(shown: Picture, title: str, more: Mapping[str, Any]) -> str:
    return heatmap_svg(
        shown.combined, shown.queries, shown.keys, mask=shown.mask, title=title, most=shown.most,
        **_axes(shown), **more,
    )  # fmt: skip


def _lines(shown: Picture, title: str, place: Mapping[str, Any]) -> str:
    return lines_svg(
        shown.weights, shown.queries, shown.keys, heads=shown.heads, mask=shown.mask,
        combined=shown.combined, title=title, most=shown.most, **_axes(shown), **place,
    )  # fmt: skip


def _axes(shown: Picture) -> dict[str, Any]:
    return {"rows": say(shown.query_axis), "columns": say(shown.key_axis)}


def _compared(shown: Picture, here: Selection) -> tuple[dict[str, Draw], dict[str, np.ndarray]]:
    """Drawings and numbers of what the picture is compared with, if it is."""
    way = chosen(Comparison)
    if way.compare in ("none", "batch") or panels.refused(way):
        return {}, {}
    other, title = panels.second(here)
    scale = {"scale": say(f"heatmap.{here.weighting}"), "colour": here.colour}
    pictures: dict[str, Draw] = {"other": partial(_grid, other, title, scale)}
    arrays = {"other": other.combined}
    if pair := panels.aligned(shown, other, here):
        arrays["difference"] = pair[1].combined - pair[0].combined
        pictures["difference"] = partial(_difference, *pair)
    if way.compare == "sentence" and (found := same_word()):
        word, heights = found
        arrays["cosine"] = cosines(*heights)
        pictures["cosine"] = partial(cosine_svg, arrays["cosine"], say, title=say("cosine.alt", word=word))
    return pictures, arrays


def _difference(shown: Picture, other: Picture) -> str:
    change = other.combined - shown.combined
    most = max(float(abs(change).max()), 1e-6)
    return heatmap_svg(
        change, *panels.labels(shown, other), mask=shown.mask & other.mask, least=-most, most=most,
        title=say("difference.title"), scale=say("difference.scale"), **_axes(shown),
    )  # fmt: skip
