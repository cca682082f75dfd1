"""A checkpoint of ours as a folder that `transformers` loads: MarianMTModel and MarianTokenizer.

Numbers of pieces stay as they are; the start token is one of them, and padding begins nothing.
"""

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save as to_bytes
from torch import Tensor

from model import checkpoint
from model.marian.folder import CONFIG, SOURCE, TARGET, TARGET_VOCABULARY, TOKENIZER, VOCABULARY
from model.marian.names import BIAS, SHARED, TABLES, layer_weights, reordered, to_marian
from model.marian.weights import SAFE
from model.network.config import END, PAD, START, Config
from model.network.kinds import STACKS
from model.network.transformer import Transformer
from model.text.marian import READ, WRITTEN, MarianTokenizer
from model.text.tokenizer import Tokenizer

GENERATION, CARD = "generation_config.json", "README.md"
SPELLED = """
Its vocabulary marks apostrophes between letters, which no SentencePiece model can do by itself. So a text is
prepared before, and what is decoded is read back:

    from model.text.spelling import normalise, spell, unspell

    batch = tokenizer(spell(normalise(text)), return_tensors="pt")
    text = unspell(tokenizer.decode(model.generate(**batch)[0], skip_special_tokens=True))
"""


def export(model: Transformer, tokenizer: Tokenizer, out: Path) -> None:
    """Write the folder; what Marian has no place for is refused by name."""
    config = model.config
    _check(config)
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]):
        raise ValueError(f"{out} is not empty; choose another folder")
    out.mkdir(parents=True, exist_ok=True)
    shared = config.tied
    files = {CONFIG: _config(config), GENERATION: _generation(config), TOKENIZER: _said(config, shared)}
    for name, found in (files | _vocabularies(tokenizer, shared)).items():
        checkpoint.write(out / name, (json.dumps(found, indent=2, ensure_ascii=False) + "\n").encode())
    source, target = _cutters(tokenizer)
    checkpoint.write(out / SOURCE, source)
    checkpoint.write(out / TARGET, target)
    checkpoint.write(out / SAFE, to_bytes(marian_weights(model), metadata={"format": "pt"}))
    checkpoint.write(out / CARD, _card(config, tokenizer).encode())


def marian_weights(model: Transformer) -> dict[str, Tensor]:
    """All weights by Marian's names, the stream in Marian's order, in single precision."""
    config, order, state = model.config, to_marian(model.config.width), model.state_dict()
    found = {
        each.marian: reordered(state[each.ours].float(), each.axes, order) for each in layer_weights(config)
    }
    for side, (ours, marian) in TABLES.items():
        if side == "source" and config.tied:
            found[SHARED] = reordered(state[ours].float(), (1,), order)
        elif not config.tied and not (side == "output" and config.tied_output):
            found[marian] = reordered(state[ours].float(), (1,), order)
    bias = model.vocabulary_bias
    found[BIAS] = torch.zeros(1, config.vocabulary) if bias is None else bias.detach().float()[None].clone()
    return found


def _check(config: Config) -> None:
    if config.positions != "sinusoidal":
        raise ValueError(f"Marian has sinusoidal positions only, and this model has {config.positions} ones")
    if config.window is not None:
        raise ValueError("Marian looks at all positions, and this model at those within a window")


def _config(config: Config) -> dict[str, Any]:
    stacks = {
        "layers": config.depth, "attention_heads": lambda _: config.heads, "ffn_dim": lambda _: config.hidden,
    }  # fmt: skip
    return {
        "architectures": ["MarianMTModel"], "model_type": "marian", "is_encoder_decoder": True,
        "vocab_size": config.vocabulary, "decoder_vocab_size": config.vocabulary, "d_model": config.width,
        **{f"{stack}_{name}": of(stack) for stack in STACKS for name, of in stacks.items()},
        "max_position_embeddings": config.length, "activation_function": config.activation,
        "scale_embedding": config.scaled, "dropout": config.dropout,
        "share_encoder_decoder_embeddings": config.tied,
        "tie_word_embeddings": config.tied or config.tied_output,
        "pad_token_id": PAD, "decoder_start_token_id": START, "bos_token_id": START, "eos_token_id": END,
        "forced_eos_token_id": None, "dtype": "float32",
    }  # fmt: skip


def _generation(config: Config) -> dict[str, Any]:
    return {
        "pad_token_id": PAD, "decoder_start_token_id": START, "bos_token_id": START, "eos_token_id": END,
        "bad_words_ids": [[PAD], [START]], "max_length": config.length, "num_beams": 1, "do_sample": False,
    }  # fmt: skip


def _said(config: Config, shared: bool) -> dict[str, Any]:
    return {
        "tokenizer_class": "MarianTokenizer", "source_lang": config.source, "target_lang": config.target,
        "model_max_length": config.length, "separate_vocabs": not shared,
        "unk_token": "<unk>", "eos_token": "</s>", "pad_token": "<pad>",
    }  # fmt: skip


def _vocabularies(tokenizer: Tokenizer, shared: bool) -> dict[str, dict[str, int]]:
    """By file, the pieces that either side has."""
    spelled = tokenizer.spelled(range(len(tokenizer)))
    sides = tokenizer.numbered.sides if isinstance(tokenizer, MarianTokenizer) else None

    def pieces(side: int) -> dict[str, int]:
        every = (id for id in range(len(spelled)) if sides is None or sides[id] & side)
        return {spelled[id]: id for id in reversed(list(every))}  # of two alike, the first

    if shared:
        return {VOCABULARY: dict(sorted(pieces(READ | WRITTEN).items(), key=lambda each: each[1]))}
    return {
        VOCABULARY: dict(sorted(pieces(READ).items(), key=lambda each: each[1])),
        TARGET_VOCABULARY: dict(sorted(pieces(WRITTEN).items(), key=lambda each: each[1])),
    }


def _cutters(tokenizer: Tokenizer) -> tuple[bytes, bytes]:
    if isinstance(tokenizer, MarianTokenizer):
        return tokenizer.numbered.source, tokenizer.numbered.target
    return tokenizer.model, tokenizer.model


def _card(config: Config, tokenizer: Tokenizer) -> str:
    spelled = "" if isinstance(tokenizer, MarianTokenizer) else SPELLED
    return (
        f"# {config.source} → {config.target}, written by Headlight\n\n"
        "    from transformers import MarianMTModel, MarianTokenizer\n\n"
        "    model = MarianMTModel.from_pretrained(FOLDER)\n"
        "    tokenizer = MarianTokenizer.from_pretrained(FOLDER)\n"
        f"{spelled}"
    )
