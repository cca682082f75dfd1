"""Whatever is hidden, merged or combined: what is drawn are the run's own numbers."""

import numpy as np
import pytest

from model.inspect import metrics
from model.network.kinds import KINDS
from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.state.picture import picture, sides
from viz.state.selection import Selection
from viz.text import translate

TEXT = "The dog sees the cat and the cat sees the dog."
say = translate("en")


@pytest.fixture(scope="module")
def trace():
    return tiny_translator(tiny_tokenizer()).trace(TEXT)


@pytest.mark.parametrize("kind", KINDS)
def test_the_plain_picture_is_the_runs_own_array(trace, kind):
    shown = picture(trace, Selection(kind=kind, layer=1, head=(1,)), say)
    np.testing.assert_array_equal(shown.combined, trace.attention[kind][1, 1])
    np.testing.assert_array_equal(shown.mask, trace.mask[kind][1, 1])
    assert shown.hidden is None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("units", Selection.options("units"))
@pytest.mark.parametrize("special", Selection.options("special"))
@pytest.mark.parametrize("reading", Selection.options("reading"))
def test_rows_of_weights_always_sum_to_one(trace, kind, units, special, reading):
    chosen = Selection(kind=kind, head=(0, 1), units=units, special=special, reading=reading)
    shown = picture(trace, chosen, say)
    sums = shown.weights.sum(-1)
    assert np.all(np.isclose(sums, 1, atol=1e-5) | np.isclose(sums, 0, atol=1e-6))
    assert shown.weights.shape == (2, len(shown.queries), len(shown.keys))
    assert shown.combined.shape == shown.mask.shape == shown.weights.shape[1:]
    assert np.all(shown.combined[~shown.mask] == 0)
    assert [shown.row_of(places[0]) for places in shown.query_positions] == list(range(len(shown.queries)))


def test_hiding_special_tokens_says_how_much_they_held(trace):
    shown = picture(trace, Selection(kind="encoder", head=(1,), special="hidden"), say)
    special = metrics.special_mass(trace.attention["encoder"][0, 1], trace.source.words)
    np.testing.assert_allclose(shown.hidden, special[: len(shown.hidden)], atol=1e-6)
    assert "⟨end⟩" not in shown.queries + shown.keys


def test_words_are_whole_words(trace):
    shown = picture(trace, Selection(kind="encoder", units="words"), say)
    assert " ".join(shown.keys[:-1]) == TEXT
    assert shown.keys[-1] == "⟨end⟩"


def test_norms_are_the_lengths_of_what_is_added(trace):
    shown = picture(trace, Selection(kind="cross", layer=1, head=(0,), weighting="norm"), say)
    added = trace.attention["cross"][1, 0][:, :, None] * trace.transformed["cross"][1, 0][None]
    np.testing.assert_allclose(shown.combined, np.linalg.norm(added, axis=-1), rtol=1e-4, atol=1e-6)
    assert shown.most == pytest.approx(shown.weights.max())


def test_several_heads_make_one_map(trace):
    both = trace.attention["encoder"][0, [0, 1]]
    for combine, expected in (("mean", both.mean(0)), ("max", both.max(0))):
        shown = picture(trace, Selection(kind="encoder", head=(0, 1), combine=combine), say)
        np.testing.assert_allclose(shown.combined, expected, atol=1e-7)


def test_the_two_readings_name_the_same_rows(trace):
    for kind in ("decoder", "cross"):
        read, predicted = (sides(trace, kind, reading)[0].pieces for reading in ("read", "predicted"))
        assert read[1:] == predicted[:-1]
        shown = [
            picture(trace, Selection(kind=kind, reading=reading), say)
            for reading in Selection.options("reading")
        ]
        np.testing.assert_array_equal(shown[0].combined, shown[1].combined)
        assert shown[0].keys == shown[1].keys


def test_the_strongest_cell_is_where_one_may_look(trace):
    shown = picture(trace, Selection(kind="decoder"), say)
    row, column = shown.strongest()
    assert shown.combined[row, column] == shown.combined[shown.mask].max()
    assert shown.strongest(row=0) == (0, 0)
    assert shown.strongest(column=2)[1] == 2
