"""Measured searches: what is told replays, the scores keep their laws, any checkpoint can be asked."""

import json

import numpy as np
import pytest

from model import checkpoint, load
from model.__main__ import main
from model.atlas.searches import pairs_of, searches
from model.atlas.searches.beams import GOOD, LEAST, MOST, SIZES, judged, nearness
from model.atlas.searches.exposure import exposure, first_difference, interval, share
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator

FOUND = json.loads((checkpoint.SHIPPED / "en-fr" / checkpoint.SEARCHES).read_text("utf-8"))
KINDS = ("repaired", "worse")


@pytest.mark.parametrize("case", FOUND["beams"], ids=lambda each: f"{each['kind']}: {each['sentence']}")
def test_a_case_that_ships_replays_exactly(translator, case):
    right = pairs_of(translator.config)[case["sentence"]]
    assert case["reference"] in right and case["other"] < case["size"]
    for size in (case["other"], case["size"]):
        again = translator.translate(case["sentence"], beam=size)
        assert again.text == case["written"][str(size)]
        assert sum(again.log_probs) == pytest.approx(case["totals"][str(size)], abs=1e-4)
        assert nearness(again.text, right) == pytest.approx(case["scores"][str(size)], abs=0.01)
    smaller, larger = (case["scores"][str(case[name])] for name in ("other", "size"))
    gain = larger - smaller if case["kind"] == "repaired" else smaller - larger
    assert gain >= LEAST and max(smaller, larger) >= GOOD


def test_there_are_few_of_each_kind_and_no_sentence_twice():
    assert [each["kind"] for each in FOUND["beams"]] == sorted(each["kind"] for each in FOUND["beams"])
    for kind in KINDS:
        sentences = [each["sentence"] for each in FOUND["beams"] if each["kind"] == kind]
        assert len(set(sentences)) == len(sentences) <= MOST


def test_the_exposure_that_ships_is_what_is_measured(translator):
    """On a part of the sentences; and the whole lies between its own bounds."""
    told = FOUND["exposure"]
    assert told["departed"] <= told["sentences"] == len(pairs_of(translator.config))
    assert told["interval"][0] <= told["difference"] <= told["interval"][1]
    assert told["right"] - told["mistake"] == pytest.approx(told["difference"], abs=2e-4)
    some = dict(list(pairs_of(translator.config).items())[:12])
    found = exposure(translator, some, lambda _: None)
    totals = translator.score([(sentence, right[0]) for sentence, right in some.items()])
    tokens = sum(len(translator.read(right[0]).ids) for right in some.values())
    assert found["forced"]["tokens"] == tokens
    assert np.exp(sum(totals) / tokens) <= found["forced"]["chance"] <= 1  # the mean of a logarithm is less


def test_the_right_word_can_only_help_where_it_leads_to_the_right_end(translator):
    """A right translation that begins as the model would go on once corrected: all remaining words follow."""
    sentence = "The dog sees the cat."
    own = translator.translate(sentence).ids
    other = translator.search(sentence, size=4).hypotheses[1]
    at = first_difference(own, other.ids)
    helped = translator.translate(sentence, prefix=other.ids[: at + 1])
    found = exposure(translator, {sentence: [helped.text]}, lambda _: None)
    assert found is None or found["right"] == 1 >= found["mistake"]


def test_a_share_counts_words_as_often_as_they_are_wanted():
    assert share(["a", "b"], ["b", "a"]) == 1
    assert share(["a", "a"], ["a"]) == 0.5
    assert share(["a"], []) == 0
    assert share(["a"], ["a", "a", "b"]) == 1


def test_an_interval_holds_the_mean_and_shrinks_with_more_sentences():
    some = np.random.default_rng(1).normal(0.2, 1, 40)
    low, high = interval(some)
    more = interval(np.tile(some, 25))
    assert low < some.mean() < high
    assert more[1] - more[0] < (high - low) / 3
    assert interval(np.full(5, 0.25)) == (0.25, 0.25)


def test_only_a_translation_itself_is_entirely_right():
    assert nearness("Le chat dort.", ["Il dort.", "Le chat dort."]) == 100
    assert nearness("Le chat dort", ["Le chat dort."]) < 100
    assert nearness("", ["Le chat dort."]) == 0


def test_the_smallest_beam_that_repairs_is_told():
    assert list(judged(dict.fromkeys(SIZES, 100.0))) == []
    assert list(judged({1: 70.0, 2: 85.0, 4: 100.0, 8: 100.0})) == [("repaired", 1, 4)]
    assert list(judged({1: 100.0, 2: 100.0, 4: 80.0, 8: 80.0})) == [("worse", 1, 4)]


def test_an_untrained_twin_has_none_and_can_be_asked():
    twin = load("en-fr", untrained=True)
    some = dict(list(pairs_of(twin.config).items())[:2])
    found = searches(twin, some)
    assert found["beams"] == []
    assert found["exposure"] is None or found["exposure"]["departed"] <= 2
    json.dumps(found, allow_nan=False)


def test_a_model_of_other_languages_is_asked_nothing():
    tiny = tiny_translator(tiny_tokenizer(), source="de", target="it")
    assert searches(tiny) == {"checkpoint": "tiny", "beams": [], "exposure": None}


def test_the_command_writes_them_into_the_folder(tmp_path, capsys):
    folder, mine = tmp_path / "tiny", tmp_path / "mine.tsv"
    tiny = tiny_translator(tiny_tokenizer())
    checkpoint.save(folder, tiny.model, tiny.tokenizer)
    mine.write_text("".join("\t".join(pair) + "\n" for pair in PAIRS[:2]), "utf-8")
    assert main(["searches", "--checkpoint", str(folder), "--pairs", str(mine)]) == 0
    found = json.loads((folder / checkpoint.SEARCHES).read_text("utf-8"))
    assert found["checkpoint"] == "tiny" and set(found) == {"checkpoint", "beams", "exposure"}
    assert checkpoint.SEARCHES in (folder / "SHA256SUMS").read_text("utf-8")
    checkpoint.load(folder)
    mine.write_text("no translation\n", "utf-8")
    assert main(["searches", "--checkpoint", str(folder), "--pairs", str(mine)]) == 2
    assert "line 1" in capsys.readouterr().err
