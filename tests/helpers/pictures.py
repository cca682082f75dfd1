"""Pictures to draw, with labels of every kind, and what was packed of them."""

import json
import struct

import numpy as np

from viz.components.head_view import packed
from viz.state.picture import Picture, Side, arrange
from viz.state.selection import Selection
from viz.text import translate

HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">\x00\x0b&amp;$title'
say = translate("en")


def some(queries: int, keys: int, heads: tuple[int, ...] = (0,), causal: bool = False) -> Picture:
    """A picture of random but peaked weights."""
    random = np.random.default_rng(7)
    mask = np.tri(queries, keys, dtype=bool) if causal else np.ones((queries, keys), bool)
    scores = random.normal(size=(len(heads), queries, keys)) * 2
    weights = np.exp(np.where(mask, scores, -np.inf))
    weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
    pieces = ("▁동물", "은", "▁animal", "<0xEC>", "</s>", '▁<b>"x"</b>', "&")
    looking, seen = ((pieces * 20)[:count] for count in (queries, keys))
    return arrange(
        weights,
        mask,
        Side(looking, tuple(range(queries)), "axis.target.predicted"),
        Side(seen, tuple(range(keys)), "axis.source.key"),
        Selection(head=heads),
        say,
    )


def sent(picture: Picture, **chosen: object) -> bytes:
    """What the head view's browser side gets of a picture."""
    return packed(picture, **{"row": None, "column": None, "layer": 2, "say": say, **chosen})


def unpacked(data: bytes) -> tuple[dict, np.ndarray]:
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    numbers = np.frombuffer(data[4 + length :], "<u2")
    return header, numbers.reshape(-1, len(header["queries"]), len(header["keys"]))


def told(row: int, column: int, shown: Picture) -> str:
    """What the head view says about one pair of words."""
    values = {"looking": shown.queries[row], "seen": shown.keys[column]}
    return say("head_view.pair", **values, weight=f"{shown.combined[row, column]:.4f}")
