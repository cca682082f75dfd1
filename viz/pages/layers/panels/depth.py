"""What a layer knows: its feed-forward units, the vocabulary at each height, and the gradients."""

from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from model.inspect.gradients import gradient_norms
from model.inspect.sublayers import PARTS
from viz.figures.labels import readable
from viz.figures.numbers import fraction
from viz.pages.layers import formulas, numbers
from viz.pages.layers.figures import depth as figures
from viz.pages.layers.panels.here import Here
from viz.state import runs
from viz.state.language import say
from viz.state.models import by_its_model
from viz.widgets.panel import Panel

GONE = 1e-15  # of a gradient: what arithmetic in single precision leaves of nothing


def units(now: Here) -> Panel:
    where = next(step.where for step in now.steps if step[1:3] == (now.layer, "feed_forward"))
    hidden, config = now.stream[f"{where}.hidden"][now.row], runs.translator().config
    firing, best = int((hidden > 0).sum()), numbers.strongest(hidden)
    counts = {"firing": firing, "hidden": len(hidden), "percent": f"{firing / len(hidden):.1%}"}
    sizes = {"width": config.width, "hidden": config.hidden, "times": f"{config.hidden / config.width:g}"}
    return Panel(
        {
            "units": figures.units(hidden, say),
            "unit_bars": figures.unit_bars(best.tolist(), hidden[best], say),
        },
        {"hidden": hidden, "strongest": best},
        say("units.finding", token=now.token, layer=now.layer + 1, **counts),
        say("units.explained", **sizes),
        formula=formulas.units(config.activation, config.width, config.hidden),
    )  # fmt: skip


def vocabulary(now: Here) -> Panel:
    ids, log_probs = (array[:, now.row] for array in now.trace.top)  # (L, 20)
    choices = runs.translator().tokenizer.choices
    pieces = [[readable(piece, say) for piece in choices(row.tolist())] for row in ids]
    final = now.trace.target.predicted_ids[now.row]
    ranks, probabilities = numbers.ranks(ids, final), np.exp(log_probs)
    label = readable(choices([final])[0], say)
    written = ", ".join(str(rank) if rank else f"> {ids.shape[1]}" for rank in ranks)
    drawn = figures.vocabulary(pieces, probabilities, ids, final, label, ranks, say)
    return Panel(
        {"vocabulary": drawn},
        {"ids": ids, "probabilities": probabilities, "ranks": np.array([rank or 0 for rank in ranks])},
        say("vocabulary.finding", piece=label, ranks=written, layers=len(ranks)),
        say("vocabulary.explained", most=ids.shape[1]),
        formula=formulas.VOCABULARY,
    )


def gradients(now: Here) -> Panel:
    with st.spinner(say("gradients.working")):
        found = _gradients(runs.checkpoint(), st.session_state.shown)
    paths = [now.steps[0].before, *(step.after for step in now.steps)]
    lengths = {way: np.array([by_path[path][now.row] for path in paths]) for way, by_path in found.items()}
    per_layer = len(PARTS[now.stack])
    ticks = [(layer * per_layer, str(layer)) for layer in range(len(now.steps) // per_layer + 1)]
    cursor = now.places.index(now.place) + 1
    beside = {way: numbers.beside_top(values) for way, values in lengths.items()}
    left = {way: float(values[0]) for way, values in beside.items()}
    finding = say("gradients.finding", token=now.token, **{way: _left(value) for way, value in left.items()})
    return Panel(
        {"gradients": figures.gradients(beside, ticks, cursor, say)},
        lengths | {f"{way}_beside_top": values for way, values in beside.items()},
        f"{finding} {carried(left, say)}".strip(),
        say("gradients.explained"),
        formula=formulas.GRADIENTS,
    )


def _left(share: float) -> str:
    """What is left of a gradient on its way down, in words."""
    if not np.isfinite(share) or share < GONE:
        return say("gradients.left.nothing")
    if 0.5 <= share < 2:
        return say("gradients.left.same")
    if share < 1:
        return say("gradients.left.less", fraction=fraction(share))
    return say("gradients.left.more", times=f"{float(f'{share:.2g}'):,.0f}")


def carried(left: Mapping[str, float], say: Callable[..., str]) -> str:
    """What residual connections are for, where these numbers show it."""
    if not left["no_residual"] < left["trained"] / 2:
        return ""
    if left["no_residual"] < GONE:
        return say("gradients.carried.all")
    return say("gradients.carried", fraction=fraction(left["no_residual"] / left["trained"]))


@st.cache_resource(show_spinner=False, max_entries=64)
@by_its_model
def _gradients(checkpoint: str, text: str) -> Mapping[str, Mapping[str, np.ndarray]]:
    trace = runs.trace_of(text)
    return gradient_norms(runs.translator().model, trace.source.ids, trace.target.predicted_ids)
