import numpy as np
import pytest
import torch

from model.language.reader import Reader
from tests.helpers.spoken import LINES, tiny_language_model
from tests.helpers.tiny import tiny_tokenizer


@pytest.fixture(scope="module")
def reader():
    return Reader(tiny_language_model(), tiny_tokenizer())


@pytest.fixture(scope="module")
def reading(reader):
    return reader.read(reader.ids(" ".join(LINES[:3])), reader.ids(LINES[3])[:8])


def test_every_row_shares_one_among_memory_and_what_was_read(reading):
    queries, keys = len(reading.segment), len(reading.remembered) + len(reading.segment)
    assert reading.pattern.shape == (2, 4, queries, keys)
    np.testing.assert_allclose(reading.pattern.sum(-1), 1, atol=1e-5)
    assert not reading.pattern[..., ~reading.mask].any()
    assert reading.mask.sum(1).tolist() == list(range(keys - queries + 1, keys + 1))


def test_terms_make_the_weights(reading):
    scores = np.where(reading.mask, reading.terms.sum(1), -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    np.testing.assert_allclose(weights / weights.sum(-1, keepdims=True), reading.pattern, atol=1e-5)


def test_only_the_newest_positions_are_remembered(reader):
    before = reader.ids(" ".join(LINES[:4]))
    assert len(before) > 16 == reader.config.memory
    assert reader.read(before, [7]).remembered == before[-16:]
    assert reader.read(before[:5], [7]).remembered == before[:5]


def test_with_nothing_before_both_readings_agree(reader):
    found = reader.read((), reader.ids(LINES[0])[:8])
    np.testing.assert_allclose(found.expected, found.alone, atol=1e-5)
    assert found.remembered == ()


def test_losses_are_of_the_pieces_that_came(reading):
    with_memory, without = reading.losses
    assert len(with_memory) == len(without) == len(reading.segment) - 1
    assert with_memory[2] == pytest.approx(-reading.expected[2, reading.segment[3]])
    assert without[2] == pytest.approx(-reading.alone[2, reading.segment[3]])
    np.testing.assert_allclose(np.exp(reading.expected).sum(-1), 1, atol=1e-5)


@pytest.mark.parametrize("segment", [(), range(9)])
def test_a_segment_that_the_model_cannot_read_at_once_is_refused(reader, segment):
    with pytest.raises(ValueError, match=f"1 to 8 pieces, not {len(segment)}"):
        reader.read((), list(segment))


def test_reading_in_the_app_is_reading_in_one_pass_where_all_is_remembered(reader):
    before, segment = reader.ids(" ".join(LINES[:2]))[:12], reader.ids(LINES[2])[:4]
    whole, _ = reader.model(torch.tensor([[*before, *segment]]), reader.model.begin())
    right = reader.model.predict(whole)[0, len(before) :].log_softmax(-1).detach().numpy()
    np.testing.assert_allclose(reader.read(before, segment).expected, right, atol=1e-4)
