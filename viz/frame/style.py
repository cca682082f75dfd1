"""What the theme cannot say, as one style sheet: our CSS, the palette's numbers and the hue of every head."""

from functools import cache
from pathlib import Path

from viz.components.source import tight, variables
from viz.figures.palette import DARK, LIGHT

HERE = Path(__file__).parent


@cache
def style() -> str:
    sheet, presenter = ((HERE / name).read_text("utf-8") for name in ("style.css", "presenter.css"))
    return f"<style>{tight(variables(sheet + presenter, ':root') + sheet)}{_hues()}</style>"


def _hues() -> str:
    """Head k has the same colour wherever it is named; light-dark() follows the theme."""
    rules = []
    for place, (light, dark) in enumerate(zip(LIGHT.heads, DARK.heads, strict=True), 1):
        button = f".st-key-head button:nth-of-type({len(LIGHT.heads)}n + {place})"
        rules.append(f"{button} {{ --hue: light-dark({light}, {dark}); }}")
    return "\n".join(rules)
