"""Several drawings under each other as one, each still a drawing of its own inside it."""

import re
from collections.abc import Sequence

from viz.figures.palette import LIGHT
from viz.figures.svg import BOLD, document, write

SIZE = re.compile(r'^<svg [^>]*?width="(\d+)" height="(\d+)"')
EDGE, HEADING = 16, 28  # pixels around a drawing, and for what stands above it


def stacked(drawings: Sequence[str], title: str, headings: Sequence[str] = ()) -> str:
    """Finished drawings; a heading for each, or none."""
    parts, wide, down = [], 0, 0
    for place, drawing in enumerate(drawings):
        found = SIZE.match(drawing)
        if found is None:
            raise ValueError(f"not a drawing of ours: {drawing[:60]!r}")
        if headings:
            parts.append(write(headings[place], EDGE, down + 20, font_size=15, font_weight=BOLD))
            down += HEADING
        parts.append(drawing.replace("<svg ", f'<svg x="{EDGE if headings else 0}" y="{down}" ', 1))
        wide, down = max(wide, int(found[1])), down + int(found[2]) + EDGE
    return document(parts, wide=wide + (2 * EDGE if headings else 0), high=down, title=title, theme=LIGHT)
