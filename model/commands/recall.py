"""`python -m model recall`: train a small language model with a memory, and measure what it is worth."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from model import checkpoint
from model.commands.card import fill
from model.language import store
from model.language.card import losses_table, training_table
from model.language.losses import report
from model.language.passages import SEGMENTS, passages, read_lines
from model.language.training import Plan, Run, train_together
from model.network.language import LanguageConfig, LanguageModel
from model.processes import processes
from model.text.tokenizer import Tokenizer
from model.text.vocabulary import train_tokenizer

# What is compared: the same shape, text and steps. Without memory; with absolute positions and memory.
VARIANTS: dict[str, dict[str, Any]] = {
    "memory": {}, "none": {"memory": 0}, "absolute": {"positions": "absolute"},
}  # fmt: skip
SHAPE = {
    "vocabulary": "pieces",
    "width": "of a position's vector",
    "heads": "attention heads per layer",
    "layers": "of attention and feed-forward",
    "hidden": "width inside the feed-forward sublayer",
    "segment": "pieces read at once",
    "memory": "positions that each layer remembers",
}
RUN = {
    "chapters": f"how many, each of {SEGMENTS} steps; a run may continue with another number",
    "streams": "passages read side by side",
    "peak": "highest learning rate",
    "warmup": "steps until the peak",
    "cooldown": "last steps, over which the rate falls to zero",
    "seed": "of weights and passages",
}
LAST = 5  # chapters whose mean loss tells where a training ended
DESCRIPTION = """Train a small language model that remembers (Transformer-XL), one without memory, and one
with absolute positions, each for the same steps; then measure all of them on another text. Killed at any
moment, the same command continues where it stopped. One thread suffices."""


def add_recall(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser(
        "recall", help="Train a small language model with a memory, and measure it.", description=DESCRIPTION
    )
    command.set_defaults(run=_recall)
    add = command.add_argument
    add("--text", required=True, type=Path, metavar="FILE", help="a continuous text, a sentence a line")
    add("--dev", required=True, type=Path, metavar="FILE", help="another one, to measure on")
    add("--state", required=True, type=Path, metavar="FOLDER", help="what lies between start and end")
    add("--out", required=True, type=Path, metavar="FOLDER", help="the checkpoint to make")
    shape = LanguageConfig(vocabulary=2_000)
    for name in (*SHAPE, *RUN):
        default = getattr(shape if name in SHAPE else Plan(shape), name)
        kind, about = type(default), f"{(SHAPE | RUN)[name]} (default: %(default)s)"
        add(f"--{name}", type=kind, default=default, metavar=kind.__name__.upper(), help=about)


def _recall(options: argparse.Namespace) -> None:
    given = vars(options)
    config = LanguageConfig(**{name: given[name] for name in SHAPE})
    plan = Plan(config, **{name: given[name] for name in RUN})
    lines, unread = read_lines(options.text), read_lines(options.dev)
    tokenizer = _tokenizer(options.state / checkpoint.TOKENIZER, lines, config.vocabulary)
    rows, dev = (passages(each, tokenizer, config.segment) for each in (lines, unread))
    plans = {name: replace(plan, config=replace(config, **change)) for name, change in VARIANTS.items()}
    with processes() as group:
        runs = {name: Run(each, options.state / name, group) for name, each in plans.items()}
        train_together([*runs.values()], rows)
    models = {name: _as_stored(run, tokenizer) for name, run in runs.items()}
    trained = {name: _how(run) for name, run in runs.items()}
    measured = report(models, dev, lambda what: print(what, file=sys.stderr))
    store.save(options.out, models["memory"], tokenizer)
    _write(options.out, {"trained": trained, **measured})
    checkpoint.seal(options.out)


def _write(folder: Path, found: dict[str, Any]) -> None:
    """The figures, and what a card tells of them, if somebody has written one."""
    checkpoint.write(folder / store.LOSSES, f"{json.dumps(found, allow_nan=False)}\n".encode())
    card = folder / "card.md"
    if card.exists():
        parts = {"losses": losses_table(found), "training": training_table(found)}
        checkpoint.write(card, fill(card.read_text("utf-8"), parts).encode())


def _tokenizer(path: Path, lines: list[str], size: int) -> Tokenizer:
    """The vocabulary of the run, learned once."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        checkpoint.write(path, train_tokenizer(lines, size).model)
    return Tokenizer(path.read_bytes())


def _as_stored(run: Run, tokenizer: Tokenizer) -> LanguageModel:
    """The model with its weights as a checkpoint holds them: what is measured is what ships."""
    store.save(run.folder / "checkpoint", run.model, tokenizer)
    return store.load(run.folder / "checkpoint")[0]


def _how(run: Run) -> dict[str, float]:
    """How a model became what it is."""
    plan = run.plan
    return {
        "parameters": sum(weight.numel() for weight in run.model.parameters()),
        "steps": plan.steps,
        "pieces": plan.steps * plan.streams * plan.config.segment,
        "seconds": round(run.seconds),
        "loss": round(float(np.mean(run.losses[-LAST:])), 4),
    }
