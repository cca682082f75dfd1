"""The training film as courses: each measure of each head at every moment, and when specialists appear.

Shapes   M moments · L layers · H heads · Q queries · K keys
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from model import Translator
from model.atlas.alignment import error_tally
from model.atlas.measures import head_tallies
from model.atlas.relations import between_words
from model.atlas.sums import Tally
from model.network.config import START
from model.text.tokenizer import Tokens
from model.text.treebank import Annotated, french_pieces, pieces_of_words
from model.training.film import read_links

KINDS = ("encoder", "decoder", "cross")
BEST = ("aer.predicted", "aer.read")  # measures whose best head is a specialist in any case
Courses = Mapping[str, Mapping[str, np.ndarray]]  # kind: {measure: (M, L, H)}


def courses(film: Mapping[str, np.ndarray], translator: Translator) -> Courses:
    """What each head scores at each moment over all sentences of the film, as the atlas would measure it."""
    tallies: dict[str, dict[str, list[Tally]]] = {kind: {} for kind in KINDS}
    links = {link.text: link for link in read_links()}
    pairs = zip(film["sources"].tolist(), film["references"].tolist(), strict=True)
    for number, (source_text, reference) in enumerate(pairs):
        source, target = translator.read(source_text), translator.read_target(reference)
        read = translator.tokenizer.tokens((START, *target.ids[:-1]))
        sides = {"encoder": (source, source), "decoder": (read, read), "cross": (target, source)}
        for kind, (queries, keys) in sides.items():
            weights = film[f"{kind}.{number}"].astype(np.float32) / 255  # (M, L, H, Q, K)
            patterns = weights.reshape(-1, *weights.shape[-2:])
            mask = np.ones(weights.shape[-2:], bool)
            mask = np.tril(mask) if kind == "decoder" else mask
            found = head_tallies(kind, patterns, mask, queries, keys, translator.config.vocabulary)
            if kind == "cross" and source_text in links:
                found |= _aligned(patterns, links[source_text], source, target)
            for name, tally in found.items():
                tallies[kind].setdefault(name, []).append(tally)
    shape = film["encoder.0"].shape[:3]
    return {
        kind: {
            name: _ratio(each).reshape(shape) for name, each in found.items() if sum(t.count for t in each)
        }
        for kind, found in tallies.items()
    }


def _ratio(tallies: Sequence[Tally]) -> np.ndarray:
    totals = np.sum([np.asarray(tally.totals, float) for tally in tallies], axis=0)
    return totals / sum(tally.count for tally in tallies)


def _aligned(patterns: np.ndarray, sentence: Annotated, source: Tokens, target: Tokens) -> dict[str, Tally]:
    english, french = pieces_of_words(sentence, source), french_pieces(sentence, target)
    if english is None or french is None or sentence.alignment is None:
        return {}
    found = {}
    for reading, shift in (("predicted", 0), ("read", 1)):  # a row reads the piece that the row before wrote
        rows = [[position + shift for position in word] for word in french]
        best = between_words(patterns, rows, english).argmax(-1)
        found[f"aer.{reading}"] = error_tally(best, sentence.alignment, len(english))
    return found


def course(
    found: Courses, kind: str, measure: str, offsets: Sequence[Sequence[int]] = ()
) -> np.ndarray | None:
    """One measure of a kind, (M, L, H); `offset` is each head's own, which the atlas has found."""
    if measure != "offset":
        return found[kind].get(measure)
    if not len(offsets):
        return None
    parts = [
        [found[kind][f"offset.{offset}"][:, layer, head] for head, offset in enumerate(row)]
        for layer, row in enumerate(offsets)
    ]
    return np.moveaxis(np.array(parts), -1, 0)


class Specialist(NamedTuple):
    """A head, what it does, and the first moment from which on it keeps more than half of what it learned."""

    kind: str
    layer: int
    head: int
    measure: str
    moment: int
    before: float  # its measure at the first moment
    after: float  # and at the last


def specialists(atlas: Mapping, found: Courses) -> list[Specialist]:
    """Every role that the film's sentences can measure, and the best aligners even where nobody has that
    role, in the order in which they appear."""
    heads = [(role["kind"], role["layer"], role["head"], role["measure"]) for role in atlas["evidence"]]
    heads += [
        ("cross", *atlas["best"][f"cross.{name}"], name) for name in BEST if f"cross.{name}" in atlas["best"]
    ]
    seen = []
    for kind, layer, head, measure in dict.fromkeys(heads):
        over = course(found, kind, measure, atlas["offsets"][kind])
        if over is not None:
            values = over[:, layer, head]
            ends = float(values[0]), float(values[-1])
            seen.append(Specialist(kind, layer, head, measure, appears(values), *ends))
    return sorted(seen, key=lambda each: (each.moment, each.measure, each.kind, each.layer, each.head))


def appears(values: np.ndarray) -> int:  # (M)
    """The first moment from which on a course stays beyond half its way.

    >>> appears(np.array([0.0, 0.7, 0.2, 0.6, 1.0]))
    3
    """
    way = (values - values[0]) * np.sign(values[-1] - values[0])
    below = np.flatnonzero(way <= way[-1] / 2)
    return min(int(below[-1]) + 1, len(values) - 1) if len(below) else 0
