"""`python -m model trace`: one run, or a run for each line of a text, as files."""

import argparse
import sys
from pathlib import Path

from model.commands.shared import add_command, check_lines, decode_lines
from model.inspect import trace_file
from model.inspect.edits import Edit
from model.inspect.edits_json import from_json
from model.translator import Translator, load


def add_trace(commands: argparse._SubParsersAction) -> None:
    about = "Write all that one run shows to a file, or one file for each line of a text."
    add = add_command(commands, "trace", _trace, about, more=trace_file.__doc__).add_argument
    add("text", nargs="?", metavar="TEXT", help="the sentence")
    add("--out", required=True, type=Path, metavar="FILE.npz|.json", help="where to; a folder with --file")
    add("--target", metavar="TEXT", help="a translation of your own instead of the model's")
    add("--edits", default="[]", metavar="JSON", help='changes, e.g. \'{"edit": "hide", "position": 2}\'')
    add("--keep", nargs="+", metavar="NAME", help="fields (attention, stream …) or hook paths; default: all")
    add("--file", type=Path, metavar="FILE", help="trace every line of this text, into the folder OUT")


def _trace(options: argparse.Namespace) -> None:
    if (options.text is None) == (options.file is None):
        raise ValueError("give a sentence or --file, one of the two")
    edits = from_json(options.edits)
    for edit in edits:
        if not edit.decodes and options.target is None:
            told = f"headlight: {edit} acts in the replay only; the translation is written without it"
            print(told, file=sys.stderr)
    if options.file is not None:
        _trace_file(load(options.checkpoint), options, edits)
        return
    trace_file.check_suffix(options.out)
    trace = load(options.checkpoint).trace(options.text, options.target, edits, options.keep)
    trace_file.save_trace(trace, options.out)


def _trace_file(translator: Translator, options: argparse.Namespace, edits: tuple[Edit, ...]) -> None:
    if options.target is not None:
        raise ValueError("--target goes with one sentence, not with --file")
    lines = decode_lines(options.file.read_bytes(), options.file)
    check_lines(translator, lines, f"{options.file}, line")
    options.out.mkdir(parents=True, exist_ok=True)
    for number, trace in enumerate(translator.trace_many(lines, edits, options.keep), 1):
        trace_file.save_trace(trace, options.out / f"{number:06}.npz")
