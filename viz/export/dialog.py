"""Take it home: pictures as SVG or PNG, their numbers, a handout, or a page that opens without a network."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from viz.components.save_png import save_png
from viz.state.language import say

TYPES = {
    "CSV": "text/csv",
    "JSON": "application/json",
    "NPZ": "application/octet-stream",
    "HTML": "text/html",
    "GIF": "image/gif",
}


class Files(NamedTuple):
    """What a page offers to take home, made when it is asked for."""

    name: str
    pictures: Mapping[str, str]  # the key of what it shows, and the drawing
    numbers: Mapping[str, Callable[[], str | bytes]]
    handout: Callable[[], str]
    page: Callable[[], str] | None = None  # the view itself, where it lives on without the app
    films: Mapping[str, Callable[[], bytes]] = MappingProxyType({})  # by the key of what moves


def export_button(files: Callable[[], Files]) -> None:
    """A button, and a dialog whose drawings are made only when it is opened."""
    if st.button(say("export.label"), key="export"):
        _dialog(files)


def _dialog(files: Callable[[], Files]) -> None:
    @st.dialog(say("export.title"))
    def dialog() -> None:
        made = files()
        for what, svg in made.pictures.items():
            st.caption(say(f"export.{what}"))
            with st.container(horizontal=True, gap="small"):
                _save("SVG", svg, f"{made.name}-{what}.svg", "image/svg+xml")
                save_png(svg, f"{made.name}-{what}.png", "PNG", key=f"png_{what}")
        for what, film in made.films.items():
            st.caption(say(f"export.{what}"))
            _save("GIF", film, f"{made.name}-{what}.gif", TYPES["GIF"])
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
