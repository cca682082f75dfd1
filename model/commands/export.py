"""`python -m model export`: a checkpoint as a folder that other programs load."""

import argparse
from pathlib import Path

from model import checkpoint
from model.commands.shared import add_command
from model.marian.export import export

FORMATS = ("marian",)


def add_export(commands: argparse._SubParsersAction) -> None:
    about = "Write a checkpoint as a folder that transformers loads (MarianMTModel, MarianTokenizer)."
    command = add_command(commands, "export", _export, about)
    command.add_argument("--to", required=True, choices=FORMATS, help="the format")
    command.add_argument("out", type=Path, metavar="FOLDER", help="the folder to make")


def _export(options: argparse.Namespace) -> None:
    export(*checkpoint.load(options.checkpoint), options.out)
    print(f"{options.out}: MarianMTModel.from_pretrained and MarianTokenizer.from_pretrained load it")
