"""Several processes train the same model as one."""

import sys

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from model.processes import Processes
from tests.helpers.training import command, log_of, run
from tests.helpers.two_processes import gradients

pytestmark = pytest.mark.slow  # whole runs of training


def test_two_processes_give_the_gradients_of_one(tmp_path):
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = run([*torchrun, "-m", "tests.helpers.two_processes", str(tmp_path / "gradients")])
    assert done.returncode == 0, done.stderr
    alone = gradients(Processes())
    whole = torch.stack([gradient.norm() for gradient in alone.values()]).norm()
    for name, gradient in load_file(tmp_path / "gradients").items():
        # A key's bias moves all scores of a row alike: its true gradient is zero, the rest rounding.
        allowed = 1e-5 * alone[name].norm() + 1e-8 * whole
        assert (gradient - alone[name]).norm() <= allowed, name


@pytest.mark.parametrize("optimizer", ["adam", "muon"])
def test_two_processes_train_the_same_model_and_resume_together(tmp_path, optimizer):
    """Through the shell, dropout off: each step's loss agrees, so data, clipping and optimizer do too."""
    flags = ["--dropout", "0", "--cooldown", "1", "--optimizer", optimizer]
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    for name, processes, steps in (("one", 1, 6), ("two", 2, 4), ("two", 2, 6)):
        done = run(command(tmp_path / name, *flags, steps=steps, processes=processes))
        assert done.returncode == 0, done.stderr
    one, two = (
        [line["loss"] for line in log_of(tmp_path / name) if "loss" in line] for name in ("one", "two")
    )
    assert len(one) == 6
    assert np.allclose(one, two, rtol=1e-4)
