"""What the cache saves is counted as it is computed; reading with it says what reading without it says."""

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from model.checkpoint import untrained
from model.decoding.remembered import SHORT, measure, measured_steps, multiplications
from model.decoding.search import Run
from model.network.cache import Cache
from model.network.config import START
from model.network.hooks import watch
from tests.helpers.tiny import tiny_config

SOURCE = [5, 6, 7, 8, 2]
WRITTEN = [9, 10, 11, 9, 30, 2]
SHAPES = [{}, {"layers": 3, "heads": 2}, {"hidden": 48}, {"positions": "rotary"}, {"tied": False}]


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@torch.inference_mode()
def test_multiplications_are_those_that_happen(shape, cached):
    """Exactly: every product with a matrix, which the counter takes for two operations a multiplication."""
    model = untrained(tiny_config(**shape))
    run = Run(model, [SOURCE], cached=cached)
    for step, id in enumerate([START, *WRITTEN[:-1]]):
        # The plain path, because the counter does not know the fused one of a processor.
        with watch(["decoder.layers.*.scores"]), FlopCounterMode(display=False) as counter:
            run.step([id])
        expected = multiplications(model.config, step, len(SOURCE), cached).total
        assert counter.get_total_flops() == 2 * expected, step


def test_at_the_first_step_nothing_can_be_remembered():
    config = tiny_config()
    assert multiplications(config, 0, 5, True) == multiplications(config, 0, 5, False)
    assert multiplications(config, 9, 5, True).total < multiplications(config, 9, 5, False).total / 4


@torch.inference_mode()
def test_the_difference_is_the_one_between_two_runs():
    model = untrained(tiny_config())
    found = measure(model, SOURCE, WRITTEN)
    runs = [Run(model, [SOURCE], cached=cached) for cached in (True, False)]
    apart = []
    for id in [START, *WRITTEN[:-1]]:
        one, other = (run.step([id]) for run in runs)
        seen = one.isfinite()
        apart.append(float((one[seen] - other[seen]).abs().max()))
    assert found.steps == tuple(range(len(WRITTEN)))
    assert found.difference == pytest.approx(max(apart), abs=1e-5) and found.difference < 1e-4
    assert all(time > 0 for time in (*found.cached, *found.uncached))


def test_a_cache_that_forgets_is_found_out(monkeypatch):
    extend = Cache.extend

    def forget(self, owner, key, value):
        return extend(self, owner, torch.zeros_like(key) if self.length == 2 else key, value)

    model = untrained(tiny_config())
    assert measure(model, SOURCE, WRITTEN).difference < 1e-4
    monkeypatch.setattr(Cache, "extend", forget)
    assert measure(model, SOURCE, WRITTEN).difference > 1e-3


@pytest.mark.parametrize("count", [1, 2, SHORT, SHORT + 1, 128, 512])
def test_a_long_translation_is_measured_at_some_steps(count):
    steps = measured_steps(count)
    assert steps[0] == 0 and steps[-1] == count - 1 and list(steps) == sorted(set(steps))
    assert len(steps) == count if count <= SHORT else 12 <= len(steps) <= SHORT


def test_what_lies_between_measured_steps_is_read_as_well():
    model = untrained(tiny_config())
    long = [9 + place % 40 for place in range(70)]
    found = measure(model, SOURCE, long)
    assert len(found.steps) < len(long) and found.difference < 1e-4
