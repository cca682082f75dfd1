"""Our own annotated sentences: `hand.conllu`, written and annotated by hand, and those of a small grammar.

Each sentence of `hand.conllu` is there for one of `REASONS`. `model.treebank` says how the file is read and
how French is split into words. Its alignments keep to these rules:

    the participle of a compound past is sure, its auxiliary only possible (`left` – `partie`, `?` `est`),
    unless English has an auxiliary too (`have` – `ont`);
    both halves of a French negation are sure (`not` – `ne`, `pas`);
    an English `do` is possible with the French verb;
    a contraction is sure with both its parts (`of`, `the` – `du`);
    an article, a preposition or a reflexive that only French has is possible with the word it belongs to.
"""

from collections.abc import Iterable
from pathlib import Path

HAND = Path(__file__).parent / "hand.conllu"
REASONS = (
    "agreement", "relative", "negation", "question", "coordination", "rare", "repeated", "pronoun", "passive",
    "tense", "number", "possessive", "order",
)  # fmt: skip


def french_text(words: Iterable[str]) -> str:
    """French words as they are written: a space between two, but none after an apostrophe or before , . or -.

    >>> french_text(["A", "-t-il", "l'", "heure", ",", "Luc", "?"])
    "A-t-il l'heure, Luc ?"
    """
    text = ""
    for word in words:
        tight = not text or text.endswith("'") or word in (",", ".") or word.startswith("-")
        text += word if tight else f" {word}"
    return text
