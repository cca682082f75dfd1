"""Positions before any sentence: shifts are rotations, and products know the distance alone."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some

from model.network.config import preset
from model.network.positions import frequencies
from viz.pages.positions import Positions, numbers

widths, bases = (some.sampled_from(Positions.options(name)) for name in ("wave_width", "base"))


@given(widths, bases, some.integers(0, 1023), some.integers(-1023, 1023))
def test_a_shift_is_one_rotation_wherever_it_begins(width, base, place, by):
    """R(k) PE(p) = PE(p + k), and R does not know p."""
    turns = frequencies(width, base).numpy()

    def exact(at: int) -> np.ndarray:
        return np.stack([np.sin(at * turns), np.cos(at * turns)], -1)

    matrices = numbers.rotation(by, width, base)
    turned = (matrices @ exact(place)[..., None])[..., 0]
    np.testing.assert_allclose(turned, exact(place + by), atol=1e-9)
    np.testing.assert_allclose(matrices @ matrices.mT, np.broadcast_to(np.eye(2), matrices.shape), atol=1e-12)


@pytest.mark.parametrize("by", [-60, -1, 0, 1, 7, 63])
def test_the_tables_own_numbers_obey_the_rotation(by):
    table = numbers.table(64, 32, 10_000)
    worst = 0.0
    for place in range(64):
        if 0 <= place + by < 64:
            for pair, matrix in enumerate(numbers.rotation(by, 32, 10_000)):
                here = slice(2 * pair, 2 * pair + 2)
                worst = max(worst, abs(matrix @ table[place, here] - table[place + by, here]).max())
    assert numbers.shift_error(table, by, 10_000) == pytest.approx(worst, abs=1e-12)
    assert worst < 1e-5


@pytest.mark.parametrize("base", Positions.options("base"))
def test_a_wave_is_back_after_its_wavelength(base):
    lengths, turns = numbers.wavelengths(16, base), numbers.turns(16, base)
    np.testing.assert_allclose(lengths, [2 * np.pi * base ** (2 * pair / 16) for pair in range(8)])
    np.testing.assert_allclose(np.sin((3 + lengths) * turns), np.sin(3 * turns), atol=1e-9)


def test_products_of_waves_depend_on_the_distance_alone_and_learned_ones_do_not():
    config = preset("tiny")
    alike = numbers.products(numbers.table(48, 32, 10_000))
    distance = abs(np.subtract.outer(np.arange(48), np.arange(48)))
    expected = np.cos(distance[..., None] * frequencies(32).numpy()).sum(-1)
    np.testing.assert_allclose(alike, expected, atol=1e-5)
    turned = numbers.products(numbers.turned(config, 48, 32))
    np.testing.assert_allclose(turned, 2 * expected, atol=1e-4)  # sine and cosine of a vector of ones
    assert numbers.spread(turned) < 1e-4
    learned = numbers.learned(config, 32)
    assert learned.shape == (config.length, 32)
    assert numbers.spread(numbers.products(learned[:48])) > 0.1
    np.testing.assert_array_equal(learned, numbers.learned(config, 32))


def test_looking_at_learned_positions_leaves_everybodys_dice_alone():
    before = torch.random.get_rng_state()
    numbers.learned(preset("tiny"), 16)
    assert torch.equal(before, torch.random.get_rng_state())
