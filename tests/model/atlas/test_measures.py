"""What a head's measures say of patterns whose answer is known, and the traps on the way."""

import numpy as np
import pytest

from model.atlas.measures import head_tallies, punctuation, rarest, rarities
from tests.helpers.annotated import COMMON_ID, RARE_ID, causal, pointing_at, tokens, value

VOCABULARY = 8_000
FIVE = tokens("▁the", "▁cat", "▁is", "▁here")  # and the end token


def look(pattern, kind="encoder", keys=FIVE, queries=None, mask=None):
    mask = np.ones(pattern.shape[-2:], bool) if mask is None else mask
    return head_tallies(kind, pattern, mask, queries or keys, keys, VOCABULARY)


def even(mask):
    return (mask / mask.sum(-1, keepdims=True))[None]


def test_a_perfect_previous_token_head_scores_one():
    found = look(pointing_at(0, 0, 1, 2, 3, size=5))
    assert value(found["previous"]) == value(found["offset.-1"]) == 1
    assert found["previous"].count == 4  # the first row has nothing before it
    assert value(found["next"]) == value(found["offset.1"]) == 0
    assert value(found["self"]) == 1 / 5
    assert value(found["distance"]) == 4 / 5
    assert value(found["entropy"]) == 0
    assert value(found["confidence"]) == 1


def test_a_perfect_next_token_head_is_not_mistaken_for_a_previous_one():
    found = look(pointing_at(1, 2, 3, 4, 4, size=5))
    assert value(found["next"]) == 1
    assert value(found["previous"]) == 0
    assert value(found["offset.1"]) == 1  # of the three rows whose next piece is not the end token
    assert found["offset.1"].count == 3


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_an_even_head_scores_its_expectation_which_is_the_baseline(kind):
    mask = causal(5) if kind == "decoder" else np.ones((5, 5), bool)
    keys = tokens("▁Oh", ",", "▁yes", "▁!", start=True, end=False) if kind == "decoder" else FIVE
    found = look(even(mask), kind, keys, mask=mask)
    weights = {name: tally for name, tally in found.items() if "even" in tally.baselines and tally.count}
    assert {"special", "first", "entropy", "confidence"} <= weights.keys()
    for name, tally in weights.items():
        assert value(tally) == pytest.approx(tally.baselines["even"] / tally.count), name
    assert value(found["entropy"]) == pytest.approx(1)
    if kind != "decoder":
        assert value(found["special"]) == value(found["first"]) == value(found["confidence"]) == 1 / 5


def test_entropy_counts_only_positions_that_a_row_may_look_at():
    mask = causal(5)
    keys = tokens("▁a", "▁b", "▁c", "▁d", start=True, end=False)
    found = look(even(mask), "decoder", keys, mask=mask)["entropy"]
    assert found.count == 4  # the first row has no choice
    assert value(found) == pytest.approx(1)  # of five positions it would be less


def test_a_row_without_a_choice_counts_nowhere():
    mask = causal(3)
    found = look(even(mask), "decoder", tokens("▁a", "▁b", start=True, end=False), mask=mask)
    assert found["self"].count == found["special"].count == 2
    assert value(found["self"]) == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert found["offset.-1"].count == found["confidence"].count == 1  # without the start token
    assert "next" not in found


def test_the_largest_weight_is_sought_beside_the_end_token_whose_weight_is_told():
    pattern = 0.1 * pointing_at(0, 0, 1, 2, 3, size=5)
    pattern[..., 4] += 0.9
    found = look(pattern)
    assert value(found["offset.-1"]) == 1
    assert value(found["special"]) == pytest.approx(0.9)
    assert value(found["confidence"]) == pytest.approx(0.1)


def test_first_last_and_punctuation_are_told_apart():
    keys = tokens("▁Oh", ",", "▁yes", "!")
    found = look(np.tile([0.1, 0.2, 0.3, 0.35, 0.05], (1, 5, 1)), keys=keys)
    got = [value(found[name]) for name in ("first", "punctuation", "last", "special")]
    assert got == pytest.approx([0.1, 0.55, 0.35, 0.05])
    assert look(pointing_at(0, 0, 0, 0, 0, size=5))["punctuation"].count == 0  # there is none to look at
    assert punctuation(tokens("▁«", "...", "▁a.")).tolist() == [True, True, False, False]


def test_offsets_within_cross_attention_are_not_called_previous_or_self():
    found = look(even(np.ones((3, 5), bool)), "cross", queries=tokens("▁le", "▁chat"))
    assert not {"previous", "self", "next", "distance"} & found.keys()
    assert found["offset.0"].count == 3


def test_the_rarest_word_is_the_one_of_the_latest_merges_or_the_one_that_was_spelled_out():
    whole = tokens("▁the", "▁quince", "▁is", ".", ids=(COMMON_ID, RARE_ID, 320, 7_990))
    assert rarest(whole, np.ones((1, 5), bool), VOCABULARY)[0].tolist() == [False, True, False, False, False]
    split = tokens("▁the", "▁q", "uin", "ce", "▁house", ids=(300, 310, 320, 330, 4_000))
    allowed = np.ones((1, 6), bool)
    assert rarest(split, allowed, VOCABULARY)[0].tolist() == [False, True, True, True, False, False]
    spelled = tokens("▁the", "▁", "<0xE2>", "▁house", ids=(300, 310, 4 + 0xE2, 4_000))
    assert rarities(spelled, VOCABULARY)[1] == pytest.approx(np.log(310) + np.log(VOCABULARY))
    common = tokens("▁the", "▁is", ids=(300, 310))
    assert not rarest(common, np.ones((1, 3), bool), VOCABULARY).any()


def test_a_contraction_is_not_rare_for_having_two_pieces():
    for parts in (("▁did", "n't"), ("▁I", "'m"), ("▁l'", "ours")):
        pair = tokens(*parts, "▁quince", ids=(300, 310, 320))
        assert rarities(pair, VOCABULARY)[:2] == pytest.approx(np.log([300, 310]))


def test_a_decoder_row_seeks_the_rarest_word_among_what_it_has_read():
    keys = tokens("▁a", "▁rare", "▁b", "▁rarer", ids=(300, 6_000, 301, 7_000), start=True, end=False)
    seen = rarest(keys, causal(5) & (np.array(keys.words) >= 0), VOCABULARY)
    assert [np.flatnonzero(row).tolist() for row in seen] == [[], [], [2], [2], [4]]


def test_a_head_that_finds_the_rarest_word_scores_one_and_fixed_offsets_less():
    keys = tokens("▁the", "▁quince", "▁is", "▁ripe", ids=(300, RARE_ID, 320, 900))
    tally = look(pointing_at(1, 1, 1, 1, 1, size=5), keys=keys)["rarest"]
    assert value(tally) == 1 and tally.count == 5
    assert tally.baselines["chance"] == pytest.approx(5 / 4)
    assert tally.baselines["offset 0"] == tally.baselines["offset -1"] == 1


def test_the_same_word_again_is_another_place_with_the_same_piece():
    keys = tokens("▁the", "▁cat", "▁the", "▁dog", ".", ".", ids=(300, 301, 300, 302, 7_990, 7_990))
    tally = look(pointing_at(2, 1, 0, 3, 5, 4, 6, size=7), keys=keys)["same"]
    assert value(tally) == 1 and tally.count == 2  # neither itself nor full stops
    assert value(look(pointing_at(*range(7), size=7), keys=keys)["same"]) == 0
