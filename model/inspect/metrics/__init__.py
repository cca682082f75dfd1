"""What can be read off a run: arrays in, arrays or named tuples of them out, in the same precision."""

from model.inspect.metrics.heads import max_heads, mean_heads, norm_weighted, rollout
from model.inspect.metrics.readings import READINGS, Reading, reading
from model.inspect.metrics.rows import (
    Entropy,
    entropy,
    masked_softmax,
    mean_distance,
    offset_mass,
    softmax_gradient,
)
from model.inspect.metrics.scores import ScoreTerms, score_terms
from model.inspect.metrics.words import (
    SPECIAL,
    Merged,
    Visible,
    merge_words,
    special_mass,
    without_special,
)

__all__ = [
    "READINGS", "SPECIAL", "Entropy", "Merged", "Reading", "ScoreTerms", "Visible", "entropy",
    "masked_softmax", "max_heads", "mean_distance", "mean_heads", "merge_words", "norm_weighted",
    "offset_mass", "reading", "rollout", "score_terms", "softmax_gradient", "special_mass", "without_special",
]  # fmt: skip
