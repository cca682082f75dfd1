"""Many draws of one sentence, and what the whole vocabulary says at each step."""

import numpy as np
import torch

from model import load
from model.decoding.search import Sampling, chances

TEXT = "The old man reads a book."
WARM = Sampling(temperature=1.3, top_k=40, seed=5)


def test_a_draw_of_many_is_the_draw_alone_with_its_seed():
    translator = load("en-fr")
    drawn = translator.draw(TEXT, WARM, 6)
    for number in (0, 3, 5):
        alone = translator.translate(TEXT, sampling=Sampling(1.3, 40, seed=5 + number))
        assert drawn[number].ids == alone.ids
    assert len({each.ids for each in drawn}) > 1


def test_every_step_says_what_it_said_while_it_was_written():
    translator = load("en-fr")
    written = translator.translate(TEXT)
    found = translator.distributions(TEXT, written.ids)
    assert found.shape == (len(written.ids), len(translator.tokenizer))
    np.testing.assert_allclose(found[range(len(written.ids)), written.ids], written.log_probs, atol=1e-4)
    for row, best in zip(found, written.alternatives, strict=True):
        assert tuple(np.argsort(-row)[:3]) == best.ids[:3]


def test_chances_are_the_models_own_where_nothing_is_changed_and_sum_to_one_where_it_is():
    log_probs = torch.randn(50).log_softmax(-1)
    torch.testing.assert_close(chances(log_probs, Sampling()), log_probs.double().exp(), atol=1e-6, rtol=0)
    cut = chances(log_probs, Sampling(0.5, top_k=10, top_p=0.8))
    assert abs(cut.sum().item() - 1) < 1e-9
    assert 1 <= (cut > 0).sum() <= 10
    assert cut.argmax() == log_probs.argmax()


def test_a_beginning_may_be_given_as_ids():
    translator = load("en-fr")
    plain = translator.translate(TEXT)
    rival = plain.alternatives[1].ids[1]
    forced = translator.translate(TEXT, prefix=(plain.ids[0], rival))
    assert forced.ids[:2] == (plain.ids[0], rival)
