"""Every colour, opacity and stroke stands in one place; the theme's file says the same."""

import re
import tomllib

import pytest

from tests.helpers.paths import ROOT
from viz.figures.palette import FONT, THEMES

HOME = ROOT / "viz/figures/palette.py"
SOURCES = sorted(
    path
    for path in (ROOT / "viz").rglob("*")
    if path.suffix in (".py", ".js", ".css", ".html") and path != HOME
)
CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]

COLOUR = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgb|hsl)a?\(\s*\d", re.IGNORECASE)
NUMBER = r"[\"']?\s*[:=]\s*[\"']?\d*\.?\d"
LOOKS = {
    ".py": re.compile(rf"(?:opacity|stroke_width){NUMBER}"),
    ".js": re.compile(rf"(?:opacity|stroke-width|lineWidth|globalAlpha){NUMBER}"),
    ".css": re.compile(rf"(?:opacity|stroke-width){NUMBER}|outline: [\d.]+px|\d%, transparent"),
    ".html": re.compile(rf"opacity{NUMBER}"),
}
WHOLE = re.compile(r"(?:lpha|pacity)[\"']?\s*[:=]\s*[01](?![.\d])")  # all or nothing is no choice


def found(pattern: re.Pattern, text: str) -> list[str]:
    """What a source says itself instead of asking the palette."""
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    code = re.sub(r"^ *>>> .*(?:\n +[\[(].*)*", "", code, flags=re.MULTILINE)  # examples show what comes out
    hits = (code[max(0, hit.start() - 20) : hit.end() + 12] for hit in pattern.finditer(code))
    return [hit for hit in hits if not WHOLE.search(hit)]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "viz")))
def test_no_colour_and_no_opacity_stands_in_a_second_place(path):
    text = path.read_text("utf-8")
    assert found(COLOUR, text) == []
    assert found(LOOKS[path.suffix], text) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (".py", 'tag("rect", fill_opacity=0.25)'),
        (".py", 'tag("rect", stroke_width=2)'),
        (".js", 'set(made, { "stroke-opacity": 0.3 })'),
        (".js", "context.globalAlpha = 0.55;"),
        (".css", "a { opacity: 0.75; }"),
        (".css", "a { outline: 2px solid red; }"),
        (".css", "a { color: color-mix(in srgb, red 14%, transparent); }"),
        (".html", "footer { opacity: .7; }"),
    ],
)
def test_the_search_finds_what_stands_beside_the_palette(kind, text):
    assert found(LOOKS[kind], text)


@pytest.mark.parametrize("text", ["#fff", "#1b1f2a", "#1b1f2a55", "rgb(0 0 0 / 25%)", "rgba(1, 2, 3, 0.5)"])
def test_the_search_finds_colours(text):
    assert found(COLOUR, f"x = '{text}'")


@pytest.mark.parametrize("name", THEMES)
def test_the_app_has_the_colours_of_the_palette(name):
    theme, given = THEMES[name], CONFIG[name]
    assert theme.scale == tuple(given["chartSequentialColors"])
    names = ("backgroundColor", "secondaryBackgroundColor", "textColor", "primaryColor")
    assert (theme.paper, theme.backdrop, theme.ink, theme.mark) == tuple(given[each] for each in names)


def test_the_app_has_the_letters_of_the_drawings():
    assert CONFIG["font"] == FONT
