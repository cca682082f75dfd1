"""One finished run for all tests of training."""

import pytest

from tests.helpers.training import command, run


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A whole run, undisturbed, with dropout on."""
    folder = tmp_path_factory.mktemp("finished")
    done = run(command(folder))
    assert done.returncode == 0, done.stderr
    return folder, done
