"""The map of a head as a Plotly figure, for those who want to go on with it there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from viz.notebook.asked import asked

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from model import Trace


def plotly_heatmap(trace: Trace, **chosen: Any) -> go.Figure:
    """`chosen` as `show` takes it; rows and columns are named after what they are in this kind."""
    from viz.figures.heatmap import attention_heatmap  # only here: Plotly takes a while to load

    now = asked(trace, **chosen)
    shown = now.shown
    return attention_heatmap(
        shown.combined, shown.queries, shown.keys, now.say, mask=shown.mask, rows=shown.query_axis,
        columns=shown.key_axis, most=shown.most, colour=now.here.colour, unit=f"heatmap.{now.here.weighting}",
    )  # fmt: skip
