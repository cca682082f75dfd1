"""A decoder row by either of its names."""

import pytest

from model.inspect.metrics import reading
from tests.helpers.biased import TARGET, TOKENIZER


def test_a_row_is_read_under_two_names_one_step_apart(trace):
    read, predicted = (reading(trace.target, which) for which in ("read", "predicted"))
    assert predicted.ids == TOKENIZER.encode(TARGET).ids
    assert read.words[0] == -1 and predicted.words[-1] == -1
    for ahead, behind in zip(predicted, read, strict=True):
        assert len(ahead) == len(behind) and ahead[:-1] == behind[1:]
    assert TOKENIZER.tokens(read.ids) == (read.ids, read.pieces, read.words)


@pytest.mark.parametrize("which", ["", "Read", "written", None])
def test_another_reading_is_refused_with_a_sentence(trace, which):
    with pytest.raises(ValueError, match=r"named by read or predicted, not by"):
        reading(trace.target, which)
