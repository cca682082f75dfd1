"""Whether a head points as grammar does, in the decoder, which sees only earlier words."""

import numpy as np
import pytest

from model.atlas.relations import french_tallies
from tests.helpers.annotated import causal, pointing_at, sentence, value


def french(words: str, heads, relations):
    return sentence("x", french_words=tuple(words.split()), french_heads=heads, french_relations=relations)


CHATS = french(
    "le chat noir ne dort pas",
    (1, 4, 1, 4, -1, 4),
    ("det", "nsubj", "amod", "advmod", "root", "advmod"),
)
ONE_EACH = [[place] for place in range(6)]  # in the target; the row that reads a word is one later


def test_a_decoder_head_that_looks_at_the_head_word_scores_one_where_that_comes_earlier():
    pattern = pointing_at(0, 2, 5, 2, 5, 5, 5, size=7)  # `noir` looks at `chat`, `pas` at `dort`
    found = french_tallies(pattern, CHATS, ONE_EACH)
    for relation in ("amod", "advmod"):
        tally = found[f"relation.{relation}.to_head"]
        assert value(tally) == tally.count == 1  # `ne` comes before its verb and is not asked
    assert found["relation.amod.to_head"].baselines["offset -1"] == 1
    assert not any("root" in name for name in found)


def test_a_relation_whose_other_word_comes_later_is_not_asked():
    found = french_tallies(pointing_at(0, 2, 5, 2, 5, 5, 5, size=7), CHATS, ONE_EACH)
    assert found["relation.det.to_head"].count == found["relation.nsubj.to_head"].count == 0
    assert found["relation.amod.to_dependent"].count == 0
    assert found["relation.det.to_dependent"].count == 0  # only one word comes before `chat`: no choice
    assert found["relation.nsubj.to_dependent"].count == 1


def test_a_decoder_head_is_asked_for_earlier_words_whatever_it_gives_to_itself_and_the_start():
    pattern = np.zeros((1, 7, 7))
    pattern[0, 5] = [0.5, 0.02, 0.05, 0.03, 0.04, 0.36, 0]  # `dort`: start and itself, then `chat`
    found = french_tallies(pattern, CHATS, ONE_EACH)
    assert value(found["relation.nsubj.to_dependent"]) == 1
    assert value(found["relation.advmod.to_dependent"]) == 0


def test_a_blind_decoder_head_scores_its_expectation():
    rng = np.random.default_rng(0)
    patterns = rng.random((4_000, 7, 7)) * causal(7)
    found = french_tallies(patterns, CHATS, ONE_EACH)
    for name, among in (("nsubj.to_dependent", 4), ("amod.to_head", 2), ("advmod.to_head", 5)):
        tally = found[f"relation.{name}"]
        assert tally.baselines["chance"] == 1 / among
        assert tally.totals.mean() == pytest.approx(1 / among, abs=0.03)


def test_only_offsets_that_a_decoder_row_may_look_at_are_its_baselines():
    found = french_tallies(pointing_at(0, 0, 1, 2, 3, 4, 5, size=7), CHATS, ONE_EACH)
    for tally in found.values():
        assert set(tally.baselines) == {"chance", *(f"offset -{step}" for step in range(1, 11))}
    assert value(found["relation.advmod.to_head"]) == 1


def test_a_decoder_word_of_several_pieces_looks_from_all_the_rows_that_read_it():
    tree = french("vieux chats endormis", (1, -1, 1), ("amod", "root", "amod"))
    pattern = np.zeros((1, 6, 6))
    pattern[0, 4], pattern[0, 5] = [0, 0.4, 0.3, 0.3, 0, 0], [0, 0.1, 0.1, 0.1, 0.7, 0]
    tally = french_tallies(pattern, tree, [[0], [1, 2], [3, 4]])["relation.amod.to_head"]
    assert value(tally) == tally.count == 1
