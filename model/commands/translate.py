"""`python -m model translate`: sentences in, one translation per line out."""

import argparse
import sys

from model.commands.shared import add_beam, add_command, check_lines, decode_lines
from model.rivals.rival import open_checkpoint


def add_translate(commands: argparse._SubParsersAction) -> None:
    command = add_command(commands, "translate", _translate, "Translate sentences, one per line.")
    command.add_argument(
        "text", nargs="*", metavar="TEXT", help="sentences; without any, lines of standard input"
    )
    add_beam(command)


def _translate(options: argparse.Namespace) -> None:
    translator = open_checkpoint(options.checkpoint)
    texts = options.text or decode_lines(sys.stdin.buffer.read(), "standard input")
    check_lines(translator, texts, "sentence" if options.text else "standard input, line")
    for found in translator.translate_many(texts, beam=options.beam):
        print(found.text)
