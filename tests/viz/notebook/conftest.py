"""One run to look at."""

import pytest

from model import Trace


@pytest.fixture(scope="session")
def trace(translator) -> Trace:
    return translator.trace("The cat sleeps near the door.")
