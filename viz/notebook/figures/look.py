"""Where words look: one head or several as a map and as lines, and all of them at once."""

from typing import Any

from model.network.kinds import KINDS
from viz.figures.grid_svg import Maps, grid_svg
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.lines_svg import lines_svg
from viz.notebook.asked import Asked


def _heatmap(now: Asked) -> str:
    shown = now.shown
    return heatmap_svg(
        shown.combined, shown.queries, shown.keys, mask=shown.mask, title=now.named, most=shown.most,
        scale=now.say(f"heatmap.{now.here.weighting}"), colour=now.here.colour, **_around(now),
    )  # fmt: skip


def _lines(now: Asked) -> str:
    shown = now.shown
    return lines_svg(
        shown.weights, shown.queries, shown.keys, heads=shown.heads, mask=shown.mask,
        combined=shown.combined, title=now.named, most=shown.most, **_around(now),
    )  # fmt: skip


def _around(now: Asked) -> dict[str, Any]:
    """What rows and columns are, and which of them are framed."""
    shown = now.shown
    return {
        "rows": now.say(shown.query_axis),
        "columns": now.say(shown.key_axis),
        "row": shown.row_of(now.here.row),
        "column": shown.column_of(now.here.column),
    }


def _grid(now: Asked) -> str:
    trace = now.trace
    maps = [Maps(now.say(f"kind.{kind}"), trace.attention[kind], trace.mask[kind]) for kind in KINDS]
    return grid_svg(maps, now.say, title=now.sentence, colour=now.here.colour)


FIGURES = {"heatmap": _heatmap, "head_view": _lines, "grid": _grid}
