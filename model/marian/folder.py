"""A Marian folder as it was written by others: read, checked, and refused by name where it does not fit."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.marian.weights import Weights, open_weights

CONFIG, VOCABULARY, TARGET_VOCABULARY, TOKENIZER, CARD = (
    "config.json", "vocab.json", "target_vocab.json", "tokenizer_config.json", "README.md",
)  # fmt: skip
SOURCE, TARGET = "source.spm", "target.spm"
LARGEST = {CONFIG: 1 << 20, TOKENIZER: 1 << 20, CARD: 1 << 24}  # bytes; a larger file is not what it says
USUAL_LARGEST = 1 << 26
MOST = {  # far beyond any model: what is larger is no shape but an attack
    "vocab_size": 2_000_000, "decoder_vocab_size": 2_000_000, "d_model": 16_384,
    "max_position_embeddings": 65_536,
    "encoder_layers": 200, "decoder_layers": 200, "encoder_ffn_dim": 131_072, "decoder_ffn_dim": 131_072,
    "encoder_attention_heads": 256, "decoder_attention_heads": 256,
}  # fmt: skip
DEFAULTS: dict[str, Any] = {  # of a MarianConfig, where config.json says nothing
    "max_position_embeddings": 1024, "activation_function": "gelu", "scale_embedding": False, "dropout": 0.1,
    "share_encoder_decoder_embeddings": True, "tie_word_embeddings": True, "static_position_embeddings": True,
    "normalize_before": False, "normalize_embedding": False, "add_final_layer_norm": False,
}  # fmt: skip
REASONS = {  # why models of other kinds do not fit
    "fsmt": "its embeddings and positions begin elsewhere",
    "bart": "its positions are learned, and its embeddings have a layer norm",
    "mbart": "its layer norms stand before the sublayers, and its positions are learned",
    "m2m_100": "its layer norms stand before the sublayers (NLLB and M2M100)",
    "pegasus": "its layer norms stand before the sublayers",
    "t5": "its positions are biases of the scores, and its norms have no mean",
    "mt5": "its positions are biases of the scores, and its norms have no mean",
}
UNLIKE = {  # switches of older folders that would make another network of it
    "static_position_embeddings": (True, "its positions are learned"),
    "normalize_before": (False, "its layer norms stand before the sublayers"),
    "normalize_embedding": (False, "its embeddings have a layer norm"),
    "add_final_layer_norm": (False, "its stacks end with another layer norm"),
}


@dataclass(frozen=True)
class Folder:
    """What lies in the folder; the numbers are still on the disk."""

    path: Path
    config: dict[str, Any]
    said: dict[str, Any]  # tokenizer_config.json
    source: bytes
    target: bytes
    vocabulary: dict[str, int]
    target_vocabulary: dict[str, int]
    weights: Weights
    taught: bool  # its card says that heads were trained to align words

    @property
    def shared(self) -> bool:
        """Whether both languages have one vocabulary."""
        return bool(self.config["share_encoder_decoder_embeddings"])


def read_folder(path: Path) -> Folder:
    """Every file that makes a model; what is missing, too large or of another kind is refused by name."""
    if not path.is_dir():
        raise ValueError(f"{path} is no folder")
    config = checked(DEFAULTS | _object(path / CONFIG), path / CONFIG)
    said = _object(path / TOKENIZER) if (path / TOKENIZER).is_file() else {}
    vocabulary = _vocabulary(path / VOCABULARY, config["vocab_size"])
    target = vocabulary
    if not config["share_encoder_decoder_embeddings"] and _has_own(path, said):
        target = _vocabulary(path / TARGET_VOCABULARY, config["decoder_vocab_size"])
    card = content(path / CARD).decode("utf-8", "ignore") if (path / CARD).is_file() else ""
    return Folder(
        path, config, said, content(path / SOURCE), content(path / TARGET), vocabulary, target,
        open_weights(path), "transformer-align" in card,
    )  # fmt: skip


def _has_own(path: Path, said: dict[str, Any]) -> bool:
    return bool(said.get("separate_vocabs")) or (path / TARGET_VOCABULARY).is_file()


def content(path: Path) -> bytes:
    """A file's bytes, if it is there and no larger than such a file is."""
    if not path.is_file():
        raise ValueError(f"{path} is missing")
    most = LARGEST.get(path.name, USUAL_LARGEST)
    if path.stat().st_size > most:
        raise ValueError(f"{path} has {path.stat().st_size:,} bytes; no such file has more than {most:,}")
    return path.read_bytes()


def _object(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(content(path).decode("utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise ValueError(f"{path} is not valid JSON") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path} is not a JSON object")
    return found


def checked(config: dict[str, Any], path: Path) -> dict[str, Any]:
    """The config of a Marian model that computes what a Transformer of ours can."""
    kind = config.get("model_type")
    if kind != "marian":
        reason = REASONS.get(str(kind), "only Marian models (OPUS-MT) are the Transformer of the paper")
        raise ValueError(f"{path} describes a {str(kind)[:40]!r} model, not Marian: {reason}")
    config.setdefault("decoder_vocab_size", None)
    if config["decoder_vocab_size"] is None:
        config["decoder_vocab_size"] = config.get("vocab_size")
    for name, most in MOST.items():
        value = config.get(name)
        if type(value) is not int or not 1 <= value <= most:
            raise ValueError(f"{path} has {name} {_short(value)}, not a whole number from 1 to {most:,}")
    for name in ("share_encoder_decoder_embeddings", "tie_word_embeddings", "scale_embedding"):
        if type(config[name]) is not bool:
            raise ValueError(f"{path} has {name} {_short(config[name])}, neither true nor false")
    for name, (needed, reason) in UNLIKE.items():
        if config[name] != needed:
            raise ValueError(f"{path} has {name} {_short(config[name])}: {reason}, and ours do not")
    for name in ("attention_heads", "ffn_dim"):
        one, other = config[f"encoder_{name}"], config[f"decoder_{name}"]
        if one != other:
            raise ValueError(f"{path} has {one} and {other} {name}: ours have the same in both stacks")
    _check_ids(config, path)
    return config


def _check_ids(config: dict[str, Any], path: Path) -> None:
    size = config["vocab_size" if config["share_encoder_decoder_embeddings"] else "decoder_vocab_size"]
    for name in ("pad_token_id", "eos_token_id", "decoder_start_token_id"):
        value = config.get(name)
        if type(value) is not int or not 0 <= value < size:
            raise ValueError(f"{path} has {name} {_short(value)}, which is none of its {size:,} pieces")
    if config["pad_token_id"] == config["eos_token_id"]:
        raise ValueError(f"{path} pads with the end of the sentence, so nobody knows where one ends")


def _vocabulary(path: Path, size: int) -> dict[str, int]:
    found = _object(path)
    if not all(type(id) is int and 0 <= id < size for id in found.values()):
        odd = next(piece for piece, id in found.items() if type(id) is not int or not 0 <= id < size)
        raise ValueError(
            f"{path} numbers {odd[:40]!r} {_short(found[odd])}, and {CONFIG} says {size:,} pieces; "
            "they belong to different models"
        )
    if len(set(found.values())) != len(found):
        raise ValueError(f"{path} gives two pieces one number")
    for piece in ("</s>", "<unk>"):
        if piece not in found:
            raise ValueError(f"{path} has no {piece}")
    return found


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
