"""The weights of a Marian folder: names and shapes first, numbers when they are asked for.

Nothing is allocated before its size is known to be what config.json asks for, and nothing is executed.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from model.marian.pickled import Pickled

SAFE, PICKLED = "model.safetensors", "pytorch_model.bin"
FLOATS = (torch.float32, torch.float16, torch.bfloat16, torch.float64)


class Weights(Protocol):
    """A file of named tensors."""

    path: Path

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]: ...

    def tensor(self, name: str) -> Tensor:
        """The numbers of one of them, in single precision."""


class Safe:
    """A safetensors file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with safe_open(path, framework="pt") as file:
                self.shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118
        except (SafetensorError, OSError) as error:
            raise ValueError(f"{path} is damaged: {error}") from None

    def tensor(self, name: str) -> Tensor:
        with safe_open(self.path, framework="pt") as file:
            return _single(file.get_tensor(name), self.path, name)


class Unpickled:
    """A `pytorch_model.bin`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._pickled = Pickled(path)
        except ValueError as error:
            raise ValueError(f"{path} {error}") from None
        self.shapes: Mapping[str, tuple[int, ...]] = {
            name: each.shape for name, each in self._pickled.tensors.items()
        }

    def tensor(self, name: str) -> Tensor:
        try:
            return _single(self._pickled.tensor(name), self.path, name)
        except ValueError as error:
            raise ValueError(f"{self.path} {error}") from None


def open_weights(folder: Path) -> Weights:
    """The safetensors file if there is one, else the pickle."""
    if (folder / SAFE).is_file():
        return Safe(folder / SAFE)
    if (folder / PICKLED).is_file():
        return Unpickled(folder / PICKLED)
    if (folder / f"{SAFE}.index.json").is_file() or (folder / f"{PICKLED}.index.json").is_file():
        raise ValueError(f"{folder} has its weights in several files; save the model as one {SAFE}")
    raise ValueError(f"{folder / SAFE} is missing, and so is {PICKLED}")


def _single(tensor: Tensor, path: Path, name: str) -> Tensor:
    if tensor.dtype not in FLOATS:
        raise ValueError(f"{path} has {name} as {str(tensor.dtype).removeprefix('torch.')}, not as weights")
    found = tensor.float()
    if found.isnan().any():
        raise ValueError(f"{path} is damaged: {name} holds what is no number")
    return found
