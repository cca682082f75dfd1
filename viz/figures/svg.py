"""What our drawings in SVG share: text that cannot become markup, and about how wide it is.

A drawing is one string that opens on its own: shapes and text, system fonts, nothing to load.
"""

import re
from collections.abc import Iterable
from functools import cache
from unicodedata import east_asian_width
from xml.sax.saxutils import escape as escape_markup

from viz.figures.palette import FONT, Theme

LETTER, BOLD = 12, 600  # the usual size of words, and the weight of those that stand out
LONGEST = 24  # letters of a label
IMPOSSIBLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in any XML


def escape(words: str) -> str:
    """The one place where text becomes XML, inside an element or an attribute.

    >>> escape('<b> & "')
    '&lt;b&gt; &amp; &quot;'
    """
    return escape_markup(IMPOSSIBLE.sub("\ufffd", str(words)), {'"': "&quot;"})


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element; `children` are finished elements or escaped text. `stroke_width` means stroke-width."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_short(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def write(words: str, x: float, y: float, **attributes: object) -> str:
    """A label at a place; a long one is cut and keeps its whole in its title."""
    shown = shortened(words)
    whole = tag("title", escape(words)) if shown != words else ""
    return tag("text", whole, escape(shown), x=x, y=y, **attributes)


def shortened(words: str) -> str:
    """A label that no drawing is too narrow for.

    >>> shortened("anticonstitutionnellement")
    'anticonstitutionnelleme…'
    """
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def fitting(words: str, room: float, size: float) -> str:
    """As much of a label as has room.

    >>> fitting("strawberries", 60, 10), fitting("tea", 60, 10)
    ('strawberr…', 'tea')
    """
    if len(words) <= 1 or width(words, size, None) <= room:
        return words
    kept, wide = 0, _letter("…")
    while (wide := wide + _letter(words[kept])) * size <= room:
        kept += 1
    return words[:kept] + "…"


def width(words: str, size: float, longest: int | None = LONGEST) -> float:
    """About how wide a label is: no fonts are at hand to measure. None: a sentence, which is not cut."""
    return sum(map(_letter, words[:longest])) * size


@cache
def _letter(letter: str) -> float:
    return 1.0 if east_asian_width(letter) in "WF" else 0.6


def document(parts: Iterable[str], *, wide: float, high: float, title: str, theme: Theme) -> str:
    """The whole drawing, with `title` for those who hear it."""
    return tag(
        "svg",
        tag("title", escape(title)),
        tag("rect", width="100%", height="100%", fill=theme.paper),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        width=round(wide),
        height=round(high),
        viewBox=f"0 0 {round(wide)} {round(high)}",
        role="img",
        font_family=FONT,
        font_size=13,
        fill=theme.ink,
    )


def _short(value: object) -> str:
    """Numbers without the digits nobody sees."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
