"""Marian folders as `transformers` writes them, with random weights and vocabularies learned on the spot."""

import io
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"  # nothing here asks another machine for anything

import sentencepiece
import torch
from transformers import MarianConfig, MarianMTModel

from model.probe import HAND

TEXTS = [line[9:] for line in HAND.read_text("utf-8").splitlines() if line.startswith("# text = ")]
FRENCH = [line[12:] for line in HAND.read_text("utf-8").splitlines() if line.startswith("# text_fr = ")]
SHAPE: dict[str, Any] = {
    "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4,
    "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48,
    "activation_function": "swish", "max_position_embeddings": 64, "scale_embedding": True,
    "forced_eos_token_id": None,
}  # fmt: skip


@cache
def cutter(texts: tuple[str, ...], size: int) -> bytes:
    """A SentencePiece model as Marian's are: unigram, with a normalisation of its own."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_writer=model, vocab_size=size, model_type="unigram",
        normalization_rule_name="nmt_nfkc", hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    return model.getvalue()


def pieces_of(*models: bytes) -> list[str]:
    """All pieces of these models, each once, but those that are no text; in an order of their own."""
    found: dict[str, None] = {}
    for model in models:
        processor = sentencepiece.SentencePieceProcessor(model_proto=model)
        found |= dict.fromkeys(processor.id_to_piece(id) for id in range(3, processor.get_piece_size()))
    return sorted(found, key=lambda piece: piece[::-1])


def numbered(pieces: list[str], end: int = 0) -> dict[str, int]:
    """A vocab.json: the end token where it is asked for, padding last."""
    every = ["<unk>", *pieces]
    every.insert(end, "</s>")
    return {piece: id for id, piece in enumerate([*every, "<pad>"])}


def write_folder(
    folder: Path, *, separate: bool = False, end: int = 0, languages: tuple[str, ...] = (),
    pickled: str = "", **shape: Any,
) -> MarianMTModel:  # fmt: skip
    """A folder with everything in it; gives the model. `pickled`: zip | old, else safetensors."""
    folder.mkdir(parents=True, exist_ok=True)
    source, target = cutter(tuple(TEXTS), 300), cutter(tuple(FRENCH), 260)
    said: dict[str, Any] = {"source_lang": "eng", "target_lang": "fra", "separate_vocabs": separate}
    named = [f">>{each}<<" for each in languages]
    vocabulary = numbered([*named, *(pieces_of(source) if separate else pieces_of(source, target))], end)
    other = numbered(pieces_of(target), end) if separate else vocabulary
    torch.manual_seed(len(shape))
    config = MarianConfig(
        **SHAPE | {"vocab_size": len(vocabulary), "decoder_vocab_size": len(other)} | shape,
        pad_token_id=other["<pad>"], decoder_start_token_id=other["<pad>"], eos_token_id=end,
        bad_words_ids=[[other["<pad>"]]],
    )  # fmt: skip
    model = MarianMTModel(config).eval()
    for name, weight in model.named_parameters():
        if "embed_positions" not in name:
            weight.data.normal_(std=0.25 if weight.dim() > 1 else 0.1)
        if "norm.weight" in name:
            weight.data += 1
    model.final_logits_bias.normal_()
    model.save_pretrained(folder)
    if pickled:
        (folder / "model.safetensors").unlink()
        torch.save(
            model.state_dict(), folder / "pytorch_model.bin", _use_new_zipfile_serialization=pickled == "zip"
        )
    (folder / "source.spm").write_bytes(source)
    (folder / "target.spm").write_bytes(target)
    (folder / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")
    if separate:
        (folder / "target_vocab.json").write_text(json.dumps(other), "utf-8")
    (folder / "tokenizer_config.json").write_text(json.dumps(said), "utf-8")
    return model
