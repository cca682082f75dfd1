"""What is done to single heads: scaled, levelled, set by hand."""

import numpy as np
import pytest

from model.inspect import edits
from tests.helpers.edited import CLOSE, DECODER, ENCODER, trace
from tests.helpers.inspected import TARGET


def test_silencing_a_head_is_zeroing_its_slice_of_the_input_of_the_output_matrix(calm):
    edited = trace(edits.Scale(ENCODER, 2), target=TARGET)
    before, after = (each.points[f"{ENCODER}.output"] for each in (calm, edited))
    np.testing.assert_allclose(after, before - calm.head_output["encoder"][1, 2], atol=CLOSE)


def test_scaling_by_one_changes_nothing(calm):
    edited = trace(edits.Scale(ENCODER, 2, 1.0), target=TARGET)
    np.testing.assert_allclose(edited.log_probs, calm.log_probs, atol=CLOSE)


def test_a_uniform_head_looks_at_all_it_may_alike():
    pattern = trace(edits.Uniform(DECODER, 3), target=TARGET).attention["decoder"][1, 3]
    for row, weights in enumerate(pattern):
        np.testing.assert_allclose(weights[: row + 1], 1 / (row + 1), atol=1e-6)


def test_a_replaced_row_is_the_row_given_and_no_other_moves(calm):
    edited = trace(edits.Row(ENCODER, 1, 2, (1.0, 0.0, 3.0)), target=TARGET)
    before, after = (each.attention["encoder"][1].copy() for each in (calm, edited))
    np.testing.assert_allclose(after[1, 2, :4], [0.25, 0, 0.75, 0], atol=1e-6)
    before[1, 2] = after[1, 2]
    np.testing.assert_allclose(after, before, atol=CLOSE)


def test_a_replaced_cell_takes_from_the_others_in_proportion(calm):
    edited = trace(edits.Cell(ENCODER, 1, 2, 5, 0.9), target=TARGET)
    before, after = (each.attention["encoder"][1, 1, 2] for each in (calm, edited))
    others = np.arange(len(before)) != 5
    assert after[5] == pytest.approx(0.9, abs=1e-6)
    np.testing.assert_allclose(after[others], before[others] / before[others].sum() * 0.1, atol=1e-6)


def test_without_the_root_scores_are_the_bare_products(calm):
    edited = trace(edits.Unscale("encoder.layers.0.self_attention"), target=TARGET)
    expected = calm.query["encoder"][0] @ calm.key["encoder"][0].swapaxes(-1, -2)
    np.testing.assert_allclose(edited.scores["encoder"][0], expected, atol=1e-4)


def test_any_weights_have_a_sum():
    for weights in ((1e-46, 1e-46), (1e300, 1e300)):
        found = trace(edits.Row(ENCODER, 1, 2, weights), target=TARGET).attention["encoder"][1, 1, 2]
        np.testing.assert_allclose(found[:3], [0.5, 0.5, 0], atol=1e-6)
