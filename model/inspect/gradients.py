"""The gradient of the loss in the stream at every height: as the model is, or with parts left out.

Only the gradient at recorded tensors is asked for, so nothing is left on the parameters that all callers
share.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from model.inspect.edits import SUBLAYERS, Edit, Skip
from model.network.batches import read_ids
from model.network.hooks import hook_points, watch
from model.network.transformer import Transformer

WITHOUT = {  # what is left out everywhere, under the name of its curve
    "trained": (),
    "no_residual": ("residual",),
    "no_norm": ("norm",),
    "neither": ("residual", "norm"),
}
HEIGHTS = ("*.embedding.sum", *(f"*.{after}" for after in dict.fromkeys(SUBLAYERS.values())))


def stream_gradients(
    model: Transformer, source: Sequence[int], target: Sequence[int], edits: Sequence[Edit] = ()
) -> dict[str, np.ndarray]:
    """∂loss/∂x at each height of both stacks, (positions, D); loss = -Σ log p(target), teacher-forced."""
    # Other runs are in inference mode, which keeps nothing for a backward pass; here one is needed.
    with torch.inference_mode(False), torch.enable_grad():
        ids = (torch.tensor([ids], device=model.device) for ids in (source, read_ids(target)))
        with watch(HEIGHTS, edits) as seen:
            logits = model(*ids)
        wanted = torch.tensor(target, device=model.device)[:, None]
        loss = -logits[0].log_softmax(-1).gather(-1, wanted).sum()
        streams = {path: tensors[0] for path, tensors in seen.items()}
        found = torch.autograd.grad(loss, list(streams.values()))
    return {path: gradient[0].cpu().numpy() for path, gradient in zip(streams, found, strict=True)}


def leave_out(model: Transformer, parts: Sequence[str]) -> list[Skip]:
    """The same part of every sublayer: "residual", "norm"."""
    sublayers = [path.removesuffix(".residual") for path in hook_points(model) if path.endswith(".residual")]
    return [Skip(where, part) for where in sublayers for part in parts]


def gradient_norms(
    model: Transformer, source: Sequence[int], target: Sequence[int]
) -> Mapping[str, Mapping[str, np.ndarray]]:
    """The length of each position's gradient at each height: {way of WITHOUT: {path: (positions)}}."""
    return {
        way: {
            path: np.linalg.norm(gradient.astype(np.float64), axis=-1)
            for path, gradient in stream_gradients(model, source, target, leave_out(model, parts)).items()
        }
        for way, parts in WITHOUT.items()
    }
