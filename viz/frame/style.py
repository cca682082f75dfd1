"""What the theme cannot say, as one style sheet: our CSS, the palette's numbers and the hue of every head."""

from functools import cache
from pathlib import Path

from viz.components.source import tight, variables
from viz.figures.palette import DARK, LIGHT
from viz.frame import here

HERE = Path(__file__).parent


@cache
def style() -> str:
    names = ("style.css", "here.css", "presenter.css")
    sheet, name, presenter = ((HERE / each).read_text("utf-8") for each in names)
    numbers = variables(sheet + name + presenter, ":root")
    return f"<style>{tight(numbers + sheet + name)}{_hues()}{here.style()}</style>"


def _hues() -> str:
    """Head k has the same colour wherever it is named; light-dark() follows the theme."""
    rules = []
    for place, (light, dark) in enumerate(zip(LIGHT.heads, DARK.heads, strict=True), 1):
        button = f".st-key-head button:nth-of-type({len(LIGHT.heads)}n + {place})"
        rules.append(f"{button} {{ --hue: light-dark({light}, {dark}); }}")
    return "\n".join(rules)
