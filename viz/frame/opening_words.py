"""What the opening says at each step, in the numbers of this run."""

import numpy as np

from model import Trace
from viz.figures.changes import changes
from viz.figures.labels import JOINT, readable
from viz.figures.numbers import fixed, percent
from viz.state import runs
from viz.state.language import say
from viz.state.opening import Story
from viz.state.picture import sides
from viz.text import language_name
from viz.widgets.names import phenomenon_name


def sentence(name: str, trace: Trace, told: Story | None) -> str:
    """The one sentence of a step."""
    if name == "type":
        config = runs.translator().config
        languages = {side: language_name(getattr(config, side), say) for side in ("source", "target")}
        return say("opening.type", **languages)
    if name == "tokens":
        return say("opening.tokens", count=len(trace.source.ids))
    if name == "lines":
        every = sum(weights.shape[0] * weights.shape[1] for weights in trace.attention.values())
        return say("opening.lines", heads=every)
    if told is None:
        raise LookupError(f"without a story there is no step {name!r}")
    if name == "name":
        return _name(trace, told)
    return say("opening.ask") if name == "switch" else _off(trace, told)


def _name(trace: Trace, told: Story) -> str:
    looking, seen = sides(trace, told.kind, "predicted")
    return say(
        "opening.name",
        name=phenomenon_name(told.phenomenon),
        looking=_word(looking.pieces[told.row]),
        seen=_word(seen.pieces[told.column]),
        weight=fixed(float(trace.attention[told.kind][told.layer, told.head, told.row, told.column]), 2),
    )


def _off(trace: Trace, told: Story) -> str:
    """What changed first, and what became of its chance where it stood before."""
    before = runs.translation_of(trace).text
    after = runs.translation_of(runs.edited_trace(told.sentence, told.edits)).text
    again = runs.edited_trace(told.sentence, told.edits, tuple(trace.target.predicted_ids))
    chances = {
        name: percent(float(np.exp(run.log_probs[told.row])), 0)
        for name, run in (("was", trace), ("now", again))
    }
    one, other = (words[0] for words in changes(before, after))
    piece = _word(trace.target.predicted[told.row])
    return say("opening.off", before=one, after=other or "–", piece=piece, **chances)


def _word(piece: str) -> str:
    """In a sentence, without the joint that shows where a word goes on."""
    return readable(piece, say).removeprefix(JOINT)
