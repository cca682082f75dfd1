import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import load_file

from model import load
from model.checkpoint import untrained
from model.network.dropout import Dropout
from model.network.kinds import KINDS
from model.processes import Processes
from model.training.data import encode_pairs
from model.training.evaluation import dev_loss
from model.training.film import moments, read_film, take_frame
from model.training.loss import batch_loss
from model.training.optimizer import Optimizer
from model.training.piece_dropout import PieceDropout
from model.training.settings import learning_rate
from tests.helpers.paths import ROOT
from tests.helpers.tiny import PAIRS, VOCABULARY, tiny_config, tiny_tokenizer, write_pairs
from tests.helpers.two_processes import gradients

STEPS = 40
FLAGS = f"""--preset tiny --vocabulary {VOCABULARY} --tokens 600 --warmup 10 --dev-pairs 6 --save-every 7
--snapshot-every 4 --average 3 --evaluate-every 20 --piece-dropout 0.1 --cooldown 10
--joined 0.3 --consistency 0.5""".split()
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def command(folder: Path, *more: str, steps: int = STEPS, processes: int = 1) -> list[str]:
    """`python -m model train` on the tiny world, or the same under torchrun."""
    film = write_pairs(folder / "film.tsv", [("A dog.", "Un chien."), ("The cat.", "Le chat.")])
    pairs = write_pairs(folder / "pairs.tsv")
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    return [
        sys.executable, *(torchrun if processes > 1 else []), "-m", "model", "train", "--pairs", pairs,
        "--dev", pairs, "--film", film, "--out", str(folder / "out"), "--steps", str(steps), *FLAGS, *more,
    ]  # fmt: skip


def run(arguments: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)


def log_of(folder: Path) -> list[dict]:
    """All that was logged, without the clock."""
    lines = (folder / "out" / "training" / "log.jsonl").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A whole run, undisturbed, with dropout on."""
    folder = tmp_path_factory.mktemp("finished")
    done = run(command(folder))
    assert done.returncode == 0, done.stderr
    return folder, done


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


def test_training_learns(finished):
    losses = [line["loss"] for line in log_of(finished[0]) if "loss" in line]
    assert len(losses) == STEPS
    assert np.mean(losses[-5:]) < np.mean(losses[:5]) - 0.5


def test_the_log_says_what_the_schedule_did(finished):
    for line in log_of(finished[0]):
        if "rate" in line:
            left = min(1, (STEPS + 1 - line["step"]) / 10)
            assert line["rate"] == pytest.approx(learning_rate(line["step"], 1e-3, 10) * left)


def test_pieces_drawn_anew_spell_the_same_words_and_depend_on_the_seed_alone():
    tokenizer = tiny_tokenizer()
    corpus, rows = encode_pairs(PAIRS, tokenizer, 50), [3, 1, 2, 5]
    draw = PieceDropout(tokenizer, 0.3)
    drawn = [draw.corpus(corpus, rows, seed, 50) for seed in (7, 7, 8)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert drawn[0].pairs == [corpus.pairs[row] for row in rows]
    assert drawn[0].sources != [corpus.sources[row] for row in rows]
    assert [tokenizer.decode(ids) for ids in drawn[0].targets] == [target for _, target in drawn[0].pairs]
    longest = max(len(ids) for row in rows for ids in (corpus.sources[row], corpus.targets[row]))
    short = PieceDropout(tokenizer, 0.9).corpus(corpus, rows, 7, longest)
    assert max(map(len, short.sources + short.targets)) <= longest


def test_without_dropout_the_pieces_are_the_usual_ones():
    translator = load("en-fr")
    texts = [text for pair in PAIRS for text in pair] + ["Élise paid 1,250 € for 北京 tea…", "I'm 30."]
    for text in texts:
        usual = list(translator.tokenizer.encode(text).ids)
        assert PieceDropout(translator.tokenizer, 0.0).ids(usual, Random(1)) == usual


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


def test_the_films_last_frame_is_the_weights_that_ship(finished):
    out = finished[0] / "out"
    film, translator = read_film(out / "film.npz"), load(out)
    assert film["steps"].tolist() == moments(STEPS)
    pairs = list(zip(film["sources"].tolist(), film["references"].tolist(), strict=True))
    frame = take_frame(translator.model, translator.tokenizer, pairs)
    assert all(np.array_equal(film[name][-1], frame[name]) for name in frame)
    dev = encode_pairs(PAIRS[:6], translator.tokenizer, 512)
    assert film["dev_losses"][-1] == pytest.approx(dev_loss(translator.model, dev), abs=1e-6)


def test_the_log_tells_the_scores_of_every_frame_also_where_a_finished_run_goes_on(finished, tmp_path):
    """The last frame of a run is of the average, which scores otherwise than the last step did."""
    shutil.copytree(finished[0] / "out", tmp_path / "out")
    for steps in (STEPS, STEPS + 8, STEPS + 8):
        done = run(command(tmp_path, steps=steps))
        assert done.returncode == 0, done.stderr
        film = read_film(tmp_path / "out" / "film.npz")
        log = [json.loads(line) for line in (tmp_path / "out" / "log.jsonl").read_text().splitlines()]
        scored = [(line["step"], line["dev_loss"], line["bleu"]) for line in log if "dev_loss" in line]
        assert len(scored) == len(set(scored))  # nothing is told twice
        told = {step: scores for step, *scores in scored}
        for step, *scores in zip(film["steps"], film["dev_losses"], film["bleus"], strict=True):
            assert told[int(step)] == scores
        assert log[-1]["step"] == film["steps"][-1]


def test_the_film_shows_every_head_of_every_kind_under_fixed_labels(finished):
    out = finished[0] / "out"
    film, config = read_film(out / "film.npz"), load(out).config
    for number in range(len(film["sources"])):
        rows, columns = len(film[f"read_pieces.{number}"]), len(film[f"source_pieces.{number}"])
        assert film[f"read_pieces.{number}"][1:].tolist() == film[f"predicted_pieces.{number}"][:-1].tolist()
        for kind in KINDS:
            sizes = {"encoder": (columns, columns), "decoder": (rows, rows), "cross": (rows, columns)}[kind]
            shape = (len(film["steps"]), config.layers, config.heads, *sizes)
            assert film[f"{kind}.{number}"].shape == shape
            sums = film[f"{kind}.{number}"].astype(int).sum(-1)
            assert (abs(sums - 255) <= sizes[-1]).all()


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


def test_another_run_in_the_same_folder_is_refused(finished):
    refused = run(command(finished[0], "--peak", "0.5"))
    assert refused.returncode == 2
    assert "holds a run with peak 0.001, not 0.5" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_a_run_from_before_there_was_a_setting_goes_on(finished, tmp_path):
    shutil.copytree(finished[0] / "out", tmp_path / "out")
    noted = tmp_path / "out" / "training" / "settings.json"
    settings = json.loads(noted.read_text("utf-8"))
    noted.write_text(json.dumps({name: settings[name] for name in settings.keys() - {"optimizer"}}))
    refused = run(command(tmp_path, "--optimizer", "muon"))
    assert "holds a run with optimizer 'adam', not 'muon'" in refused.stderr
    done = run(command(tmp_path))
    assert done.returncode == 0, done.stderr


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


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--steps", "0"], "steps must be at least 1, not 0"),
        (["--warmup", "0"], "warmup must be at least 1"),
        (["--dropout", "1"], "dropout must lie in"),
        (["--vocabulary", "20000"], "cannot learn 20000 pieces from this text"),
    ],
)
def test_an_impossible_run_gets_one_line(tmp_path, capsys, flags, message):
    from model.__main__ import main

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


def test_the_loss_is_pytorchs_smoothed_cross_entropy_without_padding():
    corpus = encode_pairs(PAIRS[:5], tiny_tokenizer(), 512)
    model = untrained(tiny_config(dropout=0.0))
    smoothed, plain = batch_loss(model, corpus, range(5), 0.1)
    expected = {0.1: 0.0, 0.0: 0.0}
    for source, target in zip(corpus.sources, corpus.targets, strict=True):
        logits = model(torch.tensor([source]), torch.tensor([[1, *target[:-1]]]))[0]
        for smoothing in expected:
            loss = F.cross_entropy(logits, torch.tensor(target), reduction="sum", label_smoothing=smoothing)
            expected[smoothing] += loss.item()
    assert smoothed.item() == pytest.approx(expected[0.1], rel=1e-5)
    assert plain.item() == pytest.approx(expected[0.0], rel=1e-5)


def test_half_precision_changes_the_loss_little():
    corpus, model = encode_pairs(PAIRS[:20], tiny_tokenizer(), 512), untrained(tiny_config(dropout=0.0))
    losses = []
    for half in (False, True):
        loss, _ = batch_loss(model, corpus, range(20), 0.1, half=half)
        loss.backward()
        losses.append(loss.item())
    assert losses[0] != losses[1]
    assert losses[1] == pytest.approx(losses[0], rel=3e-3)
    assert all(weight.grad.dtype == torch.float32 for weight in model.parameters())


def test_muon_moves_every_direction_of_a_matrix_alike_and_leaves_the_rest_to_adam():
    model = untrained(tiny_config(dropout=0.0))
    optimizer = Optimizer(model, "muon", Processes())
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    generator = torch.Generator().manual_seed(1)
    for weight in model.parameters():
        weight.grad = torch.randn(weight.shape, generator=generator)
        weight.grad[..., 0] *= 100  # a gradient with one direction far ahead of the others
    optimizer.step(1e-2)
    moments = {name for name, _ in optimizer.moments()}
    for name, weight in model.named_parameters():
        matrix = weight.ndim == 2 and "table" not in name and "to_vocabulary" not in name
        assert (f"momentum_buffer.{name}" in moments) == matrix == (f"exp_avg.{name}" not in moments)
        if matrix:
            moved = torch.linalg.svdvals(weight.detach() - before[name] * (1 - 1e-2 * 0.1))
            assert moved.max() < 3 * moved.median()


def test_consistency_costs_what_two_draws_of_dropout_make_differ():
    corpus = encode_pairs(PAIRS[:5], tiny_tokenizer(), 512)
    still, shaken = (untrained(tiny_config(dropout=rate)).train() for rate in (0.0, 0.3))
    for expected, found in zip(
        batch_loss(still, corpus, range(5), 0.1), batch_loss(still, corpus, range(5), 0.1, 2.5), strict=True
    ):
        torch.testing.assert_close(found, expected)  # the same twice is not apart

    def losses(consistency: float) -> tuple[float, float]:
        torch.manual_seed(3)
        return tuple(loss.item() for loss in batch_loss(shaken, corpus, range(5), 0.1, consistency))

    slight, one, two = losses(1e-9), losses(1.0), losses(2.0)
    assert slight[1] == one[1] == two[1]  # the plain loss knows nothing of it
    torch.manual_seed(3)
    read = [*range(5), *range(5)]
    source, target = (
        torch.nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in side], batch_first=True)
        for side in ([corpus.sources[row] for row in read], [[1, *corpus.targets[row][:-1]] for row in read])
    )
    first, second = shaken(source, target).log_softmax(-1).chunk(2)
    real = torch.arange(target.shape[1]) < torch.tensor([[len(ids)] for ids in corpus.targets])
    apart = sum(
        F.kl_div(q, p, reduction="none", log_target=True) for p, q in ((first, second), (second, first))
    )
    assert one[0] - slight[0] == pytest.approx(apart.sum(-1)[real].sum().item() / 2, rel=1e-3)
    assert two[0] - one[0] == pytest.approx(one[0] - slight[0], rel=1e-3)


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.5])
def test_dropout_drops_its_share_and_keeps_the_mean(rate):
    torch.manual_seed(0)
    layer, x = Dropout(rate), torch.ones(400, 1_001)
    found = layer(x)
    share = (found == 0).float().mean().item()
    assert share == pytest.approx(round(rate * 256) / 256, abs=3e-3)
    assert found.mean().item() == pytest.approx(1, abs=5e-3)
    assert not torch.equal(layer(x), found)
    assert layer.eval()(x) is x


def test_moments_go_from_the_first_step_to_the_last():
    for steps in (1, 5, 40, 3_000, 100_000):
        found = moments(steps)
        assert found[0] == 0 and found[-1] == steps
        assert found == sorted(set(found))
    assert 20 <= len(moments(3_000)) <= 24
