"""Figures show the numbers they were given, under labels that readers can read."""

from html import unescape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.figures.heatmap import attention_heatmap
from viz.figures.labels import escaped, join, readable
from viz.pages.look.figures import cosine_by_layer, cosine_svg, cosines
from viz.text import LANGUAGES, translate

say = translate("en")


def pattern_of(queries: int, keys: int) -> np.ndarray:
    weights = np.random.default_rng(0).random((queries, keys))
    return weights / weights.sum(-1, keepdims=True)


@pytest.fixture
def causal():
    mask = np.tri(4, dtype=bool)
    pattern = np.where(mask, 1.0, 0.0) / mask.sum(-1, keepdims=True)
    return pattern, mask, ["<s>", "the", "the", "end"]


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
        "0": "&lt;s&gt;", "1": "the", "2": "the", "3": "end",
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
    pieces = ["everything"] * 40
    figure = attention_heatmap(pattern_of(40, 40), pieces, pieces, say)
    assert len(figure.to_json().encode()) <= 60_000


def test_a_long_sentence_keeps_legible_rows_and_a_short_one_a_legible_title():
    def height(rows: int) -> int:
        return attention_heatmap(pattern_of(rows, 2), ["a"] * rows, ["b"] * 2, say).layout.height

    assert height(1) == height(2) >= 300
    assert height(200) >= 200 * 12


@pytest.mark.parametrize("length", [1, 40, 100, 101, 512])
def test_every_piece_has_a_label_and_labels_do_not_crowd(length):
    pieces = ["a"] * length
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
        ("", "␣"),
        ("<0xEC>", "0xEC"),
        ("<0x26>", "&"),
        ("</s>", "⟨end⟩"),
        ("<", "<"),
        ("▁<b>", "<b>"),
    ],
)
def test_pieces_are_shown_as_readers_see_them(piece, shown):
    assert readable(piece, say) == shown


@given(st.text())
def test_no_label_can_be_read_as_a_tag(label):
    assert "<" not in escaped(label) and ">" not in escaped(label)
    assert unescape(escaped(label)) == label


@pytest.mark.parametrize(
    ("pieces", "word"),
    [
        (["▁bicy", "cle"], "bicycle"),
        (["▁", "<0xED>", "<0x95>", "<0x9C>"], "한"),
        (["▁caf", "é", "<0xED>"], "café\ufffd"),
        (["▁"], "␣"),
    ],
)
def test_the_pieces_of_a_word_make_the_word(pieces, word):
    assert join(pieces, say) == word


@pytest.mark.parametrize("colour", ["root", "log"])
def test_another_colour_scale_keeps_the_number_to_read_and_names_itself(causal, colour):
    pattern, mask, words = causal
    (grid,) = attention_heatmap(pattern, words, words, say, mask=mask, colour=colour).data
    np.testing.assert_array_equal(grid.customdata[mask], pattern[mask].astype(np.float32))
    assert "customdata" in grid.hovertemplate
    assert say(f"colour.{colour}") in grid.colorbar.title.text
    assert np.all(grid.z[mask] >= 0) and np.all(grid.z[mask] <= 1)
    order = np.argsort(pattern[mask], kind="stable")
    assert np.all(np.diff(grid.z[mask][order]) >= 0)
    ends = [float(text) for text in grid.colorbar.ticktext]
    assert ends[-1] == 1 and grid.colorbar.tickvals[-1] == 1


def test_a_scale_for_lengths_ends_at_the_longest():
    (grid,) = attention_heatmap(3 * pattern_of(2, 2), ["a", "b"], ["a", "b"], say, most=2.5).data
    assert (grid.zmin, grid.zmax) == (0, 2.5)


def test_cosines_are_one_for_the_same_direction_and_drawn_as_they_are():
    dice = np.random.default_rng(0)
    first, second = dice.normal(size=(5, 16)), dice.normal(size=(5, 16))
    np.testing.assert_allclose(cosines(first, 3 * first), 1)
    expected = [
        np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b) for a, b in zip(first, second, strict=True)
    ]
    (line,) = cosine_by_layer(first, second, say).data
    np.testing.assert_allclose(line.y, expected, rtol=1e-5)


def test_the_drawing_of_cosines_writes_every_number():
    alike = np.array([1.0, 0.5, -0.25])
    drawing = cosine_svg(alike, say, title="<it>")
    assert all(f"{value:.4f}" in drawing for value in alike)
    assert "<it>" not in drawing
