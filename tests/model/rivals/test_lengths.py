"""Quality by length: every sentence in its bucket, every score that of the sentences it says."""

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from model.__main__ import main
from model.commands import rivals as command
from model.rivals import FACTS, RIVALS
from model.rivals.joined import joined
from model.rivals.lengths import FILE, LEAST, MEASURES, buckets, measure, words_of
from model.training.evaluation import quality
from tests.helpers.rivals import LONGEST, tiny_rivals, write_rivals
from tests.helpers.tiny import PAIRS, write_pairs

LONGER = [tuple(f"{side} {side}" for side in pair) for pair in PAIRS[:26]]
ASKED = [*PAIRS[::6], *LONGER]


@pytest.fixture(scope="module")
def rivals():
    return {name: each for name, each in tiny_rivals().items() if name in ("recurrent", "transformer")}


@pytest.fixture(scope="module")
def found(rivals):
    return measure(rivals, ASKED, LONGEST)


@given(some.lists(some.integers(1, 80), max_size=400), some.integers(3, 40))
def test_buckets_hold_each_sentence_once_and_never_both_sides_of_what_was_learned(lengths, longest):
    made = buckets(lengths, longest, least=5, most=1000)
    rows = [row for bucket in made for row in bucket.rows]
    assert len(rows) == len(set(rows))
    for bucket in made:
        assert len(bucket.rows) >= 5 and (bucket.last <= longest or bucket.first > longest)
        assert all(bucket.first <= lengths[row] <= bucket.last for row in bucket.rows)
    for before, after in combinations(made, 2):
        assert before.last < after.first
    for side in (range(1, longest + 1), range(longest + 1, 61)):  # what is left out was too little
        there = sum(length in side for length in lengths)
        taken = sum(len(bucket.rows) for bucket in made if bucket.last in side)
        assert taken == there or (taken == 0 and there < 5)


def test_of_many_sentences_some_are_taken_from_all_over():
    (bucket,) = buckets([4] * 1000, 24, most=100)
    assert len(bucket.rows) == 100 and bucket.rows[0] < 10 and bucket.rows[-1] >= 990


def test_scores_are_those_of_the_sentences_in_each_bucket(found, rivals):
    places = [
        [pair for pair in ASKED if each["first"] <= words_of(pair[0]) <= each["last"]]
        for each in found["buckets"]
    ]
    assert [len(part) for part in places] == [each["sentences"] for each in found["buckets"]]
    everything = [pair for part in places for pair in part]
    for name, rival in rivals.items():
        for place, pairs in enumerate([*places, everything]):
            pieces = sum(len(rival.read(target).ids) for _, target in pairs)
            value, low, high = found["models"][name]["log_prob"][place]
            assert value == pytest.approx(sum(rival.score(pairs)) / pieces, abs=1e-3)
            assert low <= value <= high
            written = [each.text for each in rival.translate_many([source for source, _ in pairs])]
            expected = quality(written, [target for _, target in pairs]).bleu
            assert found["models"][name]["bleu"][place][0] == pytest.approx(expected, abs=1e-3)


def test_differences_are_those_of_the_scores(found):
    (gap,) = found["beside"]
    one, other = (found["models"][gap[side]] for side in ("one", "other"))
    for name in MEASURES:
        for apart, mine, its in zip(gap[name], one[name], other[name], strict=True):
            assert apart[0] == pytest.approx(mine[0] - its[0], abs=2e-4)
            assert apart[1] <= apart[0] <= apart[2]


def test_too_few_pairs_are_refused_in_one_sentence(rivals):
    with pytest.raises(ValueError, match=f"3 pairs .* each length needs {LEAST}"):
        measure(rivals, PAIRS[:3], LONGEST)


def test_the_command_measures_all_five_within_and_beyond_what_they_learned(tmp_path, capsys, monkeypatch):
    write_rivals(tmp_path)
    few = [each for each in command.PROBES["hand"]() if each.alignment][:4]
    monkeypatch.setitem(command.PROBES, "hand", lambda: few)
    write_pairs(pairs := tmp_path / "pairs.tsv", PAIRS[:60])
    assert main(["rivals", "--pairs", str(pairs), "--folder", str(tmp_path)]) == 0
    made = json.loads((tmp_path / FILE).read_text("utf-8"))
    assert [*made["models"]] == [*RIVALS] and made["longest"] == LONGEST
    within = sum(each["sentences"] for each in made["buckets"] if each["last"] <= LONGEST)
    beyond = sum(each["sentences"] for each in made["buckets"] if each["first"] > LONGEST)
    assert within == 60 and beyond >= LEAST
    assert len(made["beside"]) == len(RIVALS) * (len(RIVALS) - 1) // 2
    for name, each in made["models"].items():
        facts = json.loads((tmp_path / name / FACTS).read_text("utf-8"))
        assert each["training"] == facts
        assert (each["aligned"] is None) == (name == "recurrent")
        assert len(each["bleu"]) == len(each["log_prob"]) == len(made["buckets"]) + 1
    said = capsys.readouterr().out
    assert "target_pieces\tthe same\t4000" in said and "bleu" in said


@given(some.lists(some.integers(1, 12), min_size=1, max_size=80), some.integers(5, 30))
def test_longer_texts_are_whole_sentences_after_each_other(lengths, longest):
    pairs = [(" ".join([f"s{row}"] * length), f"t{row}") for row, length in enumerate(lengths)]
    ends = [longest, longest + 10, longest + 25]
    for source, target in joined(pairs, ends):
        assert longest < words_of(source) <= ends[-1]
        rows = [int(word[1:]) for word in target.split()]
        assert len(set(rows)) == len(rows)
        assert source == " ".join(pairs[row][0] for row in rows)


def test_an_unfair_comparison_is_called_one():
    alike = {"pairs": 9, "target_pieces": 80, "source_words": 8, "steps": 4, "weights": 100, "rates": {},
             "rate": 0.1, "seconds": 1}  # fmt: skip
    told = list(command.fairness({"one": alike, "other": alike | {"target_pieces": 90, "weights": 110}}))
    assert ("pairs", "the same", 9) in told and ("target_pieces", "DIFFERENT", 80, 90) in told
    assert ("weights", "apart by", "10.0%") in told
