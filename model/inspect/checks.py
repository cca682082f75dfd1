"""Is this picture true? The self-check that every Trace carries.

Each check reads the arrays that will be drawn, not the code that made them.
"""

from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np

from model.inspect.metrics import masked_softmax
from model.inspect.recorded import Recorded
from model.network.config import START
from model.network.kinds import KINDS, sides


class Check(NamedTuple):
    name: str
    passed: bool | None  # None: does not apply, or what it needs was not kept
    value: float | None  # the worst that was found
    limit: float


def check_all(trace: Recorded) -> tuple[Check, ...]:
    found = {
        "eval_mode": (float(trace.training), 0.0),
        "rows_sum_to_one": (_rows(trace), 1e-5),
        "masked_cells_are_empty": (_masked(trace), 0.0),
        "scores_make_the_pattern": (_softmax(trace), 1e-5),
        "pattern_mixes_the_values": (_mixes(trace), 1e-4),
        "heads_recombine": (_recombine(trace), 1e-4),
        "replay_equals_decoding": (_replay(trace), 1e-4),
        "shapes_fit_labels": (_labels(trace), 0.0),
    }
    return tuple(
        Check(name, None if value is None else bool(value <= limit), value, limit)
        for name, (value, limit) in found.items()
    )


def _worst(values: list[np.ndarray]) -> float | None:
    """The largest; NaN counts as infinitely bad; None if there is nothing to look at."""
    if not values:
        return None
    worst = max((float(np.max(value, initial=0.0)) for value in values), default=0.0)
    return float("inf") if any(np.isnan(value).any() for value in values) else worst


def _distance(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """How far apart, relative to the size of the second; arrays that do not fit are infinitely far."""
    if first.shape != second.shape:
        return np.array(np.inf)
    return abs(first - second) / max(1.0, float(abs(second).max(initial=0.0)))


def _untouched(trace: Recorded, kind: str, point: str) -> bool:
    """Whether no edit put something else in the place of what the model computed there."""
    layers = range(trace.attention[kind].shape[0] if kind in trace.attention else 0)
    paths = [f"{KINDS[kind].format(layer)}.{point}" for layer in layers]
    patterns = [pattern for edit in trace.edits for pattern in edit.points]
    return not any(fnmatchcase(path, pattern) for path in paths for pattern in patterns)


def _rows(trace: Recorded) -> float | None:
    return _worst([abs(pattern.sum(-1, dtype=np.float64) - 1) for pattern in trace.attention.values()])


def _masked(trace: Recorded) -> float | None:
    pairs = [(trace.attention[kind], trace.mask[kind]) for kind in KINDS if _has(trace, kind, "mask")]
    if any(pattern.shape != mask.shape for pattern, mask in pairs):
        return float("inf")  # they cannot be laid over each other, so no cell is known to be empty
    return _worst([abs(pattern[~mask]) for pattern, mask in pairs])


def _has(trace: Recorded, kind: str, *fields: str) -> bool:
    return all(kind in getattr(trace, field) for field in ("attention", *fields))


def _softmax(trace: Recorded) -> float | None:
    """The pattern is the softmax of the scores that lie beside it."""
    errors = []
    for kind in KINDS:
        if not _has(trace, kind, "scores", "mask") or not _untouched(trace, kind, "pattern"):
            continue
        scores, mask = trace.scores[kind].astype(np.float64), trace.mask[kind]
        if scores.shape != mask.shape:
            errors.append(np.array(np.inf))
        else:
            errors.append(_distance(masked_softmax(scores, mask), trace.attention[kind]))
    return _worst(errors)


def _mixes(trace: Recorded) -> float | None:
    """Each head's weights times its values are what it hands to W_O."""
    errors = []
    for kind in KINDS:
        if _has(trace, kind, "value", "mixed") and _untouched(trace, kind, "mixed"):
            pattern, value = trace.attention[kind], trace.value[kind]
            fits = pattern.shape[-1] == value.shape[-2] and pattern.shape[:2] == value.shape[:2]
            errors.append(_distance(pattern @ value, trace.mixed[kind]) if fits else np.array(np.inf))
    return _worst(errors)


def _recombine(trace: Recorded) -> float | None:
    """Σ over heads of what each writes through W_O, plus its bias, against the sublayer's output."""
    errors = []
    for kind, heads in trace.head_output.items():
        paths = [f"{KINDS[kind].format(layer)}.output" for layer in range(len(heads))]
        if all(path in trace.points for path in paths) and _untouched(trace, kind, "output"):
            outputs = np.stack([trace.points[path] for path in paths])
            errors.append(_distance(heads.sum(1) + trace.output_bias(kind)[:, None], outputs))
    return _worst(errors)


def _replay(trace: Recorded) -> float | None:
    """The replay must give each decoded piece the log-probability that decoding recorded."""
    if trace.translation is None or trace.replay_only:
        return None
    recorded = np.array(trace.translation.log_probs)
    return _worst(
        [abs(trace.log_probs - recorded) if len(recorded) == len(trace.log_probs) else np.array(np.inf)]
    )


def _labels(trace: Recorded) -> float:
    """How many arrays do not have one row per querying label and one column per label looked at."""
    shapes = sides(len(trace.source.pieces), len(trace.target.read))  # queries, keys
    fits = [_target_fits(trace), len(trace.source.ids) == len(trace.source.pieces)]
    for kind, (queries, keys) in shapes.items():
        for arrays in (trace.attention, trace.scores, trace.mask):
            fits.append(kind not in arrays or arrays[kind].shape[-2:] == (queries, keys))
        for arrays, length in (
            (trace.query, queries), (trace.mixed, queries), (trace.key, keys), (trace.value, keys),
        ):  # fmt: skip
            fits.append(kind not in arrays or arrays[kind].shape[-2] == length)
    for stack, stream in trace.stream.items():
        fits += [len(array) == shapes[stack][0] for array in stream.values() if array is not None]
    return float(fits.count(False))


def _target_fits(trace: Recorded) -> bool:
    """Row i reads piece i and predicts piece i + 1: the shift that has misled so many pictures."""
    target, rows = trace.target, len(trace.target.read)
    shifted = target.read_ids[0] == START and target.read_ids[1:] == target.predicted_ids[:-1]
    return shifted and len(target.predicted) == rows and len(trace.log_probs) == rows
