"""What is on screen, as plain values: one selection that every page shares and every link carries.

Numbers are 0-based here and in links, 1-based on screen.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

KINDS = ("encoder", "decoder", "cross")
CHOICES: dict[str, tuple[str, ...]] = {
    "kind": KINDS,
    "units": ("pieces", "words"),
    "reading": ("predicted", "read"),  # which piece a decoder row is named after
    "special": ("shown", "hidden"),
    "weighting": ("weight", "norm"),
    "colour": ("linear", "root", "log"),
    "combine": ("mean", "max"),  # what the heatmap shows of several heads
    "measure": ("none", "entropy", "distance", "previous", "self", "next", "special"),
    "step": (
        "input", "project", "product", "scale", "mask", "softmax", "mix", "output", "add", "why", "rows",
    ),
    "guess": ("off", "on"),
    "order": ("table", "waves", "shift", "kinds", "terms", "shuffle"),
    "journey": ("added", "norm", "path", "units", "vocabulary", "gradients"),
    "part": ("attention", "cross", "feed_forward"),
    "test": ("compare", "find", "contrast", "prune", "using"),
    "chart": ("map", "scatter", "table", "detector", "film", "corpus"),
    "over": ("hand", "grammar"),
    "rule": ("offset", "relation", "aligned", "painted"),
    "present": ("off", "on"),
}  # fmt: skip
WORDS = ("by", "against", "role")  # names of measures and roles: which there are, the atlas decides
WORD = re.compile(r"[\w.:>-]{1,40}")
NUMBERS: dict[str, tuple[int, ...]] = {
    "key_width": tuple(2**power for power in range(10)),
    "wave_width": (8, 16, 32, 64, 128, 256, 512),
    "base": (10, 100, 1_000, 10_000, 100_000),
    "places": (16, 32, 64, 128, 256, 512, 1_024),
}


@dataclass(frozen=True)
class Selection:
    """One kind of attention, a layer, some of its heads, perhaps a word, and how to show them."""

    kind: str = "cross"
    layer: int = 0
    head: tuple[int, ...] = (0,)
    row: int | None = None  # the piece that looks, by its position
    column: int | None = None  # the piece that is looked at
    units: str = "pieces"
    reading: str = "predicted"
    special: str = "shown"
    weighting: str = "weight"
    colour: str = "linear"
    combine: str = "mean"
    measure: str = "none"  # what All heads is sorted by
    step: str = "product"  # of the way to one weight, in Inside
    guess: str = "off"  # whether the next number is hidden until somebody has guessed it
    key_width: int = 32  # d_k of the question why scores are divided by its root
    order: str = "table"  # the panel of Positions
    wave_width: int = 64  # the laboratory's table: how many dimensions,
    base: int = 10_000  # the base of its wavelengths,
    places: int = 64  # how many positions,
    first: int = 5  # two of them to compare,
    second: int = 9
    waves: tuple[int, ...] = (0, 4, 8)  # and the pairs of dimensions drawn as waves
    seed: int = 0  # of the order that words are shuffled into
    journey: str = "added"  # the panel of Layers
    part: str = "attention"  # the sublayer that Layers looks at
    test: str = "compare"  # the panel of Experiment
    rival: int | None = None  # the piece, by its id, that the contrast asks about
    kept: int | None = None  # how many heads pruning leaves
    chart: str = "map"  # the panel of Atlas
    over: str = "hand"  # the sentences that it was measured on
    by: str = "offset"  # the measure that colours its map,
    against: str = "entropy"  # the one across its scatter,
    role: str = ""  # and the role that heads must have to be shown
    rule: str = "offset"  # what the detector looks for
    moment: int | None = None  # of the film
    present: str = "off"  # one panel in large type, and nothing else


def to_link(selection: Selection, usual: Selection) -> dict[str, str]:
    """What differs from the usual view, as the parameters of a link.

    >>> to_link(Selection(head=(1, 4), row=3), Selection())
    {'head': '1,4', 'row': '3'}
    """
    named = {field.name: getattr(selection, field.name) for field in fields(Selection)}
    return {
        name: ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for name, value in named.items()
        if value is not None and value != getattr(usual, name)
    }


def from_link(
    link: Mapping[str, str], usual: Selection, layers: int, heads: int
) -> tuple[Selection, list[str]]:
    """The selection that a link asks for, and the names of what it asks for in vain.

    >>> from_link({"layer": "9", "kind": "encoder"}, Selection(), layers=4, heads=8)[1]
    ['layer']
    """
    found, refused = {}, []
    for field in fields(Selection):
        if field.name not in link:
            continue
        try:
            found[field.name] = _parse(field.name, link[field.name], layers, heads)
        except ValueError:
            refused.append(field.name)
    return replace(usual, **found), refused


def _parse(name: str, text: str, layers: int, heads: int) -> str | int | tuple[int, ...]:
    if name in WORDS:
        if not WORD.fullmatch(text):
            raise ValueError
        return text
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise ValueError
        return text
    numbers = tuple(dict.fromkeys(map(_number, text.split(","))))
    most = {"layer": layers, "head": heads, "waves": max(NUMBERS["wave_width"]) // 2}.get(name)
    if most is not None and max(numbers) >= most:
        raise ValueError
    if name in ("head", "waves"):
        return tuple(sorted(numbers))
    if len(numbers) > 1 or numbers[0] not in NUMBERS.get(name, numbers):
        raise ValueError
    return numbers[0]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise ValueError
    return int(text)
