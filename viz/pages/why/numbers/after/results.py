"""The paper's table 2: quality and training cost beside the models before it, and how cost is counted.

Vaswani and others 2017, arXiv:1706.03762, version 7: BLEU on newstest2014, cost in floating-point operations.
"""

from typing import NamedTuple

PAPER = "Vaswani et al. 2017, arXiv:1706.03762v7"
SAID_IN_TEXT = 41.0  # BLEU of the big model, English to French, in section 6.1; table and abstract say 41.8
SECONDS, TERA = 3600, 1e12


class Result(NamedTuple):
    """A row of the table for one pair of languages."""

    name: str
    kind: str  # transformer | single | ensemble
    bleu: float
    cost: float | None  # the table has none for some


class Training(NamedTuple):
    """What a Transformer's cost is the product of; section 5.2, and footnote 5 for the speed."""

    hours: float
    devices: int
    speed: float  # sustained operations a second of one device

    @property
    def cost(self) -> float:
        return self.hours * SECONDS * self.devices * self.speed


P100 = 9.5 * TERA  # single precision, as the paper estimates it
TRAININGS = {"base": Training(12, 8, P100), "big": Training(3.5 * 24, 8, P100)}
TABLE = {  # by the language that is translated into
    "de": (
        Result("ByteNet", "single", 23.75, None),
        Result("GNMT + RL", "single", 24.6, 2.3e19),
        Result("ConvS2S", "single", 25.16, 9.6e18),
        Result("MoE", "single", 26.03, 2.0e19),
        Result("GNMT + RL", "ensemble", 26.30, 1.8e20),
        Result("ConvS2S", "ensemble", 26.36, 7.7e19),
        Result("Transformer (base)", "transformer", 27.3, 3.3e18),
        Result("Transformer (big)", "transformer", 28.4, 2.3e19),
    ),
    "fr": (
        Result("Deep-Att + PosUnk", "single", 39.2, 1.0e20),
        Result("GNMT + RL", "single", 39.92, 1.4e20),
        Result("ConvS2S", "single", 40.46, 1.5e20),
        Result("MoE", "single", 40.56, 1.2e20),
        Result("Deep-Att + PosUnk", "ensemble", 40.4, 8.0e20),
        Result("GNMT + RL", "ensemble", 41.16, 1.1e21),
        Result("ConvS2S", "ensemble", 41.29, 1.2e21),
        Result("Transformer (base)", "transformer", 38.1, 3.3e18),
        Result("Transformer (big)", "transformer", 41.8, 2.3e19),
    ),
}


class Compared(NamedTuple):
    """The two Transformers, the best before them, and how many of those the small one beats."""

    big: Result
    base: Result
    single: Result  # the best single model before
    ensemble: Result  # the best ensemble before
    beaten: int
    before: int

    @property
    def cheaper(self) -> float:
        """How many times the big model's cost the best ensemble took."""
        return (self.ensemble.cost or 0.0) / (self.big.cost or 1.0)


def compared(into: str) -> Compared:
    by_kind = {
        kind: [each for each in TABLE[into] if each.kind == kind]
        for kind in ("transformer", "single", "ensemble")
    }
    base, big = sorted(by_kind["transformer"], key=lambda each: each.bleu)
    before = [*by_kind["single"], *by_kind["ensemble"]]
    best = {kind: max(by_kind[kind], key=lambda each: each.bleu) for kind in ("single", "ensemble")}
    beaten = sum(each.bleu < base.bleu for each in before)
    return Compared(big, base, best["single"], best["ensemble"], beaten, len(before))
