"""`python -m model make`: a whole training from the raw files, stage after stage, as a recipe says."""

import argparse
import sys
from pathlib import Path

from model import checkpoint
from model.processes import Processes, processes
from model.recipes import make_pairs
from model.recipes.stages import Stage, mix, read_stages
from model.training.data import read_pairs
from model.training.loop import train

DESCRIPTION = """Train a checkpoint stage after stage, as a recipe says. Killed at any moment, the same
command continues where it stopped; the last stage's folder is the finished checkpoint, ready for `ship`.
On several processes or machines: torchrun --nproc-per-node N -m model make …"""
EN_FR = Path(__file__).parent.parent / "recipes" / "en-fr.toml"


def add_make(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser(
        "make", help="Train a checkpoint from raw files by a recipe of stages.", description=DESCRIPTION
    )
    command.set_defaults(run=_make)
    add = command.add_argument
    about = "the recipe, a TOML file (default: the one of the checkpoint that ships)"
    add("--recipe", type=Path, default=EN_FR, metavar="FILE", help=about)
    about = "where the files that it names are"
    add("--data", required=True, type=Path, metavar="FOLDER", help=about)
    add("--dev", required=True, type=Path, metavar="FILE", help="pairs to evaluate on")
    about = "pairs the film of training shows (default: eight of our own, or of the dev pairs)"
    add("--film", type=Path, metavar="FILE", help=about)
    about = "a finished checkpoint to go on from, its log and film included (default: random weights)"
    add("--begin", type=Path, metavar="FOLDER", help=about)
    about = "for one folder a stage"
    add("--out", required=True, type=Path, metavar="FOLDER", help=about)


def _make(options: argparse.Namespace) -> None:
    stages = read_stages(options.recipe)
    with processes() as group:
        before: Path | None = options.begin
        for stage in stages:
            folder = options.out / stage.name
            if not (folder / "log.jsonl").exists():  # written last: the stage is finished
                _train(stage, options, folder, before, group)
            before = folder
    if group.first:
        print(before)


def _train(
    stage: Stage, options: argparse.Namespace, folder: Path, before: Path | None, group: Processes
) -> None:
    pairs = folder / "pairs.tsv"
    if group.first and not pairs.exists():
        mixed = mix(stage.texts, options.data, stage.settings.seed)
        folder.mkdir(parents=True, exist_ok=True)
        checkpoint.write(pairs, "".join(f"{source}\t{target}\n" for source, target in mixed).encode())
        print(f"stage {stage.name}: {len(mixed):,} pairs", file=sys.stderr)
    group.wait()
    made = make_pairs(read_pairs(pairs), stage.settings.recipes, stage.settings.seed)
    train(stage.settings, pairs, options.dev, folder, group, options.film, before, made)
