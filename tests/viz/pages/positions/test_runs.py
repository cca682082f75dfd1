"""Positions in a run: parts add up to scores, and shuffled words stay themselves only without positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from model.inspect import edits
from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.pages.positions import numbers
from viz.pages.positions.panels.shuffle import shuffled_order

TEXT = "The cat follows a dog in the garden."


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned"])
def test_the_parts_add_up_to_the_models_own_scores(kind, positions):
    trace = tiny_translator(tiny_tokenizer(), positions=positions).trace(TEXT)
    stream = trace.stream[kind]
    for head in range(trace.scores[kind].shape[1]):
        found = numbers.terms(trace, kind, head)
        np.testing.assert_allclose(found.parts.sum(0), trace.scores[kind][0, head], atol=1e-4)
        assert found.difference < 1e-4
        # Each on its own: what is left when everything else is taken away.
        query_weight, query_bias, key_weight, _ = (array[0, head] for array in trace.projections(kind))
        words, places = (stream[f"{kind}.embedding.{name}"] for name in ("tokens", "positions"))
        root = np.sqrt(len(query_bias))
        content = (words @ query_weight.T) @ (words @ key_weight.T).T / root
        place = (places @ query_weight.T) @ (places @ key_weight.T).T / root
        np.testing.assert_allclose(found.parts[0], content, atol=1e-4)
        np.testing.assert_allclose(found.parts[3], place, atol=1e-4)
        row = found.strongest([True] * len(found.scores))
        seen = np.where(trace.mask[kind][0, head], abs(place), 0)
        assert seen[row].max() == pytest.approx(seen.max(), rel=1e-4)


def test_without_added_positions_scores_do_not_fall_apart():
    for positions in ("rotary", "none"):
        trace = tiny_translator(tiny_tokenizer(), positions=positions).trace(TEXT)
        assert numbers.terms(trace, "encoder", 0) is None


@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "rotary"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_shuffled_words_stay_themselves_only_without_positions(positions, seed):
    translator = tiny_translator(tiny_tokenizer(), positions=positions)
    trace = translator.trace(TEXT)
    path = f"encoder.layers.{translator.config.layers - 1}.after_feed_forward"
    dealt = shuffled_order(len(trace.source.ids), seed)

    def output(*changes: edits.Edit) -> np.ndarray:
        return translator.trace(TEXT, trace.target.predicted_ids, changes, keep=[path]).points[path]

    off, shuffle = edits.PositionsOff("encoder"), edits.Shuffle(seed)
    shuffled = translator.trace(TEXT, trace.target.predicted_ids, [shuffle], keep=[path])
    assert shuffled.source.pieces == tuple(trace.source.pieces[place] for place in dealt)
    without = numbers.moved(output(off), output(off, shuffle), dealt)
    with_positions = numbers.moved(output(), output(shuffle), dealt)
    assert without.largest < 1e-5 and without.distance.max() < 1e-4
    assert with_positions.distance.max() > 100 * without.distance.max()


@given(some.permutations(range(6)))
def test_every_word_is_compared_with_itself(dealt):
    before = np.arange(12.0).reshape(6, 2)
    found = numbers.moved(before, before[list(dealt)], dealt)
    assert found.largest == 0 and not found.distance.any()
