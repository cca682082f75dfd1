"""Is this picture true? The self-check that every Trace carries.

Each check reads the arrays that will be drawn, not the code that made them.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from model.trace import Trace


class Check(NamedTuple):
    name: str
    passed: bool | None  # None: does not apply, or what it needs was not kept
    value: float | None  # the worst that was found
    limit: float


def check_all(trace: Trace) -> tuple[Check, ...]:
    found = {
        "eval_mode": (float(trace.training), 0.0),
        "rows_sum_to_one": (_rows(trace), 1e-5),
        "masked_cells_are_empty": (_masked(trace), 0.0),
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


def _rows(trace: Trace) -> float | None:
    return _worst([abs(pattern.sum(-1, dtype=np.float64) - 1) for pattern in trace.attention.values()])


def _masked(trace: Trace) -> float | None:
    pairs = [(trace.attention[k], trace.mask[k]) for k in trace.attention.keys() & trace.mask.keys()]
    if any(pattern.shape != mask.shape for pattern, mask in pairs):
        return float("inf")  # they cannot be laid over each other, so no cell is known to be empty
    return _worst([abs(pattern[~mask]) for pattern, mask in pairs])


def _recombine(trace: Trace) -> float | None:
    """Σ over heads of what each writes through W_O, plus its bias, against the sublayer's output."""
    errors = []
    for kind, heads in trace.head_output.items():
        outputs = _outputs(trace, kind, len(heads))
        if outputs is not None:
            total = heads.sum(1) + trace.output_bias(kind)[:, None]
            errors.append(abs(total - outputs) / max(1.0, abs(outputs).max()))
    return _worst(errors)


def _outputs(trace: Trace, kind: str, layers: int) -> np.ndarray | None:
    stack = "encoder" if kind == "encoder" else "decoder"
    sublayer = "cross" if kind == "cross" else "self"
    paths = [f"{stack}.layers.{layer}.{sublayer}_attention.output" for layer in range(layers)]
    if any(path not in trace.points for path in paths) or _rewritten(trace, paths):
        return None
    return np.stack([trace.points[path] for path in paths])


def _rewritten(trace: Trace, paths: list[str]) -> bool:
    """Whether an edit put something else in the place of a sublayer's output."""
    patterns = [pattern for edit in trace.edits for pattern in edit.points]
    return any(fnmatchcase(path, pattern) for path in paths for pattern in patterns)


def _replay(trace: Trace) -> float | None:
    """The replay must give each decoded piece the log-probability that decoding recorded."""
    if trace.translation is None or trace.replay_only:
        return None
    return _worst([abs(trace.log_probs - np.array(trace.translation.log_probs))])


def _labels(trace: Trace) -> float:
    """How many arrays do not have one row a querying label and one column a label looked at."""
    source, target = len(trace.source.pieces), len(trace.target.read)
    sizes = {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}
    wrong = sum(
        trace_field[kind].shape[-2:] != sizes[kind]
        for trace_field in (trace.attention, trace.scores, trace.mask)
        for kind in trace_field
    )
    wrong += sum(
        len(array) != {"encoder": source, "decoder": target}[stack]
        for stack, arrays in trace.stream.items()
        for array in arrays.values()
        if array is not None
    )
    wrong += len(trace.target.read) != len(trace.target.predicted) or len(trace.source.ids) != source
    return float(wrong)
