"""What an example on the page says of a head is what the atlas measured."""

from model import Translator
from model.atlas.relations import french_tallies
from model.text.treebank import french_pieces
from tests.helpers.probes import HAND_MADE
from viz.pages.atlas.numbers.exemplars import observed, probes


def test_decoder_heads_are_asked_about_the_french_that_was_given(translator: Translator):
    (probe,) = probes(translator, HAND_MADE[:1])
    trace = translator.trace(HAND_MADE[0].text, HAND_MADE[0].french, keep=["attention"])
    pattern = trace.attention["decoder"].reshape(-1, *trace.attention["decoder"].shape[-2:])
    expected = french_tallies(
        pattern, HAND_MADE[0], french_pieces(HAND_MADE[0], translator.read(HAND_MADE[0].french))
    )
    found = observed(probe, "decoder", translator.config.vocabulary)
    assert expected["relation.case.to_dependent"].count == 3
    for name, tally in expected.items():
        assert (found[name].totals == tally.totals).all() and found[name].count == tally.count, name
