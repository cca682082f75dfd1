"""Further models beside the one that ships."""

import pytest

from model import Translator
from tests.helpers.tiny import write_checkpoint
from viz.state import models


@pytest.fixture
def one(tmp_path, monkeypatch) -> Translator:
    """A second model, in a folder that whoever runs the server has named."""
    monkeypatch.setenv(models.OTHERS, str(tmp_path))
    return write_checkpoint(tmp_path / "one", 1)


@pytest.fixture
def other(one, tmp_path) -> Translator:
    """A third, of another shape."""
    return write_checkpoint(tmp_path / "other", 2, layers=3, heads=2)
