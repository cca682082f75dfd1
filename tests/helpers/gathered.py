"""Sums of invented scores, for tests of intervals and roles."""

import numpy as np

from model.atlas.sums import Sums, Tally

HEADS, EACH = 3, 4


def sums_of(scores, name="encoder.previous", baselines=None) -> Sums:
    """One tally a sentence: the share that each head scored of EACH rows, (sentences, HEADS)."""
    found = Sums()
    for number, row in enumerate(np.asarray(scores)):
        rules = {
            rule: EACH * value[number % 2] for rule, value in (baselines or {"even": (0.2, 0.2)}).items()
        }
        found.add(number, {name: Tally(EACH * row, EACH, rules)})
    return found


def level(*shares, sentences=80, noise=0.05):
    rng = np.random.default_rng(0)
    return np.clip(np.array(shares) + noise * rng.standard_normal((sentences, HEADS)), 0, 1)
