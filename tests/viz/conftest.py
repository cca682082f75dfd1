"""The app before anybody has touched it."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers.app import open_app


@pytest.fixture
def app() -> AppTest:
    return open_app()
