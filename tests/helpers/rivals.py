"""The five architectures as small as tests want them, untrained; and a folder as the contest leaves it."""

import json
from pathlib import Path

from model import checkpoint
from model.network.config import preset
from model.rivals import FACTS, RIVALS
from model.rivals.rival import Rival
from model.text.tokenizer import Tokenizer
from tests.helpers.tiny import VOCABULARY, tiny_tokenizer

LONGEST = 9  # words that they say they have learned from


def tiny_rivals(tokenizer: Tokenizer | None = None) -> dict[str, Rival]:
    tokenizer = tokenizer or tiny_tokenizer()
    return {name: _tiny(name, tokenizer) for name in RIVALS}


def write_rivals(folder: Path, **facts: object) -> dict[str, Rival]:
    """Their checkpoints, each with the facts of a training; `facts` are those of the first."""
    rivals = tiny_rivals()
    for name, rival in rivals.items():
        checkpoint.save(folder / name, rival.model, rival.tokenizer)
        told = {
            "weights": sum(weight.numel() for weight in rival.model.parameters()), "pairs": 180, "steps": 20,
            "trial_steps": 5, "target_pieces": 4_000, "source_words": LONGEST, "seconds": 61, "rate": 0.002,
            "rates": {"0.001": 5.21, "0.002": 5.07},
        }  # fmt: skip
        told |= facts if name == RIVALS[0] else {}
        (folder / name / FACTS).write_text(json.dumps(told), "utf-8")
    return rivals


def _tiny(name: str, tokenizer: Tokenizer) -> Rival:
    shape = preset("beside" if name == "transformer" else name, vocabulary=VOCABULARY, width=16, hidden=24,
                   layers=1, length=64)  # fmt: skip
    return Rival(name, checkpoint.untrained_any(shape), tokenizer)
