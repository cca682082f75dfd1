"""The shuffle test: the same words in another order, with positions and without."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model import Trace
from model.inspect import edits
from model.text.tokenizer import Tokens
from viz.components import drawing
from viz.figures.labels import readable
from viz.figures.numbers import scientific
from viz.pages.positions import Positions, figures, numbers
from viz.pages.positions.panels.terms import missing
from viz.state import runs
from viz.state.language import say
from viz.state.session import chosen, select
from viz.state.trace_cache import TraceCache
from viz.widgets.panel import Panel

MOST_BYTES = 16 * 2**20  # of shuffled runs, each the size of one layer


def shuffle(trace: Trace, chosen: Positions) -> Panel | None:
    """With positions each word becomes another vector, without them none does."""
    if _refused(trace):
        return None
    config, words = runs.translator().config, [readable(piece, say) for piece in trace.source.pieces]
    order = shuffled_order(len(words), chosen.seed)
    path = f"encoder.layers.{config.layers - 1}.after_feed_forward"
    with st.spinner(say("positions.shuffle.working")):
        vectors = {
            (off, shuffled): _run(trace, path, off, chosen.seed if shuffled else None).points[path]
            for off in (False, True)
            for shuffled in (False, True)
        }
    on, off = (numbers.moved(vectors[way, False], vectors[way, True], order) for way in (False, True))
    sides = say("positions.shuffle.before"), say("positions.shuffle.after")
    drawn = {"words": figures.crossing(words, order, say("export.positions_words"), sides)}
    for name, each in (("on", on), ("off", off)):
        titles = say(f"positions.shuffle.{name}"), say(f"export.positions_{name}")
        drawn[name] = figures.distances(each.distance, words, float(on.distance.max()), *titles)
    st.button(say("positions.shuffle.again"), key="shuffle_again", on_click=_again)
    for column, (name, picture) in zip(st.columns(3, gap="medium"), drawn.items(), strict=True):
        with column:
            drawing.show(picture, key=f"positions_{name}")
    length = float(np.linalg.norm(vectors[False, False], axis=-1).mean())
    said = {
        "on": say("positions.shuffle.said", mean=f"{on.distance.mean():.2f}", length=f"{length:.2f}"),
        "off": _without(config.window, scientific(off.largest)),
        "words": say("positions.shuffle.why"),
    }
    st.markdown(f"{said['on']} {said['off']}")
    st.caption(said["words"])
    return Panel(
        {f"positions_{name}": picture for name, picture in drawn.items()},
        {"order": np.array(order), "distance_on": on.distance, "distance_off": off.distance},
        said={f"positions_{name}": text for name, text in said.items()},
    )


def _refused(trace: Trace) -> bool:
    """Whether there is nothing to shuffle here; one sentence says why."""
    if runs.translator().config.positions == "none":
        st.info(say("positions.shuffle.none"))
    elif len(trace.source.ids) < 3:
        st.info(say("positions.shuffle.short"))
    else:
        return missing(trace, "encoder")
    return True


def _without(window: int | None, largest: str) -> str:
    """What happened without positions; a window still knows who is near."""
    if window is None:
        return say("positions.shuffle.off_said", largest=largest)
    return say("positions.shuffle.window", window=window, largest=largest)


def shuffled_order(count: int, seed: int) -> Sequence[int]:
    """Where each place's piece stood before; the model's own shuffle, asked about plain numbers."""
    places = tuple(range(count))
    return edits.Shuffle(seed).reorder(Tokens(places, tuple(map(str, places)), places)).ids


def _run(trace: Trace, path: str, off: bool, seed: int | None) -> Trace:
    """The encoder's output with or without positions and shuffling; run once for everybody."""
    text = st.session_state.shown
    changes: list[edits.Edit] = [edits.PositionsOff("encoder")] if off else []
    changes += [edits.Shuffle(seed)] if seed is not None else []

    def run() -> Trace:
        return runs.translator().trace(text, trace.target.predicted_ids, changes, keep=[path])

    return _runs().get((runs.checkpoint(), False, text, off, seed), run)


@st.cache_resource(show_spinner=False)
def _runs() -> TraceCache:
    return TraceCache(MOST_BYTES)


def _again() -> None:
    select(seed=(chosen(Positions).seed + 1) % 10_000)
