"""What is copied from another sentence."""

import numpy as np
import pytest

from model.inspect import edits
from tests.helpers.edited import CLOSE, ENCODER, same_length, trace
from tests.helpers.inspected import TARGET, translator


def test_a_copied_head_may_not_look_at_what_is_hidden():
    with pytest.raises(ValueError, match="may not look"):
        trace(edits.Hide(0), edits.CopyHead(ENCODER, 1, same_length))


def test_a_copied_head_has_the_other_sentences_pattern():
    edited = trace(edits.CopyHead(ENCODER, 1, same_length), target=TARGET)
    donor = translator.trace(same_length)
    np.testing.assert_allclose(
        edited.attention["encoder"][1, 1], donor.attention["encoder"][1, 1], atol=CLOSE
    )


@pytest.mark.parametrize(
    "copy", [edits.CopyHead(ENCODER, 1, "a cat"), edits.CopyStream("encoder.embedding.sum", "a cat")]
)
def test_copying_from_a_sentence_of_another_length_is_refused(copy):
    with pytest.raises(ValueError, match="equally long"):
        trace(copy)
