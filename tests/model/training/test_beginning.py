"""A run that starts from a finished checkpoint."""

import pytest
import torch
from safetensors.torch import load_file

from model import load
from model.training.film import read_film
from tests.helpers.training import STEPS, command, log_of, run

pytestmark = pytest.mark.slow  # whole runs of training


def test_a_run_may_begin_from_a_finished_checkpoint(finished, tmp_path):
    folder, _ = finished
    begin = ["--begin", str(folder / "out"), "--dropout", "0.2"]
    done = run(command(tmp_path, *begin, steps=STEPS + 1))
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "out").tokenizer.model == load(folder / "out").tokenizer.model
    before, after = ([line for line in log_of(each) if "loss" in line] for each in (folder, tmp_path))
    assert [line["step"] for line in after][-1] == STEPS + 1
    assert after[:-1] == [line for line in before if line in after]  # the earlier curve, untouched
    assert after[-1]["plain"] < before[0]["plain"] - 1  # far from where random weights begin
    assert read_film(tmp_path / "out" / "film.npz")["steps"][0] == 0  # the film begins at the beginning


def test_gathering_moments_moves_no_weight(finished, tmp_path):
    """One step that hardly moves leaves the weights that were begun from, to half precision."""
    folder, _ = finished
    still = ["--peak", "1e-12", "--average", "1"]
    done = run(command(tmp_path, "--begin", str(folder / "out"), *still, steps=STEPS + 1))
    assert done.returncode == 0, done.stderr
    for name, weight in load_file(folder / "out" / "weights.safetensors").items():
        torch.testing.assert_close(load_file(tmp_path / "out" / "weights.safetensors")[name], weight)


def test_a_checkpoint_of_another_shape_is_refused(finished, tmp_path):
    folder, _ = finished
    done = run(command(tmp_path, "--begin", str(folder / "out"), "--layers", "1"))
    assert done.returncode == 2 and "only dropout may differ" in done.stderr, done.stderr
