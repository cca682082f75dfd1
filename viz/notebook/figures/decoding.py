"""How a translation is written: its tokens, what else was likely, where heads looked, and the beam's tree."""

from collections.abc import Callable

import numpy as np

from viz.figures.drawing import Drawing
from viz.notebook.asked import Asked
from viz.pages.decoding.figures import beam, steps
from viz.pages.decoding.numbers import beam as numbers
from viz.pages.decoding.numbers.beam_rows import arrange
from viz.pages.decoding.numbers.steps import likeliest, looks
from viz.pages.home.numbers import row_of
from viz.state.picture import sides

BEAM, PENALTY = 4, 0.6  # as Translator.search has them


def _row(now: Asked) -> int:
    """The step that was asked for; else the one at which the model was least sure."""
    return row_of(now.trace, now.here.row if now.here.kind != "encoder" else None)


def _strip(now: Asked) -> Drawing:
    """Every token, with how sure the model was of it; up to the step that was asked for."""
    labels = now.labels(now.trace.target.predicted)
    at = len(labels) - 1 if now.here.row is None else _row(now)
    return steps.strip(labels, np.exp(now.trace.log_probs).tolist(), at, (), now.say)


def _next(now: Asked) -> Drawing:
    translator, ids, row = now.needed("decoding_next"), now.trace.target.predicted_ids, _row(now)
    found = likeliest(translator.distributions(now.sentence, ids)[row], ids[row])
    return steps.next_tokens(found, now.labels(translator.tokenizer.choices(found.ids)), now.say)


def _heads(now: Asked) -> Drawing:
    attention, here, row = now.trace.attention, now.here, _row(now)
    count, kinds = attention["cross"].shape[1], []
    for kind in ("decoder", "cross"):
        keys = now.labels(sides(now.trace, kind, "read")[1].pieces)
        keys = keys[: row + 1] if kind == "decoder" else keys
        chosen = here.layer * count + now.head if here.kind == kind else None
        kinds.append(steps.Looking(kind, looks(attention[kind], row, len(keys)), keys, chosen))
    return steps.heads_now(kinds, count, now.say)


def _tree(now: Asked) -> Drawing:
    translator = now.needed("beam_tree")
    found = translator.search(now.sentence, now.trace.edits, size=BEAM, penalty=PENALTY)
    tree = numbers.Tree(found.nodes)
    ranked = numbers.ranking(found, tree, PENALTY)
    chosen = numbers.looked_at(tree, ranked[0].node, None, None, now.trace.target.predicted_ids)
    words = now.labels(translator.tokenizer.choices([node.id for node in tree.nodes]))
    placed = arrange(tree, ranked[0].node, chosen, BEAM)
    return beam.tree(beam.Shown(tree, placed, words, ranked, chosen, now.say))


FIGURES: dict[str, Callable[[Asked], Drawing]] = {
    "decoding_strip": _strip,
    "decoding_next": _next,
    "decoding_heads": _heads,
    "beam_tree": _tree,
}
