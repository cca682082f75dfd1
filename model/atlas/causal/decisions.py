"""A contrast as the model meets it: what it has read, and the two pieces that it has to choose between."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from model.network.batches import read_ids
from model.network.config import UNKNOWN
from model.probe.contrasts import Contrast, Phenomenon
from model.text.refused import Place, Refused
from model.text.tokenizer import TextTooLong
from model.translator import Translator


@dataclass(frozen=True)
class Decision:
    """The last row of `read` decides."""

    phenomenon: str
    contrast: Contrast
    source: tuple[int, ...]
    read: tuple[int, ...]  # the start token and all pieces that right and wrong share
    right: int  # the pieces with which they go on
    wrong: int
    # The partner's decision, where it can take this one's place: as long on both sides, the choice reversed.
    partner: "Decision | None" = None

    @property
    def number(self) -> int:
        return self.contrast.number


def decisions(translator: Translator, phenomena: Sequence[Phenomenon]) -> Iterator[Decision]:
    """Every contrast of these phenomena that the model can read; a broken one is refused by its row."""
    for phenomenon in phenomena:
        for row, contrast in enumerate(phenomenon.contrasts, 1):
            try:
                yield decide(translator, phenomenon.name, contrast)
            except (TextTooLong, Unspelled):
                continue  # left out, as what the model does not know
            except ValueError as error:
                raise Refused("in_row", Place(phenomenon.name, row, "row"), reason=error) from None


class Unspelled(Refused):
    """Two translations that a vocabulary cannot tell apart, because it lacks signs of theirs."""


def decide(translator: Translator, phenomenon: str, contrast: Contrast) -> Decision:
    source = translator.read(contrast.sentence).ids
    right, wrong = (translator.read_target(text).ids for text in (contrast.right, contrast.wrong))
    # Both end with the end token, so they part somewhere unless they are spelled by the same pieces.
    row = next((place for place, (a, b) in enumerate(zip(right, wrong, strict=False)) if a != b), None)
    if row is None:
        raise Unspelled("same_pieces") if UNKNOWN in right else Refused("same_pieces")
    alone = Decision(phenomenon, contrast, source, read_ids(right[: row + 1]), right[row], wrong[row])
    if contrast.partner is None:
        return alone
    partner = translator.read(contrast.partner).ids
    said = translator.read_target(contrast.partner_right or contrast.wrong).ids
    if len(partner) != len(source) or len(said) <= row or said[row] != wrong[row]:
        return alone
    swapped = Contrast(contrast.partner, contrast.partner_right or contrast.wrong, contrast.right)
    other = Decision(phenomenon, swapped, partner, read_ids(said[: row + 1]), wrong[row], right[row])
    return replace(alone, partner=other)
