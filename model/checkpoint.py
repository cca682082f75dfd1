"""A trained model as a folder: config.json, weights.safetensors, tokenizer.model, SHA256SUMS.

Beside them may lie film.npz, log.jsonl, atlas.json, atlas-grammar.json, stories.json, searches.json and
card.md. Weights are stored in half precision and used in single precision; what half precision cannot hold
of others' models is stored as it came. What does not fit together is refused by the name of the file.
"""

import hashlib
import io
import os
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from safetensors.torch import save as to_bytes
from torch import nn

from model.network.architectures import network
from model.network.config import Config
from model.network.seq2seq import Seq2Seq
from model.network.transformer import Transformer
from model.text.marian import open_tokenizer
from model.text.tokenizer import Tokenizer

Made = TypeVar("Made")
SHIPPED = Path(__file__).parent / "checkpoints"
_seeding = threading.Lock()  # torch has one random generator for all threads: one seeds at a time
CONFIG, WEIGHTS, TOKENIZER, SUMS = (
    "config.json", "weights.safetensors", "tokenizer.model", "SHA256SUMS",
)  # fmt: skip

ATLASES = {"hand": "atlas.json", "grammar": "atlas-grammar.json"}  # by the sentences they are measured on
STORIES = "stories.json"  # experiments worth showing
SEARCHES = "searches.json"  # what other ways to search bring


def find(name: str | Path) -> Path:
    """The folder of a shipped checkpoint's name, or the folder itself."""
    for folder in (SHIPPED / name, Path(name)):
        if folder.is_dir():
            return folder
    shipped = ", ".join(sorted(str(each.parent.relative_to(SHIPPED)) for each in SHIPPED.rglob(CONFIG)))
    raise ValueError(f"no checkpoint {str(name)!r}: neither a folder nor a shipped one ({shipped})")


def save(folder: Path, model: Seq2Seq, tokenizer: Tokenizer) -> None:
    """Write the three files that make a model, then the sums of all that lies in the folder."""
    weights = {name: weight.detach().half().cpu() for name, weight in model.named_parameters()}
    put(folder, model.config, tokenizer, weights)


def put(folder: Path, config: Config, tokenizer: Tokenizer, weights: Mapping[str, torch.Tensor]) -> None:
    """The same of weights that are no network yet, as precise as they are given."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / CONFIG, config.to_json().encode())
    write(folder / TOKENIZER, tokenizer.model)
    write(folder / WEIGHTS, to_bytes(dict(weights)))
    seal(folder)


def seal(folder: Path) -> None:
    """Note the SHA-256 of every file, in the format of sha256sum."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    lines = (f"{_digest(path)}  {path.name}\n" for path in files if path.suffix != ".partial")
    write(folder / SUMS, "".join(lines).encode())


def load(name: str | Path) -> tuple[Transformer, Tokenizer]:
    """Read and check a Transformer's checkpoint; the model comes in eval mode, in single precision."""
    model, tokenizer = load_any(name)
    if not isinstance(model, Transformer):
        raise ValueError(f"{find(name)} is a {model.config.architecture} network; this needs a Transformer")
    return model, tokenizer


def load_any(name: str | Path) -> tuple[Seq2Seq, Tokenizer]:
    """The same of any architecture."""
    folder = find(name)
    verify(folder)
    config = _read_config(folder)
    try:
        tokenizer = open_tokenizer((folder / TOKENIZER).read_bytes())
    except ValueError as error:
        raise ValueError(f"{folder / TOKENIZER}: {error}") from None
    if len(tokenizer) != config.vocabulary:
        raise ValueError(
            f"{folder / TOKENIZER} has {len(tokenizer)} pieces and {CONFIG} says {config.vocabulary}; "
            "they belong to different checkpoints"
        )
    model = untrained_any(config)
    fill(model, folder / WEIGHTS)
    return model, tokenizer


def untrained(config: Config, seed: int = 0) -> Transformer:
    """A Transformer of this shape with seeded random weights, in eval mode."""
    model = untrained_any(config, seed)
    if not isinstance(model, Transformer):
        raise ValueError(f"this needs a Transformer, not a {config.architecture} network")
    return model


def untrained_any(config: Config, seed: int = 0) -> Seq2Seq:
    """The same of any architecture."""
    return seeded(lambda: network(config), seed).eval()


def seeded(make: Callable[[], Made], seed: int) -> Made:
    """What `make` makes with random numbers of this seed; nobody else's random numbers change."""
    with _seeding, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return make()


def write(path: Path, content: bytes) -> None:
    """All or nothing: a reader, or a crash, never meets half a file."""
    partial = path.with_name(f"{path.name}.partial")
    with open(partial, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(path)


def npz_bytes(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Named arrays as the content of a compressed .npz file."""
    file = io.BytesIO()
    # NumPy's own stub takes any keyword for its flag `allow_pickle`.
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def _digest(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify(folder: Path) -> None:
    """Refuse a folder that lacks a file, or holds one that is not what the sums say."""
    for name in (SUMS, CONFIG, WEIGHTS, TOKENIZER):
        if not (folder / name).is_file():
            raise ValueError(f"{folder / name} is missing; the checkpoint is incomplete")
    lines = (folder / SUMS).read_text("utf-8", errors="replace").splitlines()
    sums = {name.strip(): digest for digest, _, name in (line.partition(" ") for line in lines)}
    for name in (CONFIG, WEIGHTS, TOKENIZER):
        if name not in sums:
            raise ValueError(f"{folder / SUMS} does not list {name}; the checkpoint is incomplete")
    for name, digest in sums.items():
        if Path(name).name != name:
            raise ValueError(f"{folder / SUMS} lists {name!r}, which is no file of this folder")
        if not (folder / name).is_file():
            raise ValueError(f"{folder / name} is missing; the checkpoint is incomplete")
        if _digest(folder / name) != digest:
            raise ValueError(
                f"{folder / name} is damaged or of another checkpoint: its SHA-256 is not the one in {SUMS}"
            )


def _read_config(folder: Path) -> Config:
    try:
        return Config.from_json((folder / CONFIG).read_text("utf-8"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{folder / CONFIG}: {error}") from None


def fill(model: nn.Module, path: Path) -> None:
    """Put stored weights into a model of exactly their names and shapes."""
    try:
        weights = load_file(path)
    except (SafetensorError, OSError) as error:
        raise ValueError(f"{path} is damaged: {error}") from None
    parameters = dict(model.named_parameters())
    if odd := sorted(parameters.keys() ^ weights.keys()):
        raise ValueError(f"{path} does not fit {CONFIG}: {odd[0]} is in only one of them")
    for name, parameter in parameters.items():
        if weights[name].shape != parameter.shape:
            raise ValueError(
                f"{path} does not fit {CONFIG}: {name} is {tuple(weights[name].shape)}, "
                f"not {tuple(parameter.shape)}"
            )
        parameter.data.copy_(weights[name])
