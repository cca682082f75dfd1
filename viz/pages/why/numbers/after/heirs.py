"""What came of the Transformer: which parts of the paper's figure 1 each heir keeps, and which it changes."""

from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import NamedTuple, Protocol

# The parts of figure 1, and the weights of our own model that belong to each.
WEIGHTS = {
    "encoder.embedding": ("encoder.embedding.*",),
    "encoder.positions": (),
    "encoder.attention": ("encoder.layers.*.self_attention.*", "encoder.layers.*.attention_norm.*"),
    "encoder.feed_forward": ("encoder.layers.*.feed_forward.*", "encoder.layers.*.feed_forward_norm.*"),
    "decoder.embedding": ("decoder.embedding.*",),
    "decoder.positions": (),
    "decoder.attention": ("decoder.layers.*.self_attention.*", "decoder.layers.*.attention_norm.*"),
    "decoder.cross": ("decoder.layers.*.cross_attention.*", "decoder.layers.*.cross_norm.*"),
    "decoder.feed_forward": ("decoder.layers.*.feed_forward.*", "decoder.layers.*.feed_forward_norm.*"),
    "output": ("to_vocabulary.*",),
}
PARTS = tuple(WEIGHTS)
ENCODER, DECODER = (
    tuple(part for part in PARTS if part.startswith(f"{stack}.")) for stack in ("encoder", "decoder")
)


class Heir(NamedTuple):
    """A model that is made of parts of the Transformer."""

    title: str
    source: str
    year: int
    kept: frozenset[str]
    changed: Mapping[str, str]  # part: what stands in its place
    causal: frozenset[str]  # attention that sees only what came before
    ways: tuple[str, ...]  # where in this app its parts are seen

    def state(self, part: str) -> str:
        if part in self.changed:
            return "changed"
        return "kept" if part in self.kept else "gone"


def _heir(
    title: str, source: str, year: int, parts: Iterable[str], changed: Mapping[str, str],
    ways: tuple[str, ...],
) -> Heir:  # fmt: skip
    kept = frozenset(parts) - set(changed)
    return Heir(title, source, year, kept, changed, kept & {"decoder.attention"}, ways)


HEIRS = {
    "transformer": _heir(
        "Transformer", "Vaswani et al. 2017, arXiv:1706.03762", 2017,
        PARTS, {}, ("whole", "cross", "decoding"),
    ),
    "gpt": _heir(
        "GPT", "Radford et al. 2018, Improving Language Understanding…", 2018,
        {*DECODER, "output"} - {"decoder.cross"}, {"decoder.positions": "learned"},
        ("decoder", "decoding", "kinds"),
    ),
    "bert": _heir(
        "BERT", "Devlin et al. 2018, arXiv:1810.04805", 2018,
        {*ENCODER, "output"}, {"encoder.positions": "learned", "output": "hidden"},
        ("encoder", "kinds"),
    ),
    "t5": _heir(
        "T5", "Raffel et al. 2019, arXiv:1910.10683", 2019,
        PARTS, {"encoder.positions": "relative", "decoder.positions": "relative"},
        ("cross", "kinds", "memory"),
    ),
    "vit": _heir(
        "ViT", "Dosovitskiy et al. 2020, arXiv:2010.11929", 2020,
        {*ENCODER, "output"},
        {"encoder.embedding": "patches", "encoder.positions": "learned", "output": "classes"},
        ("encoder", "kinds"),
    ),
}  # fmt: skip


class Weight(Protocol):
    """A parameter, of which only the size counts."""

    def numel(self) -> int: ...


class Share(NamedTuple):
    """How many weights of our own model would stay, were it cut to the same parts."""

    kept: int
    all: int


def share(weights: Iterable[tuple[str, Weight]], kept: Collection[str]) -> Share:
    """Names with their weights; a matrix that several parts share stays as long as one of them does."""
    found: dict[int, tuple[int, bool]] = {}
    for name, weight in weights:
        stays = any(fnmatchcase(name, rule) for part in kept for rule in WEIGHTS[part])
        _, stayed = found.get(id(weight), (0, False))
        found[id(weight)] = weight.numel(), stays or stayed
    sizes = found.values()
    return Share(sum(size for size, stays in sizes if stays), sum(size for size, _ in sizes))
