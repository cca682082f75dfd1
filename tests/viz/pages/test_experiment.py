"""What an experiment says is what the model did: recomputed run by run, without batches."""

import json
import re
from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from model.inspect import edits as kinds
from model.inspect.edits_json import from_json, to_json
from model.inspect.variants import all_heads
from tests.helpers.tiny import tiny_config, tiny_tokenizer, tiny_translator
from viz.pages.experiment.numbers.changes import changed_words, describe, head_of, switched_off
from viz.pages.experiment.numbers.importance import (
    candidates,
    drops,
    keeping,
    rank_correlation,
    ranked,
    steps,
    together,
)
from viz.pages.experiment.numbers.stories import change, label, lesson, offered
from viz.pages.experiment.panels.compare import marked
from viz.state.kept import Kept
from viz.text import LANGUAGES, translate

SENTENCE = "The cook burned the soup again."
EVERY = [
    kinds.Scale("encoder.layers.0.self_attention", 2, 0.0),
    kinds.Scale("decoder.layers.*.cross_attention", 2, 1.5),
    kinds.Uniform("decoder.layers.1.self_attention", 1),
    kinds.Row("encoder.layers.0.self_attention", 0, 1, (0.5, 0.5)),
    kinds.Cell("decoder.layers.0.cross_attention", 0, 1, 2, 0.25),
    kinds.Hide(1),
    kinds.Hide(500),
    kinds.Temperature("encoder.layers.*.self_attention", 2.0),
    kinds.Unscale("encoder.layers.*.self_attention"),
    kinds.PositionsOff(),
    kinds.PositionsShift(3, "decoder"),
    kinds.Shuffle(4),
    kinds.LiftMask(),
    *(kinds.Skip("decoder.layers.1.feed_forward", part) for part in ("sublayer", "residual", "norm")),
    kinds.CopyHead("encoder.layers.0.self_attention", 1, "Another sentence."),
    kinds.CopyStream("encoder.layers.0.after_attention", "Another sentence."),
]


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(SENTENCE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edit_has_a_name_of_its_own(trace, language):
    names = [describe(edit, trace, translate(language)) for edit in EVERY]
    assert len(set(names)) == len(EVERY)
    assert from_json(to_json(EVERY)) == tuple(EVERY)


def test_an_edit_is_about_one_head_or_about_none():
    about = [edit for edit in EVERY if head_of(edit)]
    assert [type(edit) for edit in about] == [
        kinds.Scale,
        kinds.Uniform,
        kinds.Row,
        kinds.Cell,
        kinds.CopyHead,
    ]
    assert [head_of(edit) for edit in about[:2]] == [("encoder", 0, 2), ("decoder", 1, 1)]
    assert all(head_of(head.silenced) == tuple(head) for head in all_heads(tiny_config()))


def test_an_edited_head_is_known_as_one_that_is_off():
    assert switched_off(EVERY) == {("encoder", 0, 2)}


STORIES = [
    {"name": f"{way}-{n}", "way": way} for n, way in enumerate(["head"] * 4 + ["hide", "order", "hide"])
]


def test_the_best_of_every_way_is_offered_before_the_second_of_any():
    assert [each["name"] for each in offered(STORIES, 5)] == [
        "head-0",
        "hide-4",
        "order-5",
        "head-1",
        "hide-6",
    ]
    assert offered([]) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", ["head", "hide", "order", "root", "future"])
def test_every_way_has_a_button_and_a_lesson(language, way):
    story = {
        "way": way, "hidden": "n't", "word": {"before": "elle", "after": "il"},
        "words": {"before": "elle … petite", "after": ""}, "chance": {"before": 0.83, "after": 0.0002},
    }  # fmt: skip
    speak = translate(language)
    assert label(story, "cross 4·1", speak) and change(story, speak).startswith("elle … petite")
    said = lesson(story, "cross 4·1", "", speak)
    assert "{" not in said and ("< 0.1%" in said or way in ("hide", "order"))


@given(some.lists(some.sampled_from("abc")), some.lists(some.sampled_from("abc")))
def test_what_is_not_marked_is_the_same_in_both(before, after):
    first, second = changed_words(before, after)
    kept = [[word for word, new in zip(words, marks, strict=True) if not new]
            for words, marks in ((before, first), (after, second))]  # fmt: skip
    assert kept[0] == kept[1]
    if before == after:
        assert not any(first) and not any(second)


def test_marked_text_is_the_translation_and_harmless(translator, trace):
    other = translator.trace(SENTENCE, target="<b>Le</b> chat & moi")
    html = marked(other, trace)
    assert "<b>" not in html and "<mark" in html and "&lt;" in html
    assert "<mark" not in marked(trace, trace)


def test_drops_are_what_silencing_costs(translator, trace):
    heads = all_heads(translator.config)[::17]
    ids = trace.target.predicted_ids
    silenced = np.array(
        [translator.trace(SENTENCE, target=ids, edits=[head.silenced]).log_probs for head in heads]
    )
    found = drops(trace.log_probs, silenced)
    for head, value in zip(heads, found, strict=True):
        alone = translator.trace(SENTENCE, target=ids, edits=[head.silenced]).log_probs.sum()
        np.testing.assert_allclose(trace.log_probs.sum() - alone, value, atol=1e-4)
    assert abs(found[ranked(found)[0]]) == abs(found).max()
    np.testing.assert_allclose(drops(trace.log_probs, silenced, 1), (trace.log_probs - silenced)[:, 1])


def test_pairs_that_cost_more_together_are_found_and_others_are_not():
    alone = np.array([3.0, 2.0, 1.0])
    pairs = candidates(alone)
    assert pairs == [(0, 1), (0, 2), (1, 2)]
    found = together(pairs, np.array([5.5, 3.0, 9.0]), alone)
    assert [(pair.first, pair.second) for pair in found] == [(1, 2), (0, 1)]


@given(some.integers(1, 200))
def test_pruning_goes_from_all_to_none(count):
    kept = steps(count)
    assert kept[0] == count and kept[-1] == 0 and kept == sorted(set(kept), reverse=True) and len(kept) <= 26
    order = list(range(count))[::-1]
    assert [len(keeping(order, each)) for each in kept] == [count - each for each in kept]


@given(some.lists(some.integers(-5, 5), min_size=3, max_size=8))
def test_rank_correlation_ignores_scale_and_turns_with_the_sign(values):
    found = np.array(values, float)
    if found.std() == 0:
        assert np.isnan(rank_correlation(found, found))
        return
    assert rank_correlation(found, found**3 + 2 * found) == 1
    assert rank_correlation(found, -found) == -1


def test_the_same_pieces_are_unchanged_also_where_they_touch_another():
    tiny = tiny_translator(tiny_tokenizer())
    one, other = (tiny.trace("A dog.", target=text) for text in ("l'été.", "une été."))
    assert one.target.predicted_ids[-4:] == other.target.predicted_ids[-4:]
    marks = re.findall("<mark[^>]*>([^<]*)", marked(one, other))
    assert unescape("".join(marks)) == "l'"


def test_findings_are_kept_and_the_oldest_go():
    kept = Kept(most=2)
    for number in range(3):
        kept.put(number, np.array(number))
    assert kept.get(0) is None and kept.get(2) == 2
    kept.get(1)
    kept.put(3, 3)
    assert kept.get(1) == 1 and kept.get(2) is None


@pytest.mark.parametrize(
    "text",
    [
        '[{"edit": "fly"}]',
        "nonsense",
        '[{"edit": "scale", "where": "kitchen", "head": 1}]',
        '{"edit": 3}',
        "[1]",
    ],
)
def test_nonsense_is_refused_by_a_sentence(text):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        from_json(text)


def test_edits_survive_their_link():
    assert json.loads(to_json(EVERY))[0] == {
        "edit": "scale", "where": "encoder.layers.0.self_attention", "head": 2, "factor": 0.0
    }  # fmt: skip
