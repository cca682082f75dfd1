"""The way of the stream through a stack: from the embedding up, sublayer by sublayer.

Each sublayer reads the stream, adds its output to it, and a layer norm follows (paper, section 3.1).
"""

from typing import NamedTuple

from model.network.kinds import stack_of

__all__ = ["PARTS", "Sublayer", "stack_of", "sublayer", "sublayers"]

PARTS = {
    "encoder": {"attention": "self_attention", "feed_forward": "feed_forward"},
    "decoder": {"attention": "self_attention", "cross": "cross_attention", "feed_forward": "feed_forward"},
}


class Sublayer(NamedTuple):
    """One step up; the last three are hook paths, keys of trace.stream[stack]."""

    stack: str
    layer: int
    part: str  # attention | cross | feed_forward
    where: str  # the module's path
    before: str  # what it read
    output: str  # what it added
    after: str  # before + output, through the layer norm


def sublayers(stack: str, layers: int) -> list[Sublayer]:
    """All of them, from the bottom.

    >>> sublayers("encoder", 1)[0][2:5]
    ('attention', 'encoder.layers.0.self_attention', 'encoder.embedding.sum')
    """
    steps, before = [], f"{stack}.embedding.sum"
    for layer in range(layers):
        for part, module in PARTS[stack].items():
            where, after = f"{stack}.layers.{layer}.{module}", f"{stack}.layers.{layer}.after_{part}"
            steps.append(Sublayer(stack, layer, part, where, before, f"{where}.output", after))
            before = after
    return steps


def sublayer(stack: str, layer: int, part: str) -> Sublayer:
    return next(step for step in sublayers(stack, layer + 1) if step[1:3] == (layer, part))
