"""`python -m model evaluate`: BLEU and chrF on a file of pairs, as JSON."""

import argparse
import json

from model.commands.shared import add_beam, add_command, add_pairs, check_lines
from model.rivals.rival import open_checkpoint
from model.training.data import read_pairs
from model.training.evaluation import quality


def add_evaluate(commands: argparse._SubParsersAction) -> None:
    about = "Translate the sources of a file of pairs and compare with its targets, as JSON."
    command = add_command(commands, "evaluate", _evaluate, about)
    add_pairs(command)
    add_beam(command)


def _evaluate(options: argparse.Namespace) -> None:
    sources, references = zip(*read_pairs(options.pairs), strict=True)
    translator = open_checkpoint(options.checkpoint)
    check_lines(translator, sources, f"{options.pairs}, line")
    written = [found.text for found in translator.translate_many(sources, beam=options.beam)]
    print(json.dumps(quality(written, references)._asdict()))
