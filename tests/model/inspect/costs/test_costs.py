"""What layers cost: what is timed is what is claimed, counted by torch itself."""

import time

import pytest
import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from model.inspect.costs import timed
from model.inspect.costs.layers import LAYERS, apart, layer, multiplications, overtaken
from model.inspect.costs.scores import additive_scores, bytes_between, compare_scores, dot_scores, sums
from model.network.config import Config

CONFIG = Config(vocabulary=8, width=24, heads=4, layers=1, hidden=8)


def counted(run, x: torch.Tensor) -> int:
    """Multiplications of one call; attention unfused, for torch does not count what is fused."""
    with torch.inference_mode(), sdpa_kernel(SDPBackend.MATH), FlopCounterMode(display=False) as counter:
        made = run(x)
    assert made.shape == x.shape
    return counter.get_total_flops() // 2  # a multiplication and an addition each


@pytest.mark.parametrize("words", [1, 7, 40])
@pytest.mark.parametrize("kernel", [3, 5])
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_multiplies_as_often_as_its_formula_says(name, kernel, words):
    x = torch.randn(1, words, CONFIG.width)
    assert counted(layer(name, CONFIG, kernel), x) == multiplications(name, words, CONFIG.width, kernel)


@pytest.mark.parametrize("rival", LAYERS[1:])
@pytest.mark.parametrize("kernel", [3, 7])
def test_attention_overtakes_its_rivals_where_it_says(rival, kernel):
    for width in (24, 256):
        where = overtaken(rival, width, kernel)
        less, same, more = (
            multiplications("attention", words, width, kernel) - multiplications(rival, words, width, kernel)
            for words in (where - 1, where, where + 1)
        )
        assert less < 0 == same < more


@torch.inference_mode()
def test_cells_apart_multiply_as_often_but_none_hears_another():
    x = torch.randn(1, 9, CONFIG.width)
    recurrent = layer("recurrent", CONFIG, 3)
    alone = apart(recurrent)
    assert counted(alone, x) == counted(recurrent, x)
    other = x.clone()
    other[:, 0] += 1
    changed = [(run(x) - run(other)).abs().amax(-1)[0] > 1e-6 for run in (recurrent, alone)]
    assert changed[0].all()
    assert changed[1].tolist() == [True] + [False] * 8


@torch.inference_mode()
def test_additive_scores_are_those_of_a_loop_over_pairs():
    query, key, weight = torch.randn(3, 5, 6), torch.randn(3, 5, 6), torch.randn(6)
    found = additive_scores(query, key, weight)
    torch.testing.assert_close(additive_scores(query, key, weight, sums(key, query)), found)
    for head in range(3):
        for i in range(5):
            for j in range(5):
                expected = nn.functional.linear(torch.tanh(query[head, i] + key[head, j]), weight)
                torch.testing.assert_close(found[head, i, j], expected)
    torch.testing.assert_close(dot_scores(query, key)[1, 2, 3], query[1, 2].dot(key[1, 3]) / 6**0.5)


def test_bytes_are_those_of_the_tensors_that_are_made():
    query, key = torch.randn(2, 11, 8), torch.randn(2, 11, 8)
    found = compare_scores(query, key)
    assert found.between == sums(query, key).nbytes == bytes_between(2, 11, 8)
    assert found.scores == dot_scores(query, key).nbytes == found.between // 8
    assert found.additive.low <= found.additive.median <= found.additive.high


def test_times_are_medians_of_calls_in_turn(monkeypatch):
    clock, order = iter([0.0, 5.0, 5.0, 6.0, 6.0, 9.0, 9.0, 10.0, 10.0, 11.0, 11.0, 12.0]), []
    monkeypatch.setattr(timed, "thread_time", lambda: next(clock))
    monkeypatch.setattr(timed, "BUDGET", -1)
    found = timed.time_in_turn({"a": lambda: order.append("a"), "b": lambda: order.append("b")})
    assert order == ["a", "b"] * 4  # once for nothing
    assert found["a"] == timed.Timed(3.0, 2.0, 4.0, 3)
    assert found["b"] == timed.Timed(1.0, 1.0, 1.0, 3)


def test_waiting_for_others_is_no_time():
    found = timed.time_in_turn({"idle": lambda: time.sleep(0.002), "busy": lambda: sum(range(200_000))})
    assert found["idle"].median < 0.001 < found["busy"].median


def test_every_layer_is_timed():
    found = timed.time_layers(CONFIG, 4, 3)
    assert set(found) == {*LAYERS, "apart"}
    assert all(each.calls >= timed.FEWEST and each.median > 0 for each in found.values())
