"""What a training run leaves on disk, so that it can be killed at any moment and continue.

The folder `training/` beside the checkpoint holds the settings, the newest state, the last snapshots
of the weights (to be averaged), the log, and the frames of the film. Nothing in it is a pickle.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import load_file
from safetensors.torch import save as to_bytes
from torch import Tensor

from model import checkpoint
from model.checkpoint import npz_bytes, write
from model.network.seq2seq import Seq2Seq
from model.training.film import NAME as FILM
from model.training.film import Frame, read_film
from model.training.film import frames as film_frames
from model.training.optimizer import Optimizer
from model.training.settings import Settings


class Records:
    """The files of one run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.agreed = folder, b""
        self.settings = folder / "settings.json"
        self.state = folder / "state.safetensors"
        self.log = folder / "log.jsonl"
        self.snapshots = folder / "snapshots"
        self.frames = folder / "frames"
        for each in (self.snapshots, self.frames):
            each.mkdir(parents=True, exist_ok=True)

    def agree(self, settings: Settings, files: Mapping[str, Path]) -> None:
        """Check that the settings are those the run began with, if it has begun; its end may differ."""
        now = json.loads(json.dumps(asdict(settings)))
        now |= {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()}
        if self.settings.exists():
            difference = _difference(json.loads(self.settings.read_text("utf-8")), now, files)
            if difference is not None:
                raise ValueError(
                    f"{self.folder} holds a run with {difference}; "
                    "use its settings to continue it, or another folder for a new run"
                )
        self.agreed = json.dumps(now, indent=2).encode()

    def begin(self) -> None:
        """Note what was agreed: from here on the folder belongs to this run."""
        write(self.settings, self.agreed)

    def save(self, step: int, seconds: float, model: Seq2Seq, optimizer: Optimizer) -> None:
        tensors: dict[str, Tensor] = {f"weights.{name}": weight for name, weight in model.named_parameters()}
        if step:
            tensors |= dict(optimizer.moments())
        tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
        about = {"step": str(step), "seconds": repr(seconds)}
        write(self.state, to_bytes(tensors, about))

    def restore(self, model: Seq2Seq, optimizer: Optimizer) -> tuple[int, float] | None:
        """Put the saved state, if there is one, back into model and optimizer; its step and seconds."""
        if not self.state.exists():
            return None
        with safe_open(self.state, "pt") as file:
            about = file.metadata()
        step, tensors = int(about["step"]), load_file(self.state)
        for name, weight in model.named_parameters():
            weight.data.copy_(tensors[f"weights.{name}"])
        if step:
            for name, moment in optimizer.moments():
                moment.copy_(tensors[name])
        return step, float(about["seconds"])

    def adopt(self, folder: Path, model: Seq2Seq) -> tuple[int, float]:
        """Start from a finished checkpoint: its weights, log and film become this run's; step, seconds.

        A checkpoint ships without the optimizer's moments, so these have to be gathered anew.
        """
        folder = checkpoint.find(folder)
        finished = checkpoint.load_any(folder)[0]
        if replace(finished.config, dropout=model.config.dropout) != model.config:
            raise ValueError(f"{folder} is of another shape than this run: only dropout may differ")
        for weight, end in zip(model.parameters(), finished.parameters(), strict=True):
            weight.data.copy_(end)
        write(self.log, (folder / "log.jsonl").read_bytes())
        last, film = self.read_log()[-1], folder / FILM
        frames = film_frames(read_film(film)) if film.exists() else []
        for frame in frames:
            self.keep_frame(int(frame["steps"]), frame)
        if frames:
            # What ships is an average, and this run begins with it: its scores are those of the last frame.
            scores = {"dev_loss": float(frames[-1]["dev_losses"]), "bleu": float(frames[-1]["bleus"])}
            self.note_scores(last["step"], **scores)
        return last["step"], last["seconds"]

    def forget_after(self, step: int) -> None:
        """Drop what was logged, filmed or kept after the saved state: it will happen again."""
        if self.log.exists():
            lines = self.log.read_text("utf-8").splitlines(keepends=True)
            kept = [line for line in lines if line.endswith("\n") and json.loads(line)["step"] <= step]
            write(self.log, "".join(kept).encode())
        for path in (*self.frames.iterdir(), *self.snapshots.iterdir()):
            if path.suffix == ".partial" or int(path.stem) > step:
                path.unlink()

    def note(self, **facts: Any) -> None:
        """Add a line to the log."""
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")

    def note_scores(self, step: int, dev_loss: float, bleu: float) -> None:
        """Log the scores of an average, which has no step of its own; once, however often it is made."""
        log = self.read_log()
        facts = {"step": step, "dev_loss": dev_loss, "bleu": bleu, "seconds": log[-1]["seconds"]}
        if facts not in log:
            self.note(**facts)

    def read_log(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.read_text("utf-8").splitlines()]

    def write_short_log(self, path: Path, lines: int) -> None:
        """Every evaluation and about `lines` of the steps, evenly: enough to draw the curves."""
        log = self.read_log()
        every = max(1, sum("loss" in line for line in log) // lines)
        kept = [line for line in log if "dev_loss" in line or line["step"] % every == 0]
        write(path, "".join(json.dumps(line) + "\n" for line in kept).encode())

    def keep_snapshot(self, step: int, model: Seq2Seq, most: int) -> None:
        weights = {name: weight.detach().cpu().contiguous() for name, weight in model.named_parameters()}
        write(self.snapshots / f"{step:09}.safetensors", to_bytes(weights))
        for old in sorted(self.snapshots.iterdir())[:-most]:
            old.unlink()

    def average(self) -> dict[str, Tensor]:
        """The mean of the kept snapshots (paper, section 6.1)."""
        snapshots = [load_file(path) for path in sorted(self.snapshots.iterdir())]
        return {
            name: torch.stack([snapshot[name] for snapshot in snapshots]).mean(0) for name in snapshots[0]
        }

    def keep_frame(self, step: int, frame: Frame) -> None:
        write(self.frames / f"{step:09}.npz", npz_bytes(frame | {"steps": np.array(step)}))

    def read_frames(self) -> list[Frame]:
        return [read_film(path) for path in sorted(self.frames.iterdir())]


def _difference(noted: Mapping[str, Any], now: Mapping[str, Any], files: Mapping[str, Path]) -> str | None:
    """The first setting that differs from when the run began; only its end may."""
    # A run that began before there was a setting has its default.
    usual = {field.name: field.default for field in fields(Settings) if field.default is not MISSING}
    then, since = _flat({**usual, **noted}), _flat(now)
    for name in dict.fromkeys((*since, *then)):
        before, after = then.get(name, 0.0), since.get(name, 0.0)  # a recipe that is not named makes nothing
        if name not in ("steps", "cooldown") and before != after:
            return f"{name} of another file" if name in files else f"{name} {before!r}, not {after!r}"
    return None


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    """With each recipe beside the other settings, as runs noted them before recipes had their own field."""
    others = {name: value for name, value in settings.items() if name != "recipes"}
    return others | settings.get("recipes", {})
