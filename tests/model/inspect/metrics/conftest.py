"""One run of a tiny model for all tests of measures."""

import pytest

from model.inspect.trace import Trace
from tests.helpers.biased import run


@pytest.fixture(scope="module")
def trace() -> Trace:
    return run()[0]
