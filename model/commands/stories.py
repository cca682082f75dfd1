"""`python -m model stories`: experiments worth showing on a checkpoint, written into its folder."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model import checkpoint
from model.atlas import stories as room
from model.atlas.stories.everyday import parse_everyday
from model.commands.causal import phenomena_of
from model.commands.shared import add_command, decode_lines
from model.translator import Translator, load


def add_stories(commands: argparse._SubParsersAction) -> None:
    about = "Look for experiments that show something on a checkpoint: a line for each, and stories.json."
    command = add_command(commands, "stories", _stories, about, more=room.__doc__)
    about = "look in these sentences: sentence TAB right translation [TAB another …] (default: ours)"
    command.add_argument("--everyday", type=Path, metavar="FILE.tsv", help=about)
    about = "where to (default: stories.json of the checkpoint's folder, whose sums are made again)"
    command.add_argument("--out", type=Path, metavar="FILE.json", help=about)


def told_of(translator: Translator, folder: Path, everyday: Path | None = None) -> dict[str, Any]:
    """The stories of a checkpoint, with what its atlas knows of its heads."""
    path = folder / checkpoint.ATLASES["hand"]
    atlas = json.loads(path.read_text("utf-8")) if path.exists() else None
    given = None
    if everyday is not None:
        given = parse_everyday("\n".join(decode_lines(everyday.read_bytes(), everyday)), str(everyday))
    phenomena = phenomena_of(translator) if atlas else []
    return room.stories(translator, given, phenomena, atlas, lambda what: print(what, file=sys.stderr))


def write_stories(path: Path, found: Mapping[str, Any]) -> None:
    text = json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)
    checkpoint.write(path, f"{text}\n".encode())


def _stories(options: argparse.Namespace) -> None:
    folder = checkpoint.find(options.checkpoint)
    found = told_of(load(options.checkpoint), folder, options.everyday)
    for each in found["stories"]:
        print(each["name"], each["sentence"], each["before"], each["after"], sep="\t")
    write_stories(options.out or folder / checkpoint.STORIES, found)
    if options.out is None:
        checkpoint.seal(folder)
