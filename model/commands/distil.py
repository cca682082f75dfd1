"""`python -m model distil`: easier targets for the sources of a file of pairs."""

import argparse

from model.commands.shared import add_beam, add_command, add_pairs
from model.recipes.distillation import distil_pairs
from model.training.data import read_pairs
from model.translator import load


def add_distil(commands: argparse._SubParsersAction) -> None:
    about = "One easier target for every source of a file of pairs: the model's own where it is as good."
    command = add_command(commands, "distil", _distil, about)
    add_pairs(command)
    add_beam(command, default=4)
    about = "the least sentence BLEU at which its words replace a target (default: %(default)s)"
    command.add_argument("--near", type=float, default=50.0, metavar="SCORE", help=about)


def _distil(options: argparse.Namespace) -> None:
    pairs, translator = read_pairs(options.pairs), load(options.checkpoint)
    for pair in distil_pairs(translator.model, translator.tokenizer, pairs, options.beam, options.near):
        print(*pair, sep="\t", flush=True)  # hours of work: what is done can be read before all is
