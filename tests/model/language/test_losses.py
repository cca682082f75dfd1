import math

import numpy as np
import pytest
import torch

from model.language.losses import KEPT, WAYS, losses, report, weight_by_distance
from model.language.passages import SEGMENTS, passages
from tests.helpers.spoken import LINES, tiny_language_model
from tests.helpers.tiny import tiny_tokenizer


@pytest.fixture(scope="module")
def rows():
    return passages(LINES, tiny_tokenizer(), 8)[:6]


@pytest.fixture(scope="module")
def models():
    return {
        "memory": tiny_language_model(),
        "none": tiny_language_model(memory=0),
        "absolute": tiny_language_model(positions="absolute"),
    }


def test_a_loss_is_the_surprise_at_the_piece_that_came(models, rows):
    model = models["memory"]
    found = losses(model, rows)
    assert found.shape == (len(rows), SEGMENTS, 8)
    memory = model.begin()
    with torch.no_grad():
        for segment in range(3):
            own = torch.from_numpy(rows[:1, segment * 8 : segment * 8 + 8])
            hidden, memory = model(own, memory)
            chances = model.predict(hidden)[0, 5].softmax(-1)
            right = rows[0, segment * 8 + 6]
            assert found[0, segment, 5] == pytest.approx(-math.log(chances[right]), abs=1e-5)


def test_with_an_emptied_memory_every_segment_stands_for_itself(models, rows):
    found = losses(models["memory"], rows, keep=0)
    moved = losses(models["memory"], rows[:, 8:], keep=0)
    np.testing.assert_allclose(found[:, 3], moved[:, 2], atol=1e-5)
    assert not np.allclose(found[:, 3], losses(models["memory"], rows)[:, 3], atol=1e-3)


def test_weights_by_distance_are_those_of_the_rows_that_see_so_far(models, rows):
    found = weight_by_distance(models["memory"], rows)
    assert found.shape == (2, 16 + 8)
    # Every row sees the nearest 17 keys; the others only some rows do, so the whole may be more than one.
    assert (found > 0).all() and (found[:, :17].sum(1) < 1).all() and (found.sum(1) > 1).all()


def test_the_report_says_what_it_measured(models, rows):
    found = report(models, rows)
    assert set(found["position"]) == set(WAYS) and set(found["dearer"]) == set(WAYS) - {"memory"}
    for way in WAYS:
        places, whole = found["position"][way], found["overall"][way]
        assert len(places["mean"]) == 8
        assert np.mean(places["mean"]) == pytest.approx(whole["mean"], abs=1e-3)
        assert (np.array(places["low"]) <= places["mean"]).all()
    assert found["length"]["kept"] == list(KEPT) and len(found["length"]["mean"]) == len(KEPT)
    gap = found["overall"]["none"]["mean"] - found["overall"]["memory"]["mean"]
    assert found["dearer"]["none"]["mean"] == pytest.approx(gap, abs=1e-3)
    assert found["counted"] == len(rows) * (SEGMENTS - 2)
