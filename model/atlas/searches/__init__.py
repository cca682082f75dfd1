"""What other ways to search bring on one checkpoint, measured on our own sentences with right translations.

searches.json, in the folder of a checkpoint, holds

    beams       sentences for which the size of the beam decides, the clearest first:
        kind        repaired (the beam is better than greedy) · worse (the larger beam is worse)
        sentence, reference   what is translated, and the right translation that it comes nearest to
        size, other the larger beam and the smaller; 1 is greedy
        written     the translation with each of the two, by its size as text
        totals      its total log-probability
        scores      its chrF against the right translations: 100 is one of them
    exposure    what a mistake of its own costs the model, as `model.atlas.searches.exposure` defines it;
                null where nothing can be compared

A kind of which this checkpoint has no clear case is missing: nothing is staged.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model.atlas.searches.beams import beams
from model.atlas.searches.exposure import exposure
from model.atlas.stories.everyday import LANGUAGES, read_everyday
from model.network.config import Config
from model.probe.corpora import PROBES
from model.text.spelling import normalise
from model.translator import Translator


def searches(
    translator: Translator, pairs: Mapping[str, Sequence[str]] | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:  # fmt: skip
    """All that searches.json holds, for sentences with their right translations (default: our own)."""
    given = pairs_of(translator.config) if pairs is None else pairs
    return {
        "checkpoint": translator.name,
        "beams": beams(translator, given, progress),
        "exposure": exposure(translator, given, progress),
    }


def pairs_of(config: Config) -> dict[str, list[str]]:
    """Our own sentences with their right translations; none for a model of other languages."""
    if (config.source, config.target) != LANGUAGES:
        return {}
    hand = {normalise(each.text): [normalise(each.french)] for each in PROBES["hand"]() if each.french}
    return hand | read_everyday(config)
