"""Every colour, opacity and stroke that we draw with, on screen and on paper.

The browser gets the same numbers with its scripts and style sheets (viz/components/source.py). The colours
of the theme also stand in .streamlit/config.toml, where Streamlit looks for them; a test compares the two.
"""

from collections.abc import Mapping
from typing import NamedTuple

FONT = (
    "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans KR', 'Noto Sans CJK KR', "
    "'Apple SD Gothic Neo', 'Malgun Gothic', sans-serif"
)


class Theme(NamedTuple):
    """The colours of a light or a dark page."""

    paper: str
    backdrop: str  # behind what the pointer is on
    ink: str
    mark: str  # around what was chosen
    scale: tuple[str, ...]  # weights from none to most
    heads: tuple[str, ...]  # one hue a head, the same on every page, and of nothing else
    series: tuple[str, ...]  # curves, parts and kinds, which are no heads
    families: Mapping[str, str]  # behind the names of heads: what belongs together


# Lightness runs evenly from the page's own to its opposite, in one hue, so that the order of weights
# survives colour blindness and a grey projector. The hues of heads are seven of Okabe and Ito's eight
# (Color Universal Design, 2008) and a grey, each darkened or lightened until it stands out from the page
# by 3:1; the number of a head is always beside it. The tints of families are pale, so that nobody takes them
# for heads, and the ink stands out from each by 7:1; the family is always named, too. What is drawn beside
# each other and is neither a head nor a family takes violets and sepias in turn: no head has either hue, the
# two differ for every colour vision, and neighbours in lightness as well.
LIGHT = Theme(
    paper="#ffffff", backdrop="#f2f5f9", ink="#1b1f2a", mark="#2b5fb2",
    scale=("#ecf5fb", "#badffa", "#8ec7f5", "#69aeec", "#4d93dd",
           "#3879ca", "#2b5fb2", "#234696", "#1d2f76", "#151c53"),
    heads=("#0072b2", "#d55e00", "#008f68", "#b95b95", "#b07500", "#3a8fc7", "#857a00", "#4d525e"),
    series=("#5a36ad", "#6e4b2a", "#8a6fd1", "#a5805a", "#2a1559", "#3f2a16"),
    families={
        "agreement": "#f8d8c4", "copying": "#d3ebcb", "ending": "#dcdfe6", "form": "#f7e8a8",
        "negation": "#f6cbd8", "order": "#dad3f4", "structure": "#c6eae6", "tense": "#e6d5b8",
        "own": "#e9edf2",
    },
)  # fmt: skip
DARK = Theme(
    paper="#121318", backdrop="#1d202a", ink="#e8eaf0", mark="#78b4ff",
    scale=("#1d202a", "#273257", "#2c4781", "#2e5fa7", "#3079c7",
           "#3995e0", "#52b1f3", "#78cdff", "#b2e5ff", "#edf9fe"),
    heads=("#3e9bdc", "#e8722a", "#1db58a", "#d98cb8", "#e69f00", "#7cc8f2", "#f0e442", "#b9bdc9"),
    series=("#9b7ff0", "#c69a6d", "#cabaff", "#ecd2b4", "#7a5fd0", "#96703f"),
    families={
        "agreement": "#6b3d24", "copying": "#2d5526", "ending": "#454954", "form": "#5e4f10",
        "negation": "#6d2a43", "order": "#483b7c", "structure": "#1d5a55", "tense": "#5b4728",
        "own": "#31353f",
    },
)  # fmt: skip
THEMES = {"light": LIGHT, "dark": DARK}

LESS, MORE = "#d55e00", "#0072b2"  # below and above zero: orange and blue differ for every colour vision
SHADOW = "rgb(0 0 0 / 25%)"  # of what floats over the page
CLEAR = "rgba(0, 0, 0, 0)"  # the page shines through

OPACITY = {  # how much of a colour, mostly of the ink, is laid on the paper
    "panel": 0.07,  # a box behind a picture
    "hairline": 0.15,  # around a cell, between the rows of a table
    "chip": 0.16,  # a head's number, on its own hue
    "border": 0.2,  # as Streamlit draws its own
    "tint": 0.28,  # a bar behind a word; a button that is pressed
    "line": 0.3,  # axes and frames
    "away": 0.4,  # what is not meant just now
    "cursor": 0.55,  # what the pointer is on
    "faint": 0.65,  # marks that must not outshine the others
    "quiet": 0.75,  # words that explain: axes, captions, notes
    "number": 0.85,  # beside a word
}
FAINTEST_INK = 0.45  # a piece of a translation that has no probability at all: still legible
FAINTEST_LINE = (0.05, 0.15, 0.3)  # no weight at all: of every line, of one word's, of one pair's

STROKE = {  # pixels
    "hairline": 0.5,
    "usual": 1,
    "pointed": 1.5,  # what the pointer is on
    "frame": 2,  # what was chosen in a map or a list; what has the focus
    "chosen": 2.5,  # what was chosen in a drawing
    "focus": 3,  # what the keyboard is on, in a drawing
}
DASH = "4 3"

# The colours that a drawing names (viz/figures/drawing.py): a colour of the theme, and how much of it.
NAMED: dict[str, tuple[str, float]] = {
    "ink": ("ink", 1),
    "faint": ("ink", OPACITY["faint"]),
    "line": ("ink", OPACITY["line"]),
    "panel": ("ink", OPACITY["panel"]),
    "mark": ("mark", 1),
    "paper": ("paper", 1),
    "none": ("none", 1),
}
