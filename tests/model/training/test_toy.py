"""The README's toy: training on pairs of any languages, from the snippet to a translation."""

import re
import subprocess
import sys

import pytest

from model import load
from model.training.film import LONGEST, read_film
from tests.helpers.paths import ROOT
from tests.helpers.training import ENVIRONMENT

README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """As the README says, but for the number of steps."""
    folder = tmp_path_factory.mktemp("toy")
    snippet = re.search(r"```python\n(from itertools.*?)```", README, re.S)[1]
    subprocess.run([sys.executable, "-X", "utf8", "-c", snippet], cwd=folder, check=True)
    flags = re.search(r"python (-m model train --pairs toy\.tsv .*)", README)[1].split()
    flags[flags.index("--steps") + 1] = "6"
    done = subprocess.run(
        [sys.executable, *flags], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return folder, done


@pytest.mark.slow
def test_the_film_shows_dev_pairs_where_our_own_sentences_are_of_other_languages(toy):
    folder, done = toy
    film = read_film(folder / "toy" / "film.npz")
    dev = dict(line.split("\t") for line in (folder / "toy-dev.tsv").read_text("utf-8").splitlines())
    shown = dict(zip(film["sources"].tolist(), film["references"].tolist(), strict=True))
    assert len(shown) == 8 and shown.items() <= dev.items()
    assert all(len(film[f"source_pieces.{number}"]) <= LONGEST for number in range(8))
    assert "the film of training shows 8 of the dev pairs" in done.stderr


@pytest.mark.slow
def test_what_was_made_is_a_checkpoint_like_any_other(toy):
    translator = load(toy[0] / "toy")
    assert (translator.config.source, translator.config.target) == ("ko", "en")
    trace = translator.trace("아이가 공을 찾아요.")
    assert all(check.passed is not False for check in trace.checks)
