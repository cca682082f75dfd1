"""A run learns, logs, averages and says how far it is; an impossible one gets one line."""

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from model import load
from model.__main__ import main
from model.training.settings import learning_rate
from tests.helpers.training import STEPS, command, log_of, run

pytestmark = pytest.mark.slow  # whole runs of training


def test_training_learns(finished):
    losses = [line["loss"] for line in log_of(finished[0]) if "loss" in line]
    assert len(losses) == STEPS
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) - 0.5


def test_the_log_says_what_the_schedule_did(finished):
    for line in log_of(finished[0]):
        if "rate" in line:
            left = min(1, (STEPS + 1 - line["step"]) / 10)
            assert line["rate"] == pytest.approx(learning_rate(line["step"], 1e-3, 10) * left)


def test_progress_tells_loss_speed_and_time(finished):
    assert "loss" in finished[1].stderr
    assert "tokens/s" in finished[1].stderr


def test_what_ships_is_the_average_of_the_last_snapshots(finished):
    out = finished[0] / "out"
    snapshots = [load_file(path) for path in sorted((out / "training" / "snapshots").iterdir())]
    assert len(snapshots) == 3
    for name, weight in load(out).model.named_parameters():
        mean = torch.stack([snapshot[name] for snapshot in snapshots]).mean(0)
        assert torch.equal(weight, mean.half().float())


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--steps", "0"], "steps must be at least 1, not 0"),
        (["--warmup", "0"], "warmup must be at least 1"),
        (["--dropout", "1"], "dropout must lie in"),
        (["--vocabulary", "20000"], "from this text; it has at most"),
        (["--vocabulary", "270"], "its letters alone take"),
    ],
)
def test_an_impossible_run_gets_one_line(tmp_path, capsys, flags, message):
    assert main([*command(tmp_path)[3:], *flags]) == 2
    (complaint,) = [line for line in capsys.readouterr().err.splitlines() if line]
    assert message in complaint


def test_a_malformed_file_of_pairs_is_refused_before_anything_is_made(tmp_path):
    arguments = command(tmp_path)
    (tmp_path / "pairs.tsv").write_text("A cat.\tUn chat.\nno tab\n")
    refused = run(arguments)
    assert refused.returncode == 2
    assert "pairs.tsv, line 2: no TAB" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()
