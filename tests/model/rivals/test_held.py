"""What one vector holds of each word: the norm of a Jacobian, of the vector that the decoder really gets."""

import numpy as np
import pytest
import torch

from model.network.batches import pad, padding_mask
from model.network.hooks import watch
from model.network.recurrent import last_words
from model.rivals.held import held, vector_of
from tests.helpers.rivals import tiny_rivals
from tests.helpers.tiny import PAIRS

TEXT = "my sister likes the long road."


@pytest.fixture(scope="module")
def rival():
    return tiny_rivals()["recurrent"]


def test_it_is_the_norm_of_the_jacobian(rival):
    ids = pad([rival.read(TEXT).ids])
    x = rival.model.enter(ids).detach()
    jacobian = torch.autograd.functional.jacobian(
        lambda x: last_words(rival.model.read(x, padding_mask(ids))[-1])[0], x
    )
    exact = jacobian[:, 0].square().sum((0, -1)).sqrt()  # (H, S, D) -> (S)
    numbers = jacobian.shape[0]
    # In the direction of every number the estimate is none: the mean of squares times their count.
    along = held(rival, TEXT, torch.eye(numbers)) * numbers**0.5
    np.testing.assert_allclose(along, exact, rtol=1e-4)
    np.testing.assert_allclose(held(rival, TEXT, 2000), exact, rtol=0.1)


def test_the_vector_is_what_the_decoder_knows_at_every_step(rival):
    with torch.inference_mode(), watch(keep=["decoder.context"]) as seen:
        rival.score([(TEXT, PAIRS[0][1])])
    (context,) = seen["decoder.context"]
    assert context.shape[1] > 3
    for step in context[0]:
        np.testing.assert_allclose(step, vector_of(rival, TEXT), atol=1e-6)
