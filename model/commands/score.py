"""`python -m model score`: how likely given translations are, one number per line."""

import argparse

from model.commands.shared import add_command, add_pairs, check_lines
from model.rivals.rival import open_checkpoint
from model.training.data import read_pairs


def add_score(commands: argparse._SubParsersAction) -> None:
    about = "The natural-log probability of each pair's target given its source, one per line."
    add_pairs(add_command(commands, "score", _score, about))


def _score(options: argparse.Namespace) -> None:
    pairs = read_pairs(options.pairs)
    translator = open_checkpoint(options.checkpoint)
    for side in zip(*pairs, strict=True):
        check_lines(translator, side, f"{options.pairs}, line")
    for total in translator.score(pairs):
        print(f"{total:.6f}")
