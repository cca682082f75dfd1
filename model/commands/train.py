"""`python -m model train`: its flags are the fields of Config and Settings, and nothing else."""

import argparse
from dataclasses import MISSING, fields
from pathlib import Path

from model.network.config import ACTIVATIONS, POSITIONS, PRESETS, Config, preset
from model.training.film import SENTENCES
from model.training.loop import train
from model.training.settings import Settings

SHAPE_HELP = {
    "vocabulary": "pieces of the shared vocabulary",
    "width": "d_model",
    "heads": "attention heads a layer",
    "layers": "encoder layers, and as many decoder layers",
    "hidden": "width inside the feed-forward sublayer",
    "dropout": "rate, rounded to 1/256",
    "positions": " | ".join(POSITIONS),
    "activation": " | ".join(ACTIVATIONS),
    "window": "self-attention sees this many positions to either side; leave out for all",
    "length": "the most pieces a sentence may have",
    "source": "code of the language it reads",
    "target": "code of the language it writes",
}
RUN_HELP = {
    "steps": "updates in all; a run may go on with another number, and another cool-down",
    "tokens": "padded pieces a batch on either side, over all processes",
    "peak": "highest learning rate",
    "warmup": "steps until the peak",
    "cooldown": "last steps, over which the rate falls to nothing",
    "piece_dropout": "how often a merge of two pieces is left out (BPE dropout)",
    "joined": "so many pairs more, as a share, each of two to sixteen in a row, mostly of two to four",
    "repeated": "and so many again of those that are long",
    "linked": "and so many of two or three statements in one sentence (English to French only)",
    "referred": "and so many that name a thing and go on with it or they (English to French only)",
    "renamed": "and so many in which somebody else has the name: practice for names it never read",
    "renumbered": "and so many that say another number (English to French only)",
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
DESCRIPTION = """Train on a file of pairs. Killed at any moment, the same command goes on where it stopped.
On several processes or machines: torchrun --nproc-per-node N -m model train …"""


def add_train(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser(
        "train", help="Train a checkpoint from a file of pairs.", description=DESCRIPTION
    )
    command.set_defaults(run=_train)
    command.add_argument(
        "--pairs", required=True, type=Path, metavar="FILE", help="UTF-8 lines: source TAB target"
    )
    command.add_argument("--dev", required=True, type=Path, metavar="FILE", help="pairs to evaluate on")
    command.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="the checkpoint to make")
    command.add_argument(
        "--begin", type=Path, metavar="FOLDER",
        help="a finished checkpoint to go on from, its log and film included (default: random weights)",
    )  # fmt: skip
    command.add_argument(
        "--film", type=Path, default=SENTENCES, metavar="FILE",
        help="pairs the film of training shows (default: eight English-French ones of our own)",
    )  # fmt: skip
    command.add_argument(
        "--preset", choices=PRESETS, default="small", help="the shape to start from (default: %(default)s)"
    )
    shape = command.add_argument_group("shape (defaults come from the preset)")
    for name, help in SHAPE_HELP.items():
        kind = {"positions": str, "activation": str, "source": str, "target": str, "dropout": float}.get(
            name, int
        )
        shape.add_argument(_flag(name), type=kind, default=None, metavar=kind.__name__.upper(), help=help)
    shape.add_argument(
        "--untied",
        dest="tied",
        action="store_false",
        default=None,
        help="three embedding matrices instead of one",
    )
    run = command.add_argument_group("run")
    for field in fields(Settings):
        if field.default is MISSING:
            continue
        run.add_argument(
            _flag(field.name), type=type(field.default), default=field.default,
            metavar=type(field.default).__name__.upper(),
            help=f"{RUN_HELP[field.name]} (default: %(default)s)",
        )  # fmt: skip


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _train(options: argparse.Namespace) -> None:
    from model.processes import processes

    given = vars(options)
    shape = {field.name: given[field.name] for field in fields(Config) if given.get(field.name) is not None}
    run = {field.name: given[field.name] for field in fields(Settings) if field.name in given}
    settings = Settings(preset(options.preset, **shape), **run)
    with processes() as group:
        train(settings, options.pairs, options.dev, options.out, group, options.film, options.begin)
