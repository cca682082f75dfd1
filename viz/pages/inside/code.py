"""The few lines of `model/` that computed a step, read from the source that is running."""

import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from model.network.attention import Attention
from model.network.layers import DecoderLayer, EncoderLayer
from model.network.transformer import Embedding
from viz.pages.inside.numbers import all_at_once, row_by_hand

ROOT = Path(__file__).parents[3]


class Lines(NamedTuple):
    code: str
    file: str  # from the project's root
    first: int  # the number of the first line


SCORES = [(Attention.forward, "scores = self.scores(", 1)]
PATTERN = [(Attention.forward, "pattern = scores.masked_fill", 1)]
STEPS: dict[str, list[tuple[Callable, str, int]]] = {
    "project": [
        (Attention.forward, "query = self.query(", 1),
        (Attention.keys_and_values, "key = self.key(", 2),
    ],
    "product": SCORES,
    "scale": SCORES,
    "mask": PATTERN,
    "softmax": PATTERN,
    "mix": [(Attention.forward, "mixed = pattern @ value", 1)],
    "output": [(Attention.forward, "mixed = self.mixed(", 2)],
    "why": SCORES,
    "rows": [(row_by_hand, "scores =", 4), (all_at_once, "scores =", 3)],
}
LAYERS = {
    "encoder": (EncoderLayer, "self_attention"),
    "decoder": (DecoderLayer, "self_attention"),
    "cross": (DecoderLayer, "cross_attention"),
}


def code_lines(step: str, kind: str, layer: int) -> list[Lines]:
    owner, sublayer = LAYERS[kind]
    if step == "add":
        return [_lines(owner.forward, f"total = self.{sublayer}.residual", 2)]
    if step == "input":
        if layer == 0 and kind != "cross":
            return [_lines(Embedding.forward, "x = self.tokens(", 4)]
        return [_lines(owner.forward, f"added = self.{sublayer}(", 1)]
    return [_lines(*each) for each in STEPS[step]]


def _lines(function: Callable, begins: str, count: int) -> Lines:
    """`count` lines from the one that begins so. A line that has gone raises: the page must not lie."""
    source, first = inspect.getsourcelines(function)
    place = next((n for n, line in enumerate(source) if line.strip().startswith(begins)), None)
    if place is None:
        raise LookupError(f"{function.__qualname__} has no line that begins with {begins!r}")
    code = textwrap.dedent("".join(source[place : place + count])).rstrip()
    path = Path(inspect.getfile(function)).relative_to(ROOT)
    return Lines(code, path.as_posix(), first + place)
