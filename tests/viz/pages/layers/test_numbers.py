"""Layers: every number of the page follows from the run's own arrays, whatever the model."""

import numpy as np
import pytest

from model.inspect.sublayers import PARTS, sublayers
from viz.pages.layers import numbers

OTHER = "A dog follows the cat."


def steps_of(tiny, stack):
    return sublayers(stack, tiny.config.layers)


@pytest.mark.parametrize("stack", PARTS)
def test_lengths_and_cosines_are_those_of_the_arrays(tiny, trace, stack):
    steps, row = steps_of(tiny, stack), 2
    found = numbers.added(trace.stream[stack], steps, row)
    for number, step in enumerate(steps):
        before, output, after = (trace.points[path][row] for path in step[4:])
        assert found.before[number] == pytest.approx(np.sqrt((before**2).sum()), rel=1e-5)
        assert found.added[number] == pytest.approx(np.sqrt((output**2).sum()), rel=1e-5)
        assert found.after[number] == pytest.approx(np.sqrt((after**2).sum()), rel=1e-5)
        expected = before @ output / found.before[number] / found.added[number]
        assert found.cosine[number] == pytest.approx(expected, abs=1e-5)
    assert (abs(found.cosine) <= 1 + 1e-9).all()
    np.testing.assert_allclose(found.before[1:], found.after[:-1])  # what leaves one enters the next
    assert numbers.heights(trace.stream[stack], steps).shape[0] == len(steps) + 1


@pytest.mark.parametrize("stack", PARTS)
def test_the_formula_of_the_layer_norm_gives_the_models_own_numbers(tiny, trace, stack):
    for step in steps_of(tiny, stack):
        total, norm = numbers.totals(trace.stream[stack], step), trace.norm(step.after)
        for row, dimension in ((0, 0), (len(total) - 1, tiny.config.width - 1)):
            one = numbers.one_norm(total[row], norm, dimension)
            assert one.result == pytest.approx(trace.points[step.after][row, dimension], abs=1e-4)
            assert one.weight * (one.x - one.mean) / one.spread + one.bias == pytest.approx(one.result)


def test_spreads_are_means_and_deviations_over_the_width(tiny, trace):
    steps = steps_of(tiny, "decoder")
    found = numbers.spreads(trace.stream["decoder"], steps, 1)
    step = steps[-1]
    before = (trace.points[step.before] + trace.points[step.output])[1]
    after = trace.points[step.after][1]
    assert found.mean_before[-1] == pytest.approx(before.mean(), abs=1e-5)
    assert found.spread_before[-1] == pytest.approx(np.sqrt(((before - before.mean()) ** 2).mean()), rel=1e-4)
    assert found.mean_after[-1] == pytest.approx(after.mean(), abs=1e-5)
    assert found.spread_after[-1] == pytest.approx(after.std(), rel=1e-4)


@pytest.mark.parametrize("stack", PARTS)
def test_only_batch_norm_depends_on_who_else_is_in_the_batch(tiny, trace, stack):
    step = steps_of(tiny, stack)[-1]
    here, there = (numbers.totals(run.stream[stack], step) for run in (trace, tiny.trace(OTHER)))
    norms = [numbers.both_norms(here, there, row, 1e-5) for row in range(len(here))]
    for each in norms:
        np.testing.assert_array_equal(each.layer_alone, each.layer_together)
        assert abs(each.batch_alone - each.batch_together).max() > 1e-3
        assert each.layer_alone.mean() == pytest.approx(0, abs=1e-6)
    # Over the sentence alone, batch norm brings every dimension to mean 0.
    np.testing.assert_allclose(np.mean([each.batch_alone for each in norms], axis=0), 0, atol=1e-6)


def test_the_map_is_flat_square_and_shows_what_it_says():
    dice = np.random.default_rng(1)
    points = dice.standard_normal((6, 5, 12)) * np.linspace(3, 0.1, 12)
    plane = numbers.fit_plane(points)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-9)
    spread = np.linalg.eigvalsh(np.cov(points.reshape(-1, 12).T, bias=True))
    assert plane.share(points) == pytest.approx(spread[-2:].sum() / spread.sum())
    np.testing.assert_allclose(
        plane.axes, numbers.fit_plane(points[::-1]).axes, atol=1e-6
    )  # no dice in signs
    flat = plane.centre + plane.place(points) @ plane.axes
    assert plane.share(flat) == pytest.approx(1)
    np.testing.assert_allclose(plane.place(flat), plane.place(points), atol=1e-9)


def test_strongest_units_are_the_largest(tiny, trace):
    hidden = trace.stream["encoder"]["encoder.layers.0.feed_forward.hidden"][1]
    best = numbers.strongest(hidden)
    assert len(best) == 10 and sorted(hidden)[-10:] == sorted(hidden[best])
    assert (np.diff(hidden[best]) <= 0).all()


def test_the_last_list_of_the_vocabulary_is_the_models_own_prediction(trace):
    for row, (piece, log_prob) in enumerate(zip(trace.target.predicted_ids, trace.log_probs, strict=True)):
        ranks = numbers.ranks(trace.top.ids[:, row], piece)
        assert trace.top.ids[-1, row, ranks[-1] - 1] == piece
        assert trace.top.log_probs[-1, row, ranks[-1] - 1] == pytest.approx(log_prob, abs=1e-4)


def test_parameters_are_counted_as_the_model_has_them(tiny):
    for stack in PARTS:
        for step in steps_of(tiny, stack):
            module = tiny.model.get_submodule(step.where)
            expected = sum(parameter.numel() for parameter in module.parameters())
            assert numbers.parameters(step.part, tiny.config.width, tiny.config.hidden) == expected


def test_the_first_token_shown_is_the_last_word():
    assert numbers.usual_row(("▁the", "▁cat", ".", "</s>"), (0, 1, 1, -1)) == 1
    assert numbers.usual_row(("<s>", "<0xED>", "!"), (-1, 0, 0)) == 0  # no letter at all: the first
    assert numbers.usual_row(("</s>",), (-1,)) == 0
