"""A small world for tests: a few hundred pairs of our own making, a vocabulary, a tiny model."""

from itertools import product
from pathlib import Path

import torch

from model.checkpoint import save, untrained
from model.network.config import Config, preset
from model.text.tokenizer import Tokenizer
from model.text.vocabulary import train_tokenizer
from model.translator import Translator, load

SUBJECTS = {
    "the cat": "le chat",
    "a dog": "un chien",
    "my sister": "ma sœur",
    "the teacher": "le professeur",
}
VERBS = {"sees": "voit", "likes": "aime", "follows": "suit"}
OBJECTS = {"the red house": "la maison rouge", "this book": "ce livre", "the old bridge": "le vieux pont",
           "an apple": "une pomme", "the long road": "la longue route"}  # fmt: skip
ENDS = {"today": "aujourd'hui", "every day": "tous les jours", "in the garden": "dans le jardin"}

VOCABULARY = 400
PAIRS = [
    tuple(f"{' '.join(words)}.".capitalize() for words in zip(*phrases, strict=True))
    for phrases in product(SUBJECTS.items(), VERBS.items(), OBJECTS.items(), ENDS.items())
]
SENTENCES = [source for source, _ in PAIRS]


def tiny_tokenizer() -> Tokenizer:
    return train_tokenizer((text for pair in PAIRS for text in pair), VOCABULARY)


def tiny_config(**changes) -> Config:
    return preset("tiny", **{"vocabulary": VOCABULARY, **changes})


def tiny_translator(tokenizer: Tokenizer, seed: int = 0, **changes) -> Translator:
    """Untrained, with queries and keys wide enough that heads choose."""
    model = untrained(tiny_config(**changes), seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if "to_query" in name or "to_key" in name:
                weight.mul_(1.5)
    return Translator("tiny", model, tokenizer)


def write_checkpoint(folder: Path, seed: int = 0, **changes) -> Translator:
    """A tiny model as a folder that can be loaded, and what the folder holds."""
    made = tiny_translator(tiny_tokenizer(), seed, **changes)
    save(folder, made.model, made.tokenizer)
    return load(folder)


def write_pairs(path, pairs=PAIRS) -> str:
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs), "utf-8")
    return str(path)
