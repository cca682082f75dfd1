"""Padding: nobody looks at it, and it changes nothing for the sentence beside it."""

import numpy as np

from model.inspect.padding import padded
from tests.helpers.tiny import tiny_tokenizer, tiny_translator


def test_nobody_looks_at_padding_and_it_changes_nothing():
    translator = tiny_translator(tiny_tokenizer())
    texts = "The dog sees the cat and the cat sees the dog.", "A cat."
    batch = padded(translator.model, translator.tokenizer, texts)
    assert batch.tokens[1].pieces[-1] == "<pad>"
    assert not batch.attention[1][..., ~batch.mask[1]].any()
    np.testing.assert_allclose(batch.attention.sum(-1), 1, atol=1e-5)
    for place, text in enumerate(texts):
        alone = translator.trace(text).attention["encoder"]
        length = alone.shape[-1]
        assert batch.mask[place].sum() == length
        np.testing.assert_allclose(batch.attention[place, :, :, :length, :length], alone, atol=1e-5)
