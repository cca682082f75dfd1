"""`python -m model train`: its flags are the fields of Config and Settings, and the recipes."""

import argparse
from dataclasses import MISSING, fields
from pathlib import Path

from model.commands.shared import add_pairs
from model.network.config import ACTIVATIONS, ARCHITECTURES, POSITIONS, PRESETS, Config, preset
from model.processes import processes
from model.recipes import RECIPES, make_pairs
from model.training.data import read_pairs
from model.training.loop import train
from model.training.settings import Settings

SHAPE_HELP = {
    "vocabulary": "pieces of the shared vocabulary",
    "width": "d_model",
    "heads": "attention heads per layer",
    "layers": "encoder layers, and as many decoder layers",
    "hidden": "width inside the feed-forward sublayer",
    "dropout": "rate, rounded to 1/256",
    "positions": " | ".join(POSITIONS),
    "activation": " | ".join(ACTIVATIONS),
    "window": "self-attention sees this many positions to either side; leave out for all",
    "length": "the most pieces a sentence may have",
    "source": "code of the language it reads",
    "target": "code of the language it writes",
    "architecture": f"{' | '.join(ARCHITECTURES)}; each but the last has a preset of its own",
    "kernel": "positions that a convolution sees at once",
}
RUN_HELP = {
    "steps": "updates in all; a run may continue with another number, and another cool-down",
    "tokens": "padded pieces per batch on either side, over all processes",
    "peak": "highest learning rate",
    "warmup": "steps until the peak",
    "cooldown": "last steps, over which the rate falls to zero",
    "piece_dropout": "how often a merge of two pieces is left out (BPE dropout)",
    "smoothing": "label smoothing",
    "consistency": "how hard two draws of dropout are pulled together (R-Drop; twice the work a batch)",
    "optimizer": "adam, as in the paper, or muon for the matrices of the layers, which learns faster",
    "precision": "float32 | bfloat16: the second is faster where the processor has it",
    "clip": "longest gradient",
    "seed": "of weights, batches and dropout",
    "average": "how many of the last snapshots are averaged into what is kept",
    "snapshot_every": "steps between snapshots",
    "save_every": "steps between saved states",
    "evaluate_every": "steps between evaluations on the dev set",
    "dev_pairs": "how many dev pairs are scored while training",
}
DESCRIPTION = """Train on a file of pairs. Killed at any moment, the same command continues where it stopped.
On several processes or machines: torchrun --nproc-per-node N -m model train …"""


def add_train(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser(
        "train", help="Train a checkpoint from a file of pairs.", description=DESCRIPTION
    )
    command.set_defaults(run=_train)
    _add_files(command)
    about = "the shape to start from (default: the architecture's own, else small)"
    command.add_argument("--preset", choices=PRESETS, default=None, help=about)
    _add_shape(command.add_argument_group("shape (defaults come from the preset)"))
    _add_run(command.add_argument_group("run"))
    _add_recipes(
        command.add_argument_group("pairs made of the given ones, each as a share of them (0.1: a tenth)")
    )


def _add_files(command: argparse.ArgumentParser) -> None:
    add_pairs(command)
    add = command.add_argument
    add("--dev", required=True, type=Path, metavar="FILE", help="pairs to evaluate on")
    add("--out", required=True, type=Path, metavar="FOLDER", help="the checkpoint to make")
    about = "a finished checkpoint to start from, its log and film included (default: random weights)"
    add("--begin", type=Path, metavar="FOLDER", help=about)
    about = "pairs the film of training shows (default: eight of our own, or of the dev pairs)"
    add("--film", type=Path, metavar="FILE", help=about)


def _add_shape(group: argparse._ArgumentGroup) -> None:
    words = ("positions", "activation", "source", "target", "architecture")
    kinds = {"dropout": float} | dict.fromkeys(words, str)
    for name, about in SHAPE_HELP.items():
        kind = kinds.get(name, int)
        group.add_argument(_flag(name), type=kind, default=None, metavar=kind.__name__.upper(), help=about)
    about = "three embedding matrices instead of one"
    group.add_argument("--untied", dest="tied", action="store_false", default=None, help=about)


def _add_run(group: argparse._ArgumentGroup) -> None:
    for field in fields(Settings):
        if field.default is not MISSING:
            kind, about = type(field.default), f"{RUN_HELP[field.name]} (default: %(default)s)"
            group.add_argument(
                _flag(field.name), type=kind, default=field.default, metavar=kind.__name__.upper(), help=about
            )


def _add_recipes(group: argparse._ArgumentGroup) -> None:
    for name, recipe in RECIPES.items():
        about = f"{recipe.about} (default: %(default)s)"
        group.add_argument(_flag(name), type=float, default=0.0, metavar="SHARE", help=about)


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _train(options: argparse.Namespace) -> None:
    given = vars(options)
    shape = {field.name: given[field.name] for field in fields(Config) if given.get(field.name) is not None}
    run = {field.name: given[field.name] for field in fields(Settings) if field.name in given}
    recipes = {name: given[name] for name in RECIPES}
    own = options.architecture if options.architecture in PRESETS else "small"
    settings = Settings(preset(options.preset or own, **shape), **run, recipes=recipes)
    made = make_pairs(read_pairs(options.pairs), recipes, settings.seed)
    with processes() as group:
        train(settings, options.pairs, options.dev, options.out, group, options.film, options.begin, made)
