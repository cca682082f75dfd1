"""A finished translation run once more under capture: teacher-forced, in one pass.

Shapes   L layers · H heads · Q queries · K keys
"""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np
import torch
from torch import Tensor

from model.decoding.search import Hypothesis
from model.inspect.edits import Edit
from model.inspect.recorded import ATTENTION_POINTS, frozen, sealed
from model.inspect.target import Target
from model.inspect.trace import Trace
from model.network.batches import read_ids
from model.network.config import Config
from model.network.hooks import fits, watch
from model.network.kinds import KINDS, STACKS, sides
from model.network.transformer import Transformer
from model.text.tokenizer import Tokenizer, Tokens

STREAM_POINTS = (
    "embedding.[!i]*",  # all but `index`; one pattern, because rotary positions add nothing to see
    "layers.*.output",
    "layers.*.hidden",
    "layers.*.after_*",
)
FIELDS = {name: (f"*_attention.{point}",) for name, point in ATTENTION_POINTS.items()} | {
    "head_output": ("*_attention.mixed",),
    "top": ("decoder.layers.*.after_feed_forward",),
    "stream": tuple(f"{stack}.{point}" for stack in STACKS for point in STREAM_POINTS),
}
WITHOUT_BATCH = ("embedding.positions", "embedding.index")  # the same for every sentence of a batch


@torch.inference_mode()
def replay(
    model: Transformer,
    tokenizer: Tokenizer,
    source: Tokens,
    target_ids: Sequence[int],
    translation: Hypothesis | None = None,
    edits: Sequence[Edit] = (),
    keep: Sequence[str] | None = None,
) -> Trace:
    """Run the model once over source and target, teacher-forced, and keep what passes.

    Takes ids, never text: other pieces could spell the same words. `keep` holds names of a Trace's
    fields ("attention", "stream") or hook paths and patterns of them; None keeps all fields.
    """
    read = read_ids(target_ids)
    with watch(_asked(keep), edits) as seen:
        logits = model(*(torch.tensor([ids], device=model.device) for ids in (source.ids, read)))
    points = {path: _array(path, tensors[0]) for path, tensors in seen.items()}
    log_probs = logits[0].log_softmax(-1).cpu().gather(-1, torch.tensor(target_ids)[:, None])[:, 0]
    shapes = sides(len(source.ids), len(read))
    by_kind = {
        name: _by_kind(points, point, model.config, shapes) for name, point in ATTENTION_POINTS.items()
    }
    return Trace(
        source=source,
        target=Target.of(tokenizer.tokens(read), tokenizer.tokens(target_ids)),
        translation=translation,
        edits=tuple(edits),
        replay_only=tuple(edit for edit in edits if not edit.decodes),
        log_probs=frozen(log_probs.numpy()),
        points=sealed(points),
        stream=sealed({stack: _stream(points, stack) for stack in STACKS}),
        training=any(module.training for module in model.modules()),
        _model=model,
        **by_kind,
    )


def _asked(keep: Sequence[str] | None) -> tuple[str, ...]:
    keep = tuple(FIELDS) if keep is None else keep
    for name in keep:
        if "." not in name and "*" not in name and name not in (*FIELDS, "logits"):
            near = get_close_matches(name, FIELDS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(FIELDS)}, and hook paths"
            raise LookupError(f"a trace has no {name!r}; {hint}")
    return tuple(pattern for name in keep for pattern in FIELDS.get(name, (name,)))


def _array(path: str, tensor: Tensor) -> np.ndarray:
    return frozen((tensor if path.endswith(WITHOUT_BATCH) else tensor[0]).cpu().numpy())


def _by_kind(
    points: dict[str, np.ndarray], point: str, config: Config, shapes: Mapping[str, tuple[int, int]]
) -> Mapping[str, np.ndarray]:
    """Stack the layers of each kind that was kept whole; `points` then show the same memory."""
    stacked = {}
    for kind, where in KINDS.items():
        paths = [f"{where.format(layer)}.{point}" for layer in range(config.depth(kind))]
        if not all(path in points for path in paths):
            continue
        arrays = np.stack([points[path] for path in paths])
        if point == "mask":  # stored once for all heads, and once for rows that see the same
            arrays = np.broadcast_to(arrays, (config.depth(kind), config.heads, *shapes[kind]))
        stacked[kind] = frozen(arrays)
        points.update(zip(paths, stacked[kind], strict=True))
    return sealed(stacked)


def _stream(points: Mapping[str, np.ndarray], stack: str) -> Mapping[str, np.ndarray]:
    kept: dict[str, Any] = {
        path: array for path, array in points.items()
        if any(fits(path, f"{stack}.{pattern}") for pattern in STREAM_POINTS)
    }  # fmt: skip
    if f"{stack}.embedding.sum" in kept:  # rotary or no positions: nothing is added to the embedding
        kept.setdefault(f"{stack}.embedding.positions", None)
    return sealed(kept)
