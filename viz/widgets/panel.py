"""What every panel gives back: its pictures, the numbers behind them, and what is said of them.

The tail of a page makes files and a handout of it; a page need not know how.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from viz.export import files
from viz.export.dialog import Files, export_button
from viz.export.handout import Section, handout
from viz.export.standalone import Shown, pictures_page
from viz.figures.drawing import Drawing
from viz.state import runs
from viz.state.language import say
from viz.state.page import Page
from viz.state.session import chosen, selection
from viz.text import Say, plain, translate
from viz.widgets.names import names_on_file

Facts = Mapping[str, object]
Numbers = Mapping[str, object]  # arrays, numbers and words


@dataclass(frozen=True)
class Panel:
    """One panel as it stands on the screen, to take home. Drawings that cost something are functions."""

    pictures: Mapping[str, Drawing | Callable[[], str]] = field(default_factory=dict)  # by key: export.{key}
    arrays: Numbers = field(default_factory=dict)
    finding: str = ""  # in this run's own numbers; may hold typed words
    explained: str = ""  # plain text, too
    formula: str = ""  # in LaTeX
    # Where single pictures, or the whole, differ from the usual:
    said: Mapping[str, str] = field(default_factory=dict)  # instead of finding and explanation
    sums: Mapping[str, str] = field(default_factory=dict)  # the arithmetic of a picture, in one line
    headings: Mapping[str, str] = field(default_factory=dict)  # instead of the picture's own title
    title: str = ""  # of the handout, instead of the page's question
    name: str = ""  # of the files, instead of the page's
    told: Mapping[str, str] = field(default_factory=dict)  # more about the run, by what it is called
    sections: Callable[[], Sequence[Section]] | None = None  # a handout that is more than the pictures
    numbers: Callable[[Facts], Mapping[str, Callable[[], str | bytes]]] | None = None  # files of numbers
    films: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)  # what moves, as GIF: export.{key}
    alone: Callable[[], str] | None = None  # the view as a page that lives on without the app


def tail(page: Page, panel: Panel) -> None:
    """What stands under every panel that has something to take home: the way to do so."""
    if panel.pictures or panel.arrays or panel.numbers:
        export_button(lambda: _files(page, panel))


def _files(page: Page, panel: Panel) -> Files:
    about = _facts(page)
    svgs = {
        name: picture.svg() if isinstance(picture, Drawing) else picture()
        for name, picture in panel.pictures.items()
    }
    numbers = panel.numbers or (
        lambda about: {
            "CSV": lambda: files.arrays_csv(panel.arrays),
            "JSON": lambda: files.arrays_json(panel.arrays, about),
            "NPZ": lambda: files.arrays_npz(panel.arrays, about),
        }
    )
    spoken = {"sentence": str(about["source"]), "translation": str(about["translation"])}
    title = panel.title or say(f"{page.name}.title")
    # A file is made after this run has ended, when nobody knows any more which language it had.
    speak = translate(st.session_state.language)
    sections = panel.sections() if panel.sections else _sections(panel, svgs)
    return Files(
        f"headlight-{panel.name or page.name}",
        svgs,
        numbers(about),
        lambda: handout(speak, title=title, sections=sections, told=panel.told, **spoken),
        panel.alone or _page(panel, svgs, speak, title, spoken),
        panel.films,
    )


def _page(
    panel: Panel, svgs: Mapping[str, str], speak: Say, title: str, spoken: Mapping[str, str]
) -> Callable[[], str] | None:
    """The pictures as a page that opens without the app, in the colours of whoever opens it."""
    shown = [
        Shown(each.heading, each.svg, _dark(panel.pictures[name]), each.text)
        for name, each in zip(panel.pictures, _sections(panel, svgs), strict=True)
    ]
    return partial(pictures_page, shown, speak, title=title, told=panel.told, **spoken) if shown else None


def _dark(picture: Drawing | Callable[[], str]) -> str:
    return picture.svg(dark=True) if isinstance(picture, Drawing) else ""


def _sections(panel: Panel, svgs: Mapping[str, str]) -> list[Section]:
    made = []
    for name, picture in panel.pictures.items():
        title = picture.title if isinstance(picture, Drawing) else say(f"export.{name}")
        text = panel.said.get(name, f"{panel.finding} {panel.explained}".strip())
        heading, sum_ = panel.headings.get(name, title), panel.sums.get(name, "")
        made.append(Section(heading, svgs[name], plain(text), sum_))
    return made


def _facts(page: Page) -> Facts:
    """What a file of numbers says about where they come from; numbers are 0-based as in links."""
    trace, here = runs.current_trace(), selection()
    return {
        "checkpoint": runs.translator().name,
        "source": st.session_state.shown,
        "translation": trace.translation.text if trace.translation else "",
        **vars(here),
        **vars(chosen(page.choices)),
        "names": names_on_file((here.kind, here.layer, head) for head in here.head),
    }
