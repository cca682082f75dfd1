"""What the commands of the shell share."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from model.rivals.rival import Rival
from model.translator import Translator

Run = Callable[[argparse.Namespace], None]


def add_command(
    commands: argparse._SubParsersAction, name: str, run: Run, about: str, more: str | None = None
) -> argparse.ArgumentParser:
    """A command that works on a checkpoint; `more` stands below its options, with its own line breaks."""
    command = commands.add_parser(
        name, help=about, description=about, epilog=more,
        formatter_class=argparse.RawDescriptionHelpFormatter if more else argparse.HelpFormatter,
    )  # fmt: skip
    command.set_defaults(run=run)
    command.add_argument(
        "--checkpoint", default="en-fr", metavar="NAME|FOLDER",
        help="a shipped checkpoint, or a folder (default: %(default)s)",
    )  # fmt: skip
    return command


def add_pairs(command: argparse.ArgumentParser) -> None:
    about = "UTF-8 lines: source TAB target"
    command.add_argument("--pairs", required=True, type=Path, metavar="FILE", help=about)


def add_beam(command: argparse.ArgumentParser, default: int = 1) -> None:
    about = "follow the N best beginnings at once; 1 is greedy (default: %(default)s)"
    command.add_argument("--beam", type=int, default=default, metavar="N", help=about)


def decode_lines(content: bytes, place: str | Path) -> list[str]:
    """The lines of a file, refused at the first that is not UTF-8."""
    lines = []
    for number, line in enumerate(_split(content), 1):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            raise ValueError(f"{place}, line {number}: not UTF-8") from None
    return lines


def _split(content: bytes) -> list[bytes]:
    content = content.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n")
    return content.split(b"\n") if content else []


def check_lines(translator: Translator | Rival, texts: Sequence[str], place: str) -> None:
    """Refuse by number before anything is computed: a long job must not fail at its end."""
    for number, text in enumerate(texts, 1):
        try:
            translator.read(text)
        except ValueError as error:
            raise ValueError(f"{place} {number}: {error}") from None
