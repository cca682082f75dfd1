"""What tests of traces, checks and edits share."""

import pytest

from model.inspect.trace import Trace
from tests.helpers.inspected import TEXT, translator


@pytest.fixture(scope="module")
def short_translations():
    """Untrained models never stop by themselves; a few pieces are enough to look at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("model.decoding.search.EXTRA", 2)
        yield


@pytest.fixture(scope="module")
def trace(short_translations) -> Trace:
    return translator.trace(TEXT)
