"""A Trace as a file that anything can read: .npz (NumPy, no pickle) or .json, the same names in both.

source.ids .pieces .words             the source; words: the word of each piece, -1 for special tokens
target.read .predicted                one piece per decoder row: what it read, what it predicts
target.read_ids .predicted_ids .read_words .predicted_words
translation.text .ids .log_probs      what decoding wrote; absent where the target was given
log_probs                             (T) of each predicted piece, in this replay
attention.K  scores.K  mask.K         (layers, heads, queries, keys), K = encoder | decoder | cross
query.K  key.K  value.K  mixed.K      (layers, heads, positions, head width)
stream.STACK.PATH                     (positions, width) at each hook path, STACK = encoder | decoder
top.ids  top.log_probs                (decoder layers, rows, 20): the logit lens
points.PATH                           any other hook point that was asked for by its path
edits  replay_only                    the edits that were made, as JSON; those that did not act in decoding
checks.name .passed .value .limit     the self-check; passed is 1, 0, or -1 where it does not apply

Scores are scaled and unmasked, so every number is finite; the mask lies beside them, True = may look.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from model.checkpoint import npz_bytes, write
from model.inspect.edits_json import to_json
from model.inspect.recorded import ATTENTION_POINTS
from model.inspect.trace import Trace
from model.network.kinds import KINDS

LARGEST = 1e30  # stands for infinity, which JSON cannot write


def to_arrays(trace: Trace) -> dict[str, np.ndarray]:
    """Every name of the list above with its array."""
    found: dict[str, Any] = {f"source.{name}": value for name, value in trace.source._asdict().items()}
    found |= {f"target.{name}": value for name, value in trace.target._asdict().items()}
    if trace.translation is not None:
        found |= {
            f"translation.{name}": getattr(trace.translation, name) for name in ("text", "ids", "log_probs")
        }
    found["log_probs"] = trace.log_probs
    for name in ATTENTION_POINTS:
        found |= {f"{name}.{kind}": array for kind, array in getattr(trace, name).items()}
    for stack, arrays in trace.stream.items():
        found |= {f"stream.{stack}.{path}": a for path, a in arrays.items() if a is not None}
    covered = _covered(trace)
    found |= {f"points.{path}": array for path, array in trace.points.items() if path not in covered}
    if trace.has_top:
        found |= {"top.ids": trace.top.ids, "top.log_probs": trace.top.log_probs}
    found["edits"], found["replay_only"] = to_json(trace.edits), to_json(trace.replay_only)
    names, passed, values, limits = zip(*trace.checks, strict=True)
    found |= {
        "checks.name": names,
        "checks.passed": [-1 if each is None else int(each) for each in passed],
        "checks.value": [0.0 if each is None else min(each, LARGEST) for each in values],
        "checks.limit": limits,
    }
    return {name: np.asarray(value) for name, value in found.items()}


def _covered(trace: Trace) -> set[str]:
    """The hook points that are in the file under another name: stacked with their layers, or in a stream."""
    stacked = {
        f"{KINDS[kind].format(layer)}.{point}"
        for name, point in ATTENTION_POINTS.items()
        for kind, array in getattr(trace, name).items()
        for layer in range(len(array))
    }
    return stacked.union(*trace.stream.values())


def save_trace(trace: Trace, path: Path) -> None:
    """Write the file that the path's suffix asks for."""
    check_suffix(path)
    arrays = to_arrays(trace)
    if path.suffix == ".npz":
        content = npz_bytes(arrays)
    else:
        data = {name: array.tolist() for name, array in arrays.items()}
        content = json.dumps(data, ensure_ascii=False, allow_nan=False).encode()
    write(path, content)


def check_suffix(path: Path) -> None:
    if path.suffix not in (".npz", ".json"):
        raise ValueError(f"a trace is written as .npz or .json, not {path.name!r}")
