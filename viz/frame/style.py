"""What the theme cannot say, as one style sheet: our CSS and the hue of every head."""

from functools import cache
from pathlib import Path

from viz.components.source import tight_style
from viz.figures.theme import HEAD_HUES


@cache
def style() -> str:
    sheet = Path(__file__).with_name("style.css").read_text("utf-8")
    return f"<style>{tight_style(sheet)}\n{_hues()}</style>"


def _hues() -> str:
    """Head k has the same colour wherever it is named; light-dark() follows the theme."""
    rules = []
    for place, (light, dark) in enumerate(zip(*HEAD_HUES.values(), strict=True), 1):
        button = f".st-key-head button:nth-of-type({len(HEAD_HUES['light'])}n + {place})"
        rules.append(f"{button} {{ --hue: light-dark({light}, {dark}); }}")
    return "\n".join(rules)
