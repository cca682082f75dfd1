"""A question of one's own: two words at one place of a translation, and what each head does for the choice.

A word is the ids of its pieces as they stand at that place; the first of them is what the model chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from model.atlas.causal.ablations import silenced
from model.atlas.causal.decisions import Decision, decide
from model.atlas.causal.looking import CLASS_OF
from model.atlas.causal.sweep import choices
from model.inspect.variants import Head
from model.network.config import PAD, START
from model.probe.contrasts import Contrast, Phenomenon, as_line, parse_phenomenon
from model.text.spelling import normalise
from model.text.tokenizer import BYTE, SPACE, SPECIAL, Tokenizer
from viz.figures.labels import readable
from viz.state.picture import sides

if TYPE_CHECKING:
    from model import Trace, Translator

LONGEST = 12  # pieces of a word that the model goes on with
LOOKED, SEEN = 4, 0.005  # pieces that a head looks at most, and the weight below which it does not
ANCHORS = ("'", "a")  # what a word is written behind, to see it spelled without a space
Word = tuple[int, ...]


@dataclass(frozen=True)
class Question:
    """Why `right` and not `wrong`, once `before` has been written?"""

    sentence: str
    source: tuple[int, ...]
    before: tuple[int, ...]
    right: Word
    wrong: Word

    @property
    def words(self) -> tuple[Word, Word]:
        return self.right, self.wrong

    @property
    def decision(self) -> Decision:
        read = (START, *self.before)
        return Decision("", Contrast(self.sentence, "", ""), self.source, read, self.right[0], self.wrong[0])


class Finding(NamedTuple):
    """In nats: how far the right word is ahead, and what each head's silence takes of it."""

    lead: float
    lost: np.ndarray  # (all heads), in the order of `all_heads`

    @property
    def order(self) -> list[int]:
        """Heads from the one that takes most."""
        return np.argsort(-self.lost, kind="stable").tolist()

    def share(self, head: int) -> float:
        """Of the lead, how much goes with the head."""
        return float(self.lost[head]) / self.lead


def rank_heads(translator: Translator, question: Question) -> Finding:
    """The choice as it is, and with every head silenced in turn, in one batch."""
    gap = choices(translator.model, [question.decision], [(), *silenced(translator.config)]).gap[:, 0]
    return Finding(float(gap[0]), gap[0] - gap[1:])


def runner_up(trace: Trace, place: int, right: int) -> int:
    """What the model would write at this place if it could not write this."""
    return next(int(piece) for piece in trace.top.ids[-1, place] if piece != right)


def opening(trace: Trace, tokenizer: Tokenizer) -> int:
    """The place to begin with: where two words of one closed class compete, most narrowly; else any two.

    Of "ne" and "n'" the next word decides: those are forms of one word.
    """

    def apart(place: int) -> tuple[bool, float]:
        this = trace.target.predicted_ids[place]
        rivals = this, runner_up(trace, place, this)
        words = [tokenizer.decode([piece]).lower() for piece in rivals]
        kinds = {None if "'" in word else CLASS_OF.get(word) for word in words}
        first, second = trace.top.log_probs[-1, place, :2]
        return None in kinds or len(kinds) > 1, float(first - second)

    return min(range(len(trace.target.predicted_ids)), key=apart)


def askable(piece: int | None, vocabulary: int) -> bool:
    """Whether this is a piece that a translation could go on with; a link may say anything."""
    return piece is not None and piece < vocabulary and piece not in (PAD, START)


def is_inside(tokenizer: Tokenizer, piece: int) -> bool:
    """Whether a piece goes on with the word before it."""
    (spelled,) = tokenizer.spelled([piece])
    return piece not in SPECIAL and bool(BYTE.fullmatch(spelled) or spelled[:1].isalnum())


def spell(tokenizer: Tokenizer, typed: str, inside: bool) -> Word:
    """A typed word after a space, or inside a word without one; signs stand as French has them.

    Raises ValueError where there is nothing to see.
    """
    *ids, _ = tokenizer.target.encode(typed).ids
    pieces = tokenizer.spelled(ids)
    if pieces[-1] == SPACE and len(ids) > 1:  # behind "l'" goes a space that nobody has typed
        ids.pop()
    if inside:
        return _without_space(tokenizer, normalise(typed)) or tuple(ids)
    lone_sign = len(ids) > 1 and pieces[0] == SPACE and not pieces[1][:1].isalnum()
    return tuple(ids[1:] if lone_sign and not BYTE.fullmatch(pieces[1]) else ids)


def _without_space(tokenizer: Tokenizer, text: str) -> Word:
    for alone, both in (tokenizer.target.ids([anchor, anchor + text]) for anchor in ANCHORS):
        if both[: len(alone)] == alone and len(both) > len(alone):
            return tuple(both[len(alone) :])
    return ()


@torch.inference_mode()
def complete(translator: Translator, source: Sequence[int], before: Sequence[int], piece: int) -> Word:
    """The word that begins with this piece, as the model itself would go on with it."""
    model, tokenizer, ids = translator.model, translator.tokenizer, [piece]
    (spelled,) = tokenizer.spelled(ids)
    if piece in SPECIAL or not (spelled.startswith(SPACE) or is_inside(tokenizer, piece)):
        return (piece,)
    memory = model.encode(torch.tensor([source], device=model.device))
    while len(ids) < LONGEST:
        read = torch.tensor([[START, *before, *ids]], device=model.device)
        following = int(model.predict(model.decode(read, *memory)[:, -1]).argmax())
        if not is_inside(tokenizer, following):
            break
        ids.append(following)
    return tuple(ids)


def text_of(tokenizer: Tokenizer, word: Word, say: Callable[..., str]) -> str:
    """A word as one types it; the end of a sentence by its name."""
    return tokenizer.decode(word) or readable(tokenizer.choices(word[:1])[0], say)


def looks(trace: Trace, head: Head, place: int) -> list[tuple[str, float]]:
    """The pieces that a head looks at most while it decides; an encoder's head has no such row."""
    if head.kind == "encoder":
        return []
    weights = trace.attention[head.kind][head.layer, head.head, place]
    keys = sides(trace, head.kind, "predicted")[1].pieces
    most = np.argsort(-weights, kind="stable")[:LOOKED]
    return [(keys[key], float(weights[key])) for key in most if weights[key] >= SEEN]


def as_row(translator: Translator, question: Question) -> Contrast:
    """The question as a row of a file: both translations end with the word that decides.

    Raises ValueError where the texts, cut into pieces again, would ask something else.
    """
    right, wrong = (
        normalise(translator.tokenizer.decode([*question.before, *word])) for word in question.words
    )
    row = Contrast(normalise(question.sentence), right, wrong)
    (read,) = parse_phenomenon("row", as_line(row).encode(), "row").contrasts
    found, asked = decide(translator, "", row), question.decision
    if read != row or (found.read, found.right, found.wrong) != (asked.read, asked.right, asked.wrong):
        raise ValueError(f"{right!r} and {wrong!r} part at another place than the one asked about")
    return row


def as_file(phenomenon: Phenomenon) -> str:
    """A phenomenon as `parse_phenomenon` reads it."""
    remarks = {"family": phenomenon.family, "asks": phenomenon.asks}
    lines = [f"# {name}: {what}" for name, what in remarks.items() if what]
    return "\n".join([*lines, *map(as_line, phenomenon.contrasts), ""])
