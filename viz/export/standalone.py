"""One view as a page of its own: it opens from a file, without a server and without a connection.

The head view is the app's own script over the same bytes. What people typed reaches the page only as
escaped text or as Base64, and the page itself forbids every script but the one named by its hash.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from viz.components import drawing, head_grid, head_view, source
from viz.figures.drawing import Drawing
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.numbers import fixed
from viz.figures.palette import DARK, FONT, LIGHT, OPACITY, Theme
from viz.figures.svg import escape, tag
from viz.state.picture import Picture

HERE = Path(__file__).parent
TEMPLATE = Template((HERE / "standalone.html").read_text("utf-8"))
SHEETS = (  # a strip that is wider than a telephone scrolls
    f"h2{{margin:1.5rem 0 .5rem;font-size:1.1rem;}}.said{{opacity:{OPACITY['quiet']};}}"
    ".menu{overflow-x:auto;}.menu svg{min-width:48rem;}"
)
PAGE_SCRIPT = source.script(HERE / "standalone.js")
GRID_SCRIPT = source.script(HERE / "standalone_grid.js")
DRAWINGS_SCRIPT = source.script(HERE / "standalone_drawings.js")


class Shown(NamedTuple):
    """One drawing of a page, on light paper and if it can be on dark, and what is said of it."""

    heading: str
    light: str
    dark: str
    text: str


class Sheet(NamedTuple):
    """One drawing as the app shows it, what is said above it, and below."""

    name: str  # as the strip of all of them calls it
    drawing: Drawing
    heading: str
    text: str = ""


def page(
    picture: Picture,
    say: Callable[..., str],
    *,
    title: str,
    sentence: str,
    translation: str,
    explanation: str,
    layer: int,
    row: int | None = None,
    column: int | None = None,
    scale: str | None = None,  # what the weights are called
    colour: str = "linear",
) -> str:
    """Chosen heads as a whole page; every argument but the picture is plain text."""
    scale = say("heatmap.weight") if scale is None else scale
    drawings = "".join(
        tag("div", _heatmap(picture, scale, colour, row, column, dark, say), class_=name)
        for name, dark in (("light", False), ("dark", True))
    )
    below = tag("h2", escape(say("standalone.table"))) + tag(
        "p", escape(say("standalone.table.how")), class_="how"
    )
    return _page(
        head_view.packed(picture, row=row, column=column, layer=layer, say=say, table=False),
        say,
        title=title,
        said={"sentence": sentence, "translation": translation, "explanation": explanation},
        style=head_view.STYLE,
        markup=head_view.MARKUP,
        script=PAGE_SCRIPT,
        beside=tag("div", drawings, class_="heatmap"),
        below=below + tag("div", _table(picture), class_="scroll", tabindex=0),
    )


def grid_page(
    data: bytes,  # as head_grid.payload packs it
    say: Callable[..., str],
    *,
    title: str,
    sentence: str,
    translation: str,
    explanation: str,
) -> str:
    """Every head at once as a whole page; it has a table of its own."""
    return _page(
        data,
        say,
        title=title,
        said={"sentence": sentence, "translation": translation, "explanation": explanation},
        style=head_grid.STYLE,
        markup=head_grid.MARKUP,
        script=GRID_SCRIPT,
    )


def drawings_page(
    sheets: Sequence[Sheet], say: Callable[..., str], *, menu: Drawing | None = None,
    title: str, sentence: str, translation: str, explanation: str,
) -> str:  # fmt: skip
    """Drawings as the app shows them as a whole page; with a `menu` one at a time, whose name is picked.

    Here nobody hears of other picks: what the app would answer to is not offered.
    """
    markup = tag("div", drawing.MARKUP, class_="menu") if menu else ""
    for sheet in sheets:
        said = tag("h2", escape(sheet.heading)), drawing.MARKUP, tag("p", escape(sheet.text), class_="said")
        markup += tag("section", *said, class_="sheet", data_name=sheet.name)
    drawn = {"menu": menu and menu.data(), "sheets": [_unheard(sheet.drawing.data()) for sheet in sheets]}
    return _page(
        json.dumps(drawn, ensure_ascii=False).encode(),
        say,
        title=title,
        said={"sentence": sentence, "translation": translation, "explanation": explanation},
        style=drawing.STYLE + SHEETS,
        markup=markup,
        script=DRAWINGS_SCRIPT,
    )


def _unheard(data: dict[str, Any]) -> dict[str, Any]:
    marks = [
        {name: value for name, value in mark.items() if name not in ("pick", "moves")}
        for mark in data["marks"]
    ]
    narrow = {"narrow": _unheard(data["narrow"])} if "narrow" in data else {}
    return {**data, "marks": marks, **narrow}


def pictures_page(
    pictures: Sequence[Shown], say: Callable[..., str], *, title: str, sentence: str, translation: str,
    told: Mapping[str, str] | None = None,
) -> str:  # fmt: skip
    """Drawings as a whole page; pointed at, their parts say their numbers without a script."""
    parts = (
        tag("h2", escape(each.heading))
        + tag("div", each.light, class_="light" if each.dark else None)
        + (tag("div", each.dark, class_="dark") if each.dark else "")
        + (tag("p", escape(each.text)) if each.text else "")
        for each in pictures
    )
    more = " ".join(f"{name}: {what}" for name, what in (told or {}).items())
    said = {"sentence": sentence, "translation": translation, "explanation": more}
    return _page(b"", say, title=title, said=said, style="", markup="", script="", below="".join(parts))


def _page(
    data: bytes, say: Callable[..., str], *, title: str, said: Mapping[str, str],
    style: str, markup: str, script: str, beside: str = "", below: str = "",
) -> str:  # fmt: skip
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return TEMPLATE.substitute(
        {name: escape(text) for name, text in said.items()},
        language=say("standalone.language"),
        hash=f"sha256-{digest}",
        title=escape(title),
        light=variables(LIGHT),
        dark=variables(DARK),
        font=FONT,
        quiet=OPACITY["quiet"],
        sentence_label=escape(say("standalone.sentence")),
        translation_label=escape(say("standalone.translation")),
        style=style,
        markup=markup,
        beside=beside,
        below=below,
        made=escape(say("standalone.made")),
        data=base64.b64encode(data).decode(),
        script=script,
    )


def _heatmap(
    picture: Picture, scale: str, colour: str, row: int | None, column: int | None, dark: bool,
    say: Callable[..., str],
) -> str:  # fmt: skip
    # Without titles: the page's script reads numbers, and so does the table below it.
    return heatmap_svg(
        picture.combined, picture.queries, picture.keys,
        mask=picture.mask, rows=say(picture.query_axis), columns=say(picture.key_axis),
        title=say("standalone.heatmap"), scale=scale, most=picture.most, colour=colour,
        row=row, column=column, titles=False, dark=dark,
    )  # fmt: skip


def _table(picture: Picture) -> str:
    """The map of all chosen heads as numbers, three digits each."""
    head = tag("tr", "<td></td>", *(tag("th", escape(key), scope="col") for key in picture.keys))
    rows = (
        tag(
            "tr",
            tag("th", escape(query), scope="row"),
            *(
                f"<td>{fixed(weight)}</td>" if seen else "<td></td>"
                for weight, seen in zip(weights, mask, strict=True)
            ),
        )
        for query, weights, mask in zip(picture.queries, picture.combined, picture.mask, strict=True)
    )
    return tag("table", head, *rows)


def variables(theme: Theme) -> str:
    """The names under which Streamlit gives its theme to components."""
    return (
        f"--st-background-color: {theme.paper}; --st-text-color: {theme.ink}; "
        f"--st-secondary-background-color: {theme.backdrop}; --st-primary-color: {theme.mark}; "
        f"--st-border-color: color-mix(in srgb, {theme.ink} {OPACITY['border']:.0%}, transparent); "
        f"--st-chart-sequential-colors: {', '.join(theme.scale)};"
    )
