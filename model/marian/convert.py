"""A Marian folder as a checkpoint of ours: the same numbers in another order."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model import checkpoint
from model.marian.folder import CONFIG, Folder, read_folder
from model.marian.names import BIAS, POSITIONS, SHARED, TABLES, layer_weights, reordered, to_marian, to_ours
from model.marian.vocabulary import Rows, renumber
from model.network.config import START, Config
from model.network.positions import sinusoids
from model.text.tokenizer import Tokenizer

ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "swish": "swish", "silu": "swish"}
SHORT = {  # of the codes with three letters that Marian's files have, those that people write with two
    "eng": "en", "fra": "fr", "fre": "fr", "kor": "ko", "deu": "de", "ger": "de", "spa": "es", "ita": "it",
    "por": "pt", "jpn": "ja", "zho": "zh", "rus": "ru", "nld": "nl", "pol": "pl", "tur": "tr", "ara": "ar",
    "swe": "sv", "fin": "fi", "dan": "da", "ces": "cs", "ukr": "uk", "vie": "vi", "hin": "hi", "ind": "id",
}  # fmt: skip
NEAR = 2e-3  # how far half precision may have moved a sine


@dataclass(frozen=True)
class Converted:
    """What became of a folder, before it is written."""

    config: Config
    tokenizer: Tokenizer
    weights: dict[str, Tensor]  # in half precision where that loses nothing


def convert(
    folder: Path, out: Path, source: str | None = None, target: str | None = None, to: str = "",
    taught: bool | None = None,
) -> Converted:  # fmt: skip
    """Write the checkpoint. Languages and teaching are what the folder says, unless the caller knows better.

    `to` is the language that a model of several is asked for, as its vocabulary has it: "fra".
    """
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]):
        raise ValueError(f"{out} is not empty; choose another folder")
    found = read_folder(folder)
    bias = _stored_bias(found)
    tokenizer, rows = renumber(found, to, set(bias.isneginf().nonzero().flatten().tolist()))
    made = _converted(found, tokenizer, rows, bias, _languages(found, source, target, to), taught)
    checkpoint.put(out, made.config, made.tokenizer, made.weights)
    return made


def _languages(folder: Folder, source: str | None, target: str | None, to: str) -> tuple[str, str]:
    said = [folder.said.get(name) for name in ("source_lang", "target_lang")]
    found = [
        asked or (code if isinstance(code, str) and 0 < len(code) <= 12 else None)
        for asked, code in zip((source, target or to), said, strict=True)
    ]
    if None in found:
        raise ValueError(
            f"{folder.path} does not say its languages; give --source and --target, as en and fr"
        )
    read, written = (SHORT.get(str(code), str(code)) for code in found)
    return read, written


def _converted(
    folder: Folder, tokenizer: Tokenizer, rows: Rows, stored: Tensor, languages: tuple[str, str],
    taught: bool | None,
) -> Converted:  # fmt: skip
    tied = _tied(folder)
    ours = _config(folder, len(tokenizer), languages, tied, folder.taught if taught is None else taught)
    _check(folder, ours)
    order, weights = to_ours(ours.width), {}
    for each in layer_weights(ours):
        weights[each.ours] = reordered(folder.weights.tensor(each.marian), each.axes, order)
    sides = {"source": rows.source, "target": rows.target, "output": rows.target}
    for side in _stored(ours):
        table = folder.weights.tensor(_table(folder, side))
        weights[TABLES[side][0]] = _chosen(reordered(table, (1,), order), sides[side], 0.0)
    bias = _chosen(stored, rows.target, -torch.inf)  # what Marian has no piece for is never written
    if not rows.start:
        bias[START] = -torch.inf
    if bias.any():
        weights["vocabulary_bias"] = bias
    else:
        ours = replace(ours, output_bias=False)
    _check_positions(folder, ours)
    return Converted(ours, tokenizer, {name: _small(weight) for name, weight in weights.items()})


def _config(
    folder: Folder, vocabulary: int, languages: tuple[str, str], tied: tuple[bool, bool], taught: bool
) -> Config:
    config: dict[str, Any] = folder.config
    activation = config["activation_function"]
    if activation not in ACTIVATIONS:
        raise ValueError(
            f"{folder.path / CONFIG} has activation_function {str(activation)[:40]!r}; "
            f"ours are {', '.join(dict.fromkeys(ACTIVATIONS.values()))}"
        )
    deep, high = config["encoder_layers"], config["decoder_layers"]
    try:
        return Config(
            vocabulary=vocabulary, width=config["d_model"], heads=config["encoder_attention_heads"],
            layers=deep, hidden=config["encoder_ffn_dim"], dropout=config["dropout"],
            activation=ACTIVATIONS[activation], tied=tied[0], length=config["max_position_embeddings"],
            source=languages[0], target=languages[1], decoder_layers=None if high == deep else high,
            tied_output=tied[1], scaled=config["scale_embedding"], output_bias=True, taught=taught,
        )  # fmt: skip
    except (ValueError, TypeError) as error:
        raise ValueError(f"{folder.path / CONFIG}: {error}") from None


def _tied(folder: Folder) -> tuple[bool, bool]:
    """Whether all three embeddings are one matrix, and if not, whether the decoder's two are."""
    if folder.config["tie_word_embeddings"]:
        return folder.shared, not folder.shared
    return False, False


def _stored(config: Config) -> tuple[str, ...]:
    """The embedding matrices that are not another one by another name: one has the first of its names."""
    return ("source",) if config.tied else ("source", "target") if config.tied_output else tuple(TABLES)


def _table(folder: Folder, side: str) -> str:
    """Which tensor holds this matrix; one that is shared is stored under any of its names."""
    name, config = TABLES[side][1], folder.config
    shapes = folder.weights.shapes
    names = [name]
    if config["tie_word_embeddings"]:
        names = [SHARED, *(each for _, each in TABLES.values())] if folder.shared else [name]
        if not folder.shared and side == "target":
            names.append(TABLES["output"][1])
    elif side != "output" and folder.shared:
        names.append(SHARED)
    found = next((each for each in names if each in shapes), None)
    if found is None:
        raise ValueError(f"{folder.weights.path} has no {names[0]}, which {CONFIG} asks for")
    return found


def _check(folder: Folder, config: Config) -> None:
    """Every tensor is there, of its shape, and no other: before any of it is read."""
    shapes, path = dict(folder.weights.shapes), folder.weights.path
    needed = {each.marian: each.shape for each in layer_weights(config)}
    for side in _stored(config):
        size = folder.config["vocab_size" if folder.shared or side == "source" else "decoder_vocab_size"]
        needed[_table(folder, side)] = (size, config.width)
    for name, shape in needed.items():
        if name not in shapes:
            raise ValueError(f"{path} has no {name}, which {CONFIG} asks for")
        if shapes[name] != shape:
            raise ValueError(f"{path} has {name} as {shapes[name]}, and {CONFIG} asks for {shape}")
    known = {*needed, BIAS, SHARED, *POSITIONS, *(marian for _, marian in TABLES.values())}
    if odd := sorted(shapes.keys() - known):
        raise ValueError(f"{path} has {odd[0][:80]}, which no Marian model of {CONFIG}'s shape has")
    _check_copies(folder, needed)


def _check_copies(folder: Folder, needed: dict[str, tuple[int, ...]]) -> None:
    """A matrix that is stored under several names has to be one matrix."""
    if not folder.config["tie_word_embeddings"]:
        return
    copies = [
        name for name in (SHARED, *(each for _, each in TABLES.values())) if name in folder.weights.shapes
    ]
    for name in copies:
        side = next((side for side, both in TABLES.items() if both[1] == name), "source")
        one = _table(folder, side if folder.shared or side == "source" else "target")
        if name != one and (
            folder.weights.shapes[name] != needed[one]
            or not torch.equal(folder.weights.tensor(name), folder.weights.tensor(one))
        ):
            raise ValueError(f"{folder.weights.path} has {name} unlike {one}, and {CONFIG} says they are one")


def _chosen(table: Tensor, rows: Tensor, nothing: float) -> Tensor:
    """The rows of a matrix in our order; what this side has no piece for is `nothing`."""
    found = table[rows.clamp_min(0)]
    found[rows < 0] = nothing
    return found


def _stored_bias(folder: Folder) -> Tensor:
    """What Marian adds to each of its logits."""
    size = folder.config["vocab_size" if folder.shared else "decoder_vocab_size"]
    shape = folder.weights.shapes.get(BIAS)
    if shape is None:
        return torch.zeros(size)
    if shape not in ((1, size), (size,)):
        raise ValueError(f"{folder.weights.path} has {BIAS} as {shape}, and {CONFIG} asks for {(1, size)}")
    return folder.weights.tensor(BIAS).flatten()


def _check_positions(folder: Folder, config: Config) -> None:
    """Stored positions, if there are any, are the waves that ours compute."""
    for name in POSITIONS:
        if (shape := folder.weights.shapes.get(name)) is None:
            continue
        if len(shape) != 2 or shape[1] != config.width or shape[0] > 65_536:
            raise ValueError(f"{folder.weights.path} has {name} as {shape}")
        waves = sinusoids(torch.arange(shape[0]), config.width)[:, to_marian(config.width)]
        if (folder.weights.tensor(name) - waves).abs().max() > NEAR:
            raise ValueError(f"{folder.weights.path} has {name} that are no sinusoids: they were learned")


def _small(weight: Tensor) -> Tensor:
    half = weight.half()
    return half if torch.equal(half.float(), weight) else weight
