"""The three kinds of attention, and where each of them stands in the model.

"encoder" and "decoder" are the self-attention of the two stacks; "cross" is the decoder's attention over the
encoder's output. Everything else that goes by kind takes these names from here.
"""

from typing import TypeVar

STACKS = ("encoder", "decoder")
KINDS = {  # the path of each kind's module, for a layer's number
    "encoder": "encoder.layers.{}.self_attention",
    "decoder": "decoder.layers.{}.self_attention",
    "cross": "decoder.layers.{}.cross_attention",
}
Side = TypeVar("Side")


def stack_of(kind: str) -> str:
    """The stack that the rows of a kind of attention belong to.

    >>> stack_of("cross")
    'decoder'
    """
    return KINDS[kind].partition(".")[0]


def sides(source: Side, target: Side) -> dict[str, tuple[Side, Side]]:
    """For each kind, the side that looks and the side that is looked at: its queries and its keys.

    >>> sides(source=7, target=5)
    {'encoder': (7, 7), 'decoder': (5, 5), 'cross': (5, 7)}
    """
    return {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}
