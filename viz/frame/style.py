"""What the theme cannot say, as one style sheet: our CSS, the palette's numbers and the hue of every head."""

from functools import cache
from pathlib import Path

from viz.components.source import tight, variables
from viz.figures.palette import DARK, LIGHT
from viz.frame import here

HERE = Path(__file__).parent


@cache
def style() -> str:
    names = ("style.css", "here.css", "phone.css", "presenter.css")
    *sheets, presenter = ((HERE / each).read_text("utf-8") for each in names)
    sheet = "".join(sheets)
    paper = f":root {{ --paper: light-dark({LIGHT.paper}, {DARK.paper}); }}\n"
    numbers = variables(sheet + presenter, ":root")
    return f"<style>{tight(numbers + paper + sheet)}{_hues()}{here.style()}</style>"


def _hues() -> str:
    """Head k has the same colour wherever it is named; light-dark() follows the theme."""
    rules = []
    for place, (light, dark) in enumerate(zip(LIGHT.heads, DARK.heads, strict=True), 1):
        button = f".st-key-head button:nth-of-type({len(LIGHT.heads)}n + {place})"
        rules.append(f"{button} {{ --hue: light-dark({light}, {dark}); }}")
    return "\n".join(rules)
