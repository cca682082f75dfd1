"""The run that no edit has changed."""

import pytest

from tests.helpers.edited import trace
from tests.helpers.inspected import TARGET


@pytest.fixture(autouse=True, scope="module")
def short(short_translations):
    """For all tests of edits."""


@pytest.fixture(scope="module")
def calm():
    return trace(target=TARGET)
