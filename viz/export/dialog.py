"""Take it home: pictures as SVG or PNG, their numbers, or a page that opens without a network."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import streamlit as st

from model import Trace
from viz.components.head_grid import Block, payload
from viz.components.save_png import save_png
from viz.export import files as export
from viz.export import standalone
from viz.export.handout import Section, handout
from viz.figures.grid_svg import Maps, grid_svg
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.lines_svg import lines_svg
from viz.pages.look import panels as compare
from viz.pages.look.figures import cosine_svg, cosines
from viz.state import session
from viz.state.picture import Picture
from viz.state.selection import Selection
from viz.state.session import comparison, say
from viz.text import translate
from viz.widgets.heads import explanation, finding, name

TYPES = {
    "CSV": "text/csv",
    "JSON": "application/json",
    "NPZ": "application/octet-stream",
    "HTML": "text/html",
}


class Files(NamedTuple):
    """What a page offers to take home, made when it is asked for."""

    name: str
    pictures: Mapping[str, str]  # the key of what it shows, and the drawing
    numbers: Mapping[str, Callable[[], str | bytes]]
    handout: Callable[[], str]
    page: Callable[[], str] | None = None  # the view itself, where it lives on without the app


def export_button(files: Callable[[], Files]) -> None:
    """A button, and a dialog whose drawings are made only when it is opened."""
    if st.button(say("export.label"), key="export"):
        _dialog(files)


def look_files(trace: Trace, shown: Picture, chosen: Selection) -> Files:
    """The lines and the map of the chosen heads."""
    title, facts, speak = name(chosen), _facts(trace, chosen), translate(st.session_state.language)
    axes = {"rows": say(shown.query_axis), "columns": say(shown.key_axis)}
    place = {"row": shown.row_of(chosen.row), "column": shown.column_of(chosen.column)}
    scale = {"scale": say(f"heatmap.{chosen.weighting}"), "colour": chosen.colour}
    lines = lines_svg(
        shown.weights, shown.queries, shown.keys, heads=shown.heads, mask=shown.mask,
        combined=shown.combined, title=title, most=shown.most, **axes, **place,
    )  # fmt: skip
    grid = heatmap_svg(
        shown.combined, shown.queries, shown.keys, mask=shown.mask, title=title, most=shown.most,
        **axes, **place, **scale,
    )  # fmt: skip
    pictures, arrays = _compared(shown, chosen, axes)
    said = {
        "sentence": facts["source"],
        "translation": facts["translation"],
        "explanation": explanation(chosen),
    }
    heads = "-".join(str(head + 1) for head in chosen.head)
    sections = [Section(title, grid, finding(shown, chosen)), Section(title, lines, explanation(chosen))]
    return Files(
        f"headlight-{chosen.kind}-layer-{chosen.layer + 1}-head-{heads}",
        {"heatmap": grid, "head_view": lines} | pictures,
        {
            "CSV": lambda: export.to_csv(shown),
            "JSON": lambda: export.to_json(shown, facts, arrays),
            "NPZ": lambda: export.to_npz(shown, facts, arrays),
        },
        # Called outside this run, where nobody's language is known: it takes ours along.
        lambda: handout(speak, title=speak("look.title"), sections=sections, **_spoken(facts)),
        lambda: standalone.page(shown, speak, layer=chosen.layer, title=title, **said, **place, **scale),
    )


def _compared(
    shown: Picture, chosen: Selection, axes: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """Drawings and numbers of what the picture is compared with, if it is."""
    if comparison().compare in ("none", "batch"):
        return {}, {}
    other, title = compare.second(chosen)
    pictures = {
        "other": heatmap_svg(
            other.combined, other.queries, other.keys, mask=other.mask, title=title, most=other.most,
            scale=say(f"heatmap.{chosen.weighting}"), colour=chosen.colour, **axes,
        )
    }  # fmt: skip
    arrays = {"other": other.combined}
    if pair := compare.aligned(shown, other, chosen):
        shown, other = pair
        arrays["difference"] = change = other.combined - shown.combined
        most = max(float(abs(change).max()), 1e-6)
        pictures["difference"] = heatmap_svg(
            change, *compare.labels(shown, other), mask=shown.mask & other.mask, least=-most, most=most,
            title=say("difference.title"), scale=say("difference.scale"), **axes,
        )  # fmt: skip
    if comparison().compare == "sentence" and (found := compare.same_word()):
        word, heights = found
        arrays["cosine"] = cosines(*heights)
        pictures["cosine"] = cosine_svg(arrays["cosine"], say, title=say("cosine.alt", word=word))
    return pictures, arrays


def grid_files(trace: Trace, blocks: list[Block], chosen: Selection) -> Files:
    """Every head of every kind."""
    facts, speak, title = _facts(trace, chosen), translate(st.session_state.language), st.session_state.shown
    maps = [Maps(say(f"kind.{block.kind}"), block.weights, block.mask) for block in blocks]
    data = payload(blocks, chosen, say)
    said = {
        "sentence": facts["source"],
        "translation": facts["translation"],
        "explanation": say("all_heads.seen"),
    }
    grid = grid_svg(maps, say, title=title, colour=chosen.colour)
    sections = [Section(say("all_heads.short"), grid, say("all_heads.seen"))]
    return Files(
        "headlight-all-heads",
        {"grid": grid},
        {
            "CSV": lambda: export.measures_csv(blocks),
            "JSON": lambda: export.trace_json(trace, facts),
            "NPZ": lambda: export.trace_npz(trace, facts),
        },
        lambda: handout(speak, title=speak("all_heads.title"), sections=sections, **_spoken(facts)),
        lambda: standalone.grid_page(data, speak, title=speak("all_heads.title"), **said),
    )


def panel_files(
    name: str,  # of the files
    trace: Trace,
    chosen: Selection,
    pictures: Mapping[str, str],  # the key of what each shows, and the drawing
    arrays: Mapping[str, np.ndarray | float | str],
    sections: Sequence[Section],
    title: str,
) -> Files:
    """The pictures and numbers of a page that is a row of panels."""
    facts, speak = _facts(trace, chosen), translate(st.session_state.language)
    return Files(
        f"headlight-{name}",
        pictures,
        {
            "JSON": lambda: export.arrays_json(arrays, facts),
            "NPZ": lambda: export.arrays_npz(arrays, facts),
        },
        lambda: handout(speak, title=title, sections=sections, **_spoken(facts)),
    )


def _spoken(facts: Mapping[str, object]) -> dict[str, str]:
    return {"sentence": str(facts["source"]), "translation": str(facts["translation"])}


def _facts(trace: Trace, chosen: Selection) -> dict[str, object]:
    """What a file of numbers says about where they come from; numbers are 0-based as in links."""
    return {
        "checkpoint": session.translator().name,
        "source": st.session_state.shown,
        "translation": trace.translation.text if trace.translation else "",
        **vars(chosen),
    }


def _dialog(files: Callable[[], Files]) -> None:
    @st.dialog(say("export.title"))
    def dialog() -> None:
        made = files()
        for what, svg in made.pictures.items():
            st.caption(say(f"export.{what}"))
            with st.container(horizontal=True, gap="small"):
                _save("SVG", svg, f"{made.name}-{what}.svg", "image/svg+xml")
                save_png(svg, f"{made.name}-{what}.png", "PNG", key=f"png_{what}")
        st.caption(say("export.numbers"))
        with st.container(horizontal=True, gap="small"):
            for label, data in made.numbers.items():
                _save(label, data, f"{made.name}.{label.lower()}", TYPES[label])
        if made.page:
            st.caption(say("export.page"))
            _save("HTML", made.page, f"{made.name}.html", TYPES["HTML"])
        st.caption(say("export.handout"))
        _save("HTML", made.handout, f"{made.name}-handout.html", TYPES["HTML"])

    dialog()


def _save(label: str, data: str | Callable[[], str | bytes], file: str, mime: str) -> None:
    st.download_button(label, data, file, mime, key=f"save_{file}", on_click="ignore")
