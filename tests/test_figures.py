"""Figures show the numbers they were given, under labels that readers can read."""

from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.figures.heatmap import attention_heatmap
from viz.figures.labels import labels, readable
from viz.text import LANGUAGES, translate

say = translate("en")


def pattern_of(queries: int, keys: int) -> np.ndarray:
    weights = np.random.default_rng(0).random((queries, keys))
    return weights / weights.sum(-1, keepdims=True)


@pytest.fixture
def causal():
    mask = np.tri(4, dtype=bool)
    pattern = np.where(mask, 1.0, 0.0) / mask.sum(-1, keepdims=True)
    return pattern, mask, ["<s>", "▁the", "▁the", "▁end"]


def test_masked_cells_are_empty_and_the_others_exact(causal):
    pattern, mask, pieces = causal
    (grid,) = attention_heatmap(pattern, pieces, pieces, say, mask=mask).data
    assert grid.z.dtype == np.float32
    np.testing.assert_array_equal(np.isnan(grid.z), ~mask)
    np.testing.assert_array_equal(grid.z[mask], pattern[mask].astype(np.float32))
    assert (grid.zmin, grid.zmax) == (0, 1)


def test_a_word_said_twice_keeps_two_positions(causal):
    pattern, _, pieces = causal
    figure = attention_heatmap(pattern, pieces, pieces, say)
    assert dict(figure.layout.xaxis.labelalias) == {
        "0": "⟨start⟩", "1": "the", "2": "the", "3": "end",
    }  # fmt: skip
    assert figure.data[0].x is None  # so the coordinates are the positions


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_axes_say_who_looks_and_who_is_looked_at(causal, language):
    pattern, _, pieces = causal
    say = translate(language)
    axes = {"rows": "axis.target.read", "columns": "axis.target.key"}
    layout = attention_heatmap(pattern, pieces, pieces, say, **axes).layout
    assert layout.yaxis.title.text == say("axis.target.read")
    assert layout.xaxis.title.text == say("axis.target.key")


def test_a_pattern_that_does_not_fit_its_words_is_refused():
    with pytest.raises(ValueError, match="2 queries × 3 keys"):
        attention_heatmap(pattern_of(3, 2), ["a", "b"], ["a", "b", "c"], say)


def test_a_mask_that_does_not_fit_its_pattern_is_refused(causal):
    pattern, mask, pieces = causal
    with pytest.raises(ValueError):
        attention_heatmap(pattern, pieces, pieces, say, mask=mask[None])


def test_one_head_of_forty_pieces_weighs_at_most_sixty_kilobytes():
    pieces = ["▁everything"] * 40
    figure = attention_heatmap(pattern_of(40, 40), pieces, pieces, say)
    assert len(figure.to_json().encode()) <= 60_000


def test_a_long_sentence_keeps_legible_rows_and_a_short_one_a_legible_title():
    def height(rows: int) -> int:
        return attention_heatmap(pattern_of(rows, 2), ["▁a"] * rows, ["▁b"] * 2, say).layout.height

    assert height(1) == height(2) >= 300
    assert height(200) >= 200 * 12


@pytest.mark.parametrize("length", [1, 40, 100, 101, 512])
def test_every_piece_has_a_label_and_labels_do_not_crowd(length):
    pieces = ["▁a"] * length
    axis = attention_heatmap(pattern_of(length, length), pieces, pieces, say).layout.xaxis
    assert len(axis.labelalias) == length
    assert length / axis.dtick <= 100
    assert axis.dtick == 1 or length > 100


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("▁The", "The"),
        ("cle", "·cle"),
        ("é", "·é"),
        (".", "."),
        ("'", "'"),
        ("▁", "␣"),
        ("<0xEC>", "0xEC"),
        ("<0x26>", "&"),
        ("</s>", "⟨end⟩"),
        ("<", "<"),
        ("▁<b>", "<b>"),
    ],
)
def test_pieces_are_shown_as_readers_see_them(piece, shown):
    assert readable(piece, say) == shown


@given(st.lists(st.text()))
def test_no_label_can_be_read_as_a_tag(pieces):
    for piece, label in zip(pieces, labels(pieces, say), strict=True):
        assert "<" not in label and ">" not in label
        assert unescape(label) == readable(piece, say)
