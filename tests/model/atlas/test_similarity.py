"""Which heads are alike."""

import numpy as np

from model.atlas.similarity import Likeness, distances, order
from tests.helpers.annotated import pointing_at


def test_likeness_is_nothing_between_twins_and_one_between_strangers():
    same, other = pointing_at(0, 1, size=3)[0], pointing_at(2, 2, size=3)[0]
    np.testing.assert_allclose(
        distances(np.stack([same, same, other])).mean(-1), [[0, 0, 1], [0, 0, 1], [1, 1, 0]], atol=1e-6
    )


def test_likeness_streams_and_leaves_out_rows_without_a_choice():
    rng = np.random.default_rng(0)
    parts = [rng.dirichlet(np.ones(4), (3, rows)) for rows in (2, 5)]
    whole, streamed = Likeness(3), Likeness(3)
    whole.add(np.concatenate(parts, 1), np.ones((7, 4), bool))
    for part in parts:
        streamed.add(part, np.ones(part.shape[1:], bool))
    np.testing.assert_allclose(streamed.distance, whole.distance)
    before = streamed.total.copy()
    streamed.add(np.ones((3, 1, 1)), np.ones((1, 1), bool))
    assert streamed.rows == 7 and (streamed.total == before).all()


def test_heads_that_are_alike_stand_side_by_side():
    group = np.array([0, 1, 0, 1, 2, 0])
    distance = np.where(np.equal.outer(group, group), 0.1, 0.8) - 0.1 * np.eye(6)
    found = group[order(distance)]
    assert sorted(order(distance)) == list(range(6))
    assert (np.diff(found) != 0).sum() == 2
