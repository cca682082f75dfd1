"""What a head's measures say of patterns whose answer is known, and the traps on the way."""

from types import SimpleNamespace

import numpy as np
import pytest

from model.atlas.alignment import alignment_tallies, diagonal, error_tally
from model.atlas.measures import head_tallies, punctuation, rarest, rarities
from model.atlas.relations import between_words, french_tallies, relation_tallies
from model.network.attention import causal_mask
from model.text.treebank import Alignment
from tests.helpers.annotated import COMMON_ID, RARE_ID, pointing_at, sentence, tokens

VOCABULARY = 8_000
FIVE = tokens("▁the", "▁cat", "▁is", "▁here")  # and the end token


def look(pattern, kind="encoder", keys=FIVE, queries=None, mask=None):
    mask = np.ones(pattern.shape[-2:], bool) if mask is None else mask
    return head_tallies(kind, pattern, mask, queries or keys, keys, VOCABULARY)


def value(tally, head=0):
    return tally.totals[head] / tally.count


def even(mask):
    return (mask / mask.sum(-1, keepdims=True))[None]


def causal(size):
    return causal_mask(size, size).numpy()


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


def test_pieces_become_words_by_sum_over_looked_at_and_mean_over_looking():
    pattern = np.array([[0.4, 0.3, 0.3], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]])
    found = between_words(pattern, [[0, 1], [2]], [[0], [1, 2]])
    np.testing.assert_allclose(found, [[0.2, 0.8], [1, 0]])


def test_the_subword_rule_decides_what_a_word_looks_at_most():
    tree = sentence("go there unhappily", heads=(-1, 2, 0), relations=("root", "dep", "advmod"))
    pattern = np.zeros((1, 6, 6))
    pattern[0, 1] = [
        0.4,
        0,
        0.2,
        0.2,
        0.2,
        0,
    ]  # no piece of the last word has the largest weight; the word has
    tally = relation_tallies(pattern, tree, [[0], [1], [2, 3, 4]])["relation.dep.to_head"]
    assert value(tally) == 1


def test_a_perfect_dependency_head_scores_one_in_its_own_direction():
    tree = sentence("the old cat sleeps", (2, 2, 3, -1), ("det", "amod", "nsubj", "root"))
    pattern = pointing_at(2, 2, 3, 3, 4, size=5)
    found = relation_tallies(pattern, tree, [[0], [1], [2], [3]])
    assert {name for name in found if "root" in name or "punct" in name} == set()
    for relation in ("det", "amod", "nsubj"):
        assert value(found[f"relation.{relation}.to_head"]) == 1
    assert value(found["relation.det.to_dependent"]) == 0
    assert found["relation.det.to_head"].baselines["offset 2"] == 1
    assert found["relation.amod.to_head"].baselines["offset 1"] == 1  # an offset does as well: no syntax


def test_no_word_is_its_own_head_and_the_end_token_is_none():
    tree = sentence("cats sleep well", (1, -1, 1), ("nsubj", "root", "advmod"))
    pattern = np.tile([0.0, 0.04, 0.03, 0.03], (1, 4, 1)) + 0.5 * np.eye(4) + [0, 0, 0, 0.4]
    found = relation_tallies(pattern, tree, [[0], [1], [2]])
    assert value(found["relation.nsubj.to_head"]) == value(found["relation.advmod.to_head"]) == 1


def test_any_of_several_dependents_is_right():
    tree = sentence("big old cats", (2, 2, -1), ("amod", "amod", "root"))
    tally = relation_tallies(pointing_at(2, 2, 1, 3, size=4), tree, [[0], [1], [2]])
    assert value(tally["relation.amod.to_dependent"]) == 1
    assert tally["relation.amod.to_dependent"].count == 1


def test_a_pronoun_is_compared_with_the_nearest_noun_before_it():
    words, upos = "boys lost hats when they ran", ("NOUN", "VERB", "NOUN", "SCONJ", "PRON", "VERB")
    pieces, pattern = [[word] for word in range(6)], pointing_at(0, 0, 0, 0, 0, 0, 0, size=7)
    for antecedent, nearest in ((0, 0), (2, 1)):
        tree = sentence(words, upos=upos, antecedents={4: antecedent})
        tally = relation_tallies(pattern, tree, pieces)["antecedent"]
        assert tally.count == 1
        assert tally.baselines["nearest noun"] == nearest
        assert value(tally) == 1 - nearest


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
    dice = np.random.default_rng(0)
    patterns = dice.random((4_000, 7, 7)) * causal(7)
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


def test_alignment_error_is_och_and_neys():
    gold = Alignment(frozenset({(0, 0), (1, 1)}), frozenset({(2, 2)}))
    perfect, wrong = np.array([0, 1, 2]), np.array([2, 2, 2])
    tally = error_tally(np.stack([perfect, wrong]), gold, 3)
    # A has three links: 1 - (2 + 3) / (3 + 2) and 1 - (0 + 1) / (3 + 2)
    assert (tally.totals / tally.count).tolist() == [0, pytest.approx(4 / 5)]
    assert tally.baselines["diagonal"] == 0 and tally.n == 3
    assert diagonal(4, 4).tolist() == [0, 1, 2, 3]


def test_the_same_matrix_aligns_under_one_reading_and_not_under_the_other():
    cross = np.eye(4)[None, None]  # row i predicts piece i and looks at source piece i
    run = SimpleNamespace(attention={"cross": cross}, transformed={"cross": np.ones((1, 1, 4, 2))})
    gold = Alignment(frozenset({(0, 0), (1, 1), (2, 2)}), frozenset())
    words = [[0], [1], [2]]
    found = alignment_tallies(run, gold, words, words)
    assert value(found["aer.predicted"]) == 0
    assert value(found["aer.read"]) == 1
    assert value(alignment_tallies(
        SimpleNamespace(attention={"cross": np.roll(cross, 1, -2)}, transformed=run.transformed),
        gold, words, words,
    )["aer.read"]) == 0  # fmt: skip


def test_by_norm_a_weight_on_an_empty_value_aligns_nothing():
    cross = np.array([[0.4, 0.6, 0], [0, 0.6, 0.4], [0, 0, 1]])[None, None]
    values = np.array([[1.0, 0], [0.1, 0], [1, 0]])[None, None]
    run = SimpleNamespace(attention={"cross": cross}, transformed={"cross": values})
    gold = Alignment(frozenset({(0, 0)}), frozenset())
    found = alignment_tallies(run, gold, [[0], [1]], [[0]])
    assert value(found["aer.predicted"]) == 1
    assert value(found["aer.predicted.norm"]) == 0
