"""The shell: one parser for all commands, and errors as one line."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from model.commands.causal import add_causal
from model.commands.contest import add_contest
from model.commands.convert import add_convert
from model.commands.distil import add_distil
from model.commands.evaluate import add_evaluate
from model.commands.export import add_export
from model.commands.heads import add_heads
from model.commands.info import add_info
from model.commands.make import add_make
from model.commands.recall import add_recall
from model.commands.rivals import add_rivals
from model.commands.score import add_score
from model.commands.searches import add_searches
from model.commands.ship import add_ship
from model.commands.stories import add_stories
from model.commands.trace import add_trace
from model.commands.train import add_train
from model.commands.translate import add_translate

COMMANDS = (
    add_translate, add_evaluate, add_score, add_trace, add_heads, add_causal, add_stories,
    add_searches, add_ship, add_info, add_distil, add_train, add_make, add_contest, add_rivals, add_recall,
    add_convert, add_export,
)  # fmt: skip


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; --help tells more", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0, 2 for an error of the caller, 130 for an interrupt."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        options = _parser().parse_args(arguments)
        options.run(options)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader, as in `… | head`, has stopped reading
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, LookupError, OSError) as error:
        print(f"headlight: {' '.join(_text(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _parser() -> Parser:
    parser = Parser(
        prog="python -m model",
        description="Train, use and look into an encoder-decoder Transformer.",
        epilog='Example: python -m model translate "Good morning, my friend."',
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for add in COMMANDS:
        add(commands)
    return parser


def _text(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.strerror}: {error.filename}"
    return str(error)
