"""Marian folders of several shapes, each made and converted once."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from transformers import MarianMTModel, MarianTokenizer

from model import Translator, load
from model.marian.convert import convert
from tests.helpers.marian import write_folder

SHAPES = {
    "usual": {},
    "separate": {
        "separate": True, "share_encoder_decoder_embeddings": False, "encoder_layers": 1, "decoder_layers": 3,
        "activation_function": "relu", "scale_embedding": False,
    },
    "languages": {
        "languages": ("fra", "ita"), "tie_word_embeddings": False, "encoder_layers": 3, "decoder_layers": 1,
        "activation_function": "gelu", "pickled": "zip", "end": 77,
    },
    "old": {
        "share_encoder_decoder_embeddings": False, "tie_word_embeddings": False, "separate": True,
        "pickled": "old", "encoder_layers": 1, "decoder_layers": 1, "d_model": 48, "end": 5,
    },
}  # fmt: skip


class Both(NamedTuple):
    """The same model on either side."""

    folder: Path
    theirs: MarianMTModel
    their_tokenizer: MarianTokenizer
    ours: Translator


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A shape's folder and checkpoint."""

    @cache
    def both(name: str) -> Both:
        folder, out = tmp_path_factory.mktemp(name) / "marian", tmp_path_factory.mktemp(name) / "ours"
        shape = SHAPES[name]
        model = write_folder(folder, **shape)
        convert(folder, out, to="fra" if "languages" in shape else "")
        model.set_attn_implementation("eager")
        return Both(folder, model, MarianTokenizer.from_pretrained(folder), load(out))

    return both
