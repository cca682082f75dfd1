"""A killed run continues as if nothing had happened, and another run is refused its folder."""

import json
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest

from model.training.film import read_film
from tests.helpers.tiny import PAIRS, write_pairs
from tests.helpers.training import ENVIRONMENT, STEPS, command, log_of, run

pytestmark = pytest.mark.slow  # whole runs of training


def test_a_killed_run_goes_on_as_if_nothing_had_happened(finished, tmp_path):
    state, kills = tmp_path / "out" / "training" / "state.safetensors", 0
    while True:
        training = subprocess.Popen(command(tmp_path), env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        before = state.stat().st_mtime_ns if state.exists() else 0
        while training.poll() is None and kills < 3:
            # Somewhere after it has written its first new state: the worst is a moment nobody chose.
            if state.exists() and state.stat().st_mtime_ns > before:
                time.sleep(0.05 * kills)
                training.send_signal(signal.SIGKILL)
                kills += 1
                break
            time.sleep(0.005)
        if training.wait() == 0:
            break
    assert kills == 3
    assert log_of(tmp_path) == log_of(finished[0])
    for name in ("weights.safetensors", "config.json", "tokenizer.model"):
        assert (tmp_path / "out" / name).read_bytes() == (finished[0] / "out" / name).read_bytes()
    film, expected = (read_film(folder / "out" / "film.npz") for folder in (tmp_path, finished[0]))
    assert film.keys() == expected.keys()
    assert all(np.array_equal(film[name], expected[name]) for name in film)


def test_another_run_in_the_same_folder_is_refused(finished):
    refused = run(command(finished[0], "--peak", "0.5"))
    assert refused.returncode == 2
    assert "holds a run with peak 0.001, not 0.5" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_a_run_that_was_refused_leaves_its_folder_to_other_settings(tmp_path):
    for flags, why in ((("--vocabulary", "9999"), "cannot learn 9999 pieces"), (("--heads", "3"), "")):
        refused = run(command(tmp_path, *flags))
        assert refused.returncode == 2 and why in refused.stderr
    done = run(command(tmp_path, steps=1))
    assert done.returncode == 0, done.stderr


def test_a_run_from_before_there_was_a_setting_goes_on(finished, tmp_path):
    shutil.copytree(finished[0] / "out", tmp_path / "out")
    noted = tmp_path / "out" / "training" / "settings.json"
    settings = json.loads(noted.read_text("utf-8"))
    noted.write_text(json.dumps({name: settings[name] for name in settings.keys() - {"optimizer"}}))
    refused = run(command(tmp_path, "--optimizer", "muon"))
    assert "holds a run with optimizer 'adam', not 'muon'" in refused.stderr
    done = run(command(tmp_path))
    assert done.returncode == 0, done.stderr


def test_a_run_that_noted_each_recipe_as_a_setting_of_its_own_goes_on(finished, tmp_path):
    """As before recipes had a field: the same flags continue it, others are refused by their name."""
    shutil.copytree(finished[0] / "out", tmp_path / "out")
    noted = tmp_path / "out" / "training" / "settings.json"
    settings = json.loads(noted.read_text("utf-8"))
    recipes = settings.pop("recipes")
    assert recipes["joined"] == 0.3 and recipes["linked"] == 0.0
    noted.write_text(json.dumps(settings | recipes))
    refused = run(command(tmp_path, "--joined", "0.2"))
    assert "holds a run with joined 0.3, not 0.2" in refused.stderr
    refused = run(command(tmp_path, "--repeated", "0.1"))
    assert "holds a run with repeated 0.0, not 0.1" in refused.stderr
    assert "recipes" not in json.loads(noted.read_text("utf-8"))
    done = run(command(tmp_path))
    assert done.returncode == 0, done.stderr
    assert json.loads(noted.read_text("utf-8"))["recipes"] == recipes


def test_another_text_in_the_same_folder_is_refused(finished):
    arguments = command(finished[0])
    write_pairs(finished[0] / "pairs.tsv", PAIRS[:-1])
    refused = run(arguments)
    assert refused.returncode == 2
    assert "holds a run with pairs of another file" in refused.stderr


def test_a_run_cannot_end_before_where_it_stands(finished):
    refused = run(command(finished[0], steps=STEPS - 1))
    assert refused.returncode == 2
    assert "40 steps already" in refused.stderr
