"""`python -m model searches`: what other ways to search bring on a checkpoint, written into its folder."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model import checkpoint
from model.atlas import searches as room
from model.atlas.stories.everyday import parse_everyday
from model.commands.shared import add_command, check_lines, decode_lines
from model.translator import Translator, load


def add_searches(commands: argparse._SubParsersAction) -> None:
    about = "Find where a beam helps or harms, and what a mistake costs: a line for each, and searches.json."
    command = add_command(commands, "searches", _searches, about, more=room.__doc__)
    about = "look in these sentences: sentence TAB right translation [TAB another …] (default: ours)"
    command.add_argument("--pairs", type=Path, metavar="FILE.tsv", help=about)
    about = "where to (default: searches.json of the checkpoint's folder, whose sums are made again)"
    command.add_argument("--out", type=Path, metavar="FILE.json", help=about)


def found_on(translator: Translator, pairs: Path | None = None) -> dict[str, Any]:
    """All that searches.json holds, of a checkpoint."""
    given = None
    if pairs is not None:
        given = parse_everyday("\n".join(decode_lines(pairs.read_bytes(), pairs)), str(pairs))
        check_lines(translator, list(given), f"{pairs}, sentence")
        check_lines(translator, [each for right in given.values() for each in right], f"{pairs}, translation")
    return room.searches(translator, given, lambda what: print(what, file=sys.stderr))


def write_searches(path: Path, found: Mapping[str, Any]) -> None:
    text = json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)
    checkpoint.write(path, f"{text}\n".encode())


def _searches(options: argparse.Namespace) -> None:
    folder = checkpoint.find(options.checkpoint)
    found = found_on(load(options.checkpoint), options.pairs)
    for each in found["beams"]:
        smaller, larger = (each["written"][str(each[name])] for name in ("other", "size"))
        print(each["kind"], each["sentence"], each["other"], smaller, each["size"], larger, sep="\t")
    if cost := found["exposure"]:
        print("exposure", cost["departed"], cost["mistake"], cost["right"], *cost["interval"], sep="\t")
    write_searches(options.out or folder / checkpoint.SEARCHES, found)
    if options.out is None:
        checkpoint.seal(folder)
