"""Models of every kind that the page may show, and a run of each."""

import pytest

from tests.helpers.tiny import tiny_tokenizer, tiny_translator

TEXT = "My sister likes the old bridge <b>in</b> the garden."
MODELS = [
    {},
    {"positions": "rotary", "activation": "gelu"},
    {"positions": "learned", "layers": 1},
    {"positions": "none", "layers": 5},
]


@pytest.fixture(scope="module", params=MODELS, ids=str)
def tiny(request):
    return tiny_translator(tiny_tokenizer(), **request.param)


@pytest.fixture(scope="module")
def trace(tiny):
    return tiny.trace(TEXT)
