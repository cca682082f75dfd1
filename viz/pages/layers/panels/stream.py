"""What each sublayer adds to the stream, what layer norm does to it, and the path of a token."""

import numpy as np
import streamlit as st

from model.inspect.sublayers import sublayers
from viz.figures.numbers import fixed
from viz.pages.layers import formulas, numbers
from viz.pages.layers.figures import stream as figures
from viz.pages.layers.figures.diagram import Place
from viz.pages.layers.panels.here import Here
from viz.state import runs
from viz.state.examples import EXAMPLES
from viz.state.language import say
from viz.state.models import by_its_model
from viz.state.session import EXAMPLE
from viz.widgets.panel import Panel

DIMENSION = 0  # the number of the vector that formulas follow


def added(now: Here) -> Panel:
    found = numbers.added(now.stream, now.steps, now.row)
    lengths, at = found._asdict(), now.places.index(now.place)
    most = int(found.added.argmax())
    values = {"added": f"{found.added[most]:.2f}", "before": f"{found.before[most]:.2f}"}
    return Panel(
        {"added": figures.added(now.places, lengths, now.place, say)},
        lengths,
        say("added.finding", token=now.token, place=_named(now.places[most]), **values),
        say("added.explained"),
        formula=formulas.added(found.before[at], found.added[at], found.cosine[at]),
    )


def norm(now: Here) -> Panel:
    found = numbers.spreads(now.stream, now.steps, now.row)
    layer_norm, total = now.trace.norm(now.step.after), numbers.totals(now.stream, now.step)
    one, at = numbers.one_norm(total[now.row], layer_norm, DIMENSION), now.places.index(now.place)
    pictures = {"norm": figures.norms(now.places, found._asdict(), now.place, say)}
    arrays = found._asdict() | {f"first_{name}": np.float64(value) for name, value in one._asdict().items()}
    said = say("norm.explained")
    if other := _other_sentence():
        there = numbers.totals(runs.trace_of(other).stream[now.stack], now.step)
        norms = numbers.both_norms(total, there, now.row, layer_norm.epsilon)._asdict()
        pictures["batch"] = figures.batch(
            {name: float(values[DIMENSION]) for name, values in norms.items()}, say
        )
        change = {
            way: f"{abs(norms[f'{way}_together'] - norms[f'{way}_alone']).mean():.3f}"
            for way in ("layer", "batch")
        }
        arrays |= norms
        said = f"{said} {say('batch_norm.explained', other=other, width=total.shape[1], **change)}"
    values = {"mean": fixed(found.mean_before[at], 2), "spread": fixed(found.spread_before[at], 2)}
    return Panel(
        pictures,
        arrays,
        say("norm.finding", token=now.token, place=_named(now.place), **values),
        said,
        formula=formulas.norm(one),
    )


def path(now: Here) -> Panel:
    plane, frame = _plane(runs.checkpoint(), now.stack)
    points = numbers.heights(now.stream, now.steps)
    placed, share = plane.place(points), plane.share(points)
    drawn = figures.path(placed, frame, now.row, now.labels, now.places, now.place, say)
    moved = float(np.linalg.norm(placed[-1, now.row] - placed[0, now.row]))
    return Panel(
        {"path": drawn},
        {"points": placed, "share": np.float64(share)},
        say("path.finding", token=now.token, moved=f"{moved:.1f}", share=f"{share:.1%}"),
        say("path.explained", layers=now.steps[-1].layer + 1),
    )


def _named(place: Place) -> str:
    return say("sublayer.named", layer=place[1] + 1, part=say(f"sublayer.{place[2]}"))


def _other_sentence() -> str | None:
    """Another sentence to share a batch with, of which everything is kept."""
    for name in ("question", "noun"):
        text = EXAMPLES[name]
        if text == st.session_state.shown or runs.refusal(text) is not None:
            continue
        if len(runs.translator().read(text).ids) <= runs.LONG:
            return text
    return None


@st.cache_resource(show_spinner=False, max_entries=8)
@by_its_model
def _plane(checkpoint: str, stack: str) -> tuple[numbers.Plane, np.ndarray]:
    """The map of a checkpoint's stack, and where its example lies on it; one for all, so they compare.

    Each stack has a map of its own: the two live apart, and a common one would show little else.
    """
    trace = runs.trace_of(EXAMPLE)
    points = numbers.heights(trace.stream[stack], sublayers(stack, runs.translator().config.depth(stack)))
    flat = points.reshape(-1, points.shape[-1])
    plane = numbers.fit_plane(flat)
    return plane, plane.place(flat)
