"""The shell: python -m model train | translate | evaluate | score | trace | info."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from model.shell_train import add_train

Command = Callable[[argparse.Namespace], None]


TRACE_FORMAT = """The file can be read without Headlight: numpy.load(FILE) or any JSON reader.
Its names, and what they hold, are listed at the top of model/trace_file.py."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line."""

    def error(self, message: str) -> None:
        print(f"{self.prog}: {message}; --help tells more", file=sys.stderr)
        raise SystemExit(2)


def main(arguments: Sequence[str] | None = None) -> int:
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        options = _parser().parse_args(arguments)
        options.run(options)
        sys.stdout.flush()
    except (ValueError, LookupError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # `… | head` has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        text = f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)
        print(f"headlight: {' '.join(text.split())}", file=sys.stderr)
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
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--checkpoint", default="en-fr", metavar="NAME|FOLDER",
        help="a shipped checkpoint, or a folder (default: %(default)s)",
    )  # fmt: skip

    def add(name: str, run: Command, help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help, description=help, parents=[shared])
        command.set_defaults(run=run)
        return command

    command = add("translate", _translate, "Translate sentences, one a line.")
    command.add_argument(
        "text", nargs="*", metavar="TEXT", help="sentences; without any, lines of standard input"
    )
    command.add_argument(
        "--beam",
        type=int,
        default=1,
        metavar="N",
        help="follow the N best beginnings at once (default: 1, greedy)",
    )

    command = add(
        "evaluate",
        _evaluate,
        "Translate the sources of a file of pairs and compare with its targets, as JSON.",
    )
    _add_pairs(command)
    command.add_argument("--beam", type=int, default=1, metavar="N", help="beam size (default: 1, greedy)")

    command = add(
        "score", _score, "The natural-log probability of each pair's target given its source, one a line."
    )
    _add_pairs(command)

    command = add(
        "trace", _trace, "Write all that one run shows to a file, or one file for each line of a text."
    )
    command.add_argument("text", nargs="?", metavar="TEXT", help="the sentence")
    command.add_argument(
        "--out", required=True, type=Path, metavar="FILE.npz|.json", help="where to; a folder with --file"
    )
    command.add_argument("--target", metavar="TEXT", help="a translation of your own instead of the model's")
    command.add_argument(
        "--edits",
        default="[]",
        metavar="JSON",
        help='changes to the run, e.g. \'{"edit": "hide", "position": 2}\'',
    )
    command.add_argument(
        "--keep",
        nargs="+",
        metavar="NAME",
        help="fields (attention, stream, …) or hook paths; all by default",
    )
    command.add_argument(
        "--file", type=Path, metavar="FILE", help="trace every line of this text instead, into the folder OUT"
    )
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = TRACE_FORMAT

    command = add("info", _info, "What a checkpoint is: shape, size, training.")
    command.add_argument("--hooks", action="store_true", help="list every hook point with its shape")

    add_train(commands)
    return parser


def _add_pairs(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--pairs", required=True, type=Path, metavar="FILE", help="UTF-8 lines: source TAB target"
    )


def _translate(options: argparse.Namespace) -> None:
    from model.translator import load

    translator = load(options.checkpoint)
    texts = options.text or _lines(sys.stdin.buffer.read(), "standard input")
    _check_lines(translator, texts, "sentence" if options.text else "standard input, line")
    for found in translator.translate_many(texts, beam=options.beam):
        print(found.text)


def _lines(content: bytes, place: str | Path) -> list[str]:
    lines = content.removesuffix(b"\n").split(b"\n") if content else []
    for number, line in enumerate(lines, 1):
        try:
            lines[number - 1] = line.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(f"{place}, line {number}: not UTF-8") from None
    return lines


def _check_lines(translator, texts: Sequence[str], place: str) -> None:
    """Refuse by number before anything is computed: a long job must not fail at its end."""
    for number, text in enumerate(texts, 1):
        try:
            translator.read(text)
        except ValueError as error:
            raise ValueError(f"{place} {number}: {error}") from None


def _evaluate(options: argparse.Namespace) -> None:
    from model.data import read_pairs
    from model.evaluation import quality
    from model.translator import load

    pairs = read_pairs(options.pairs)
    translator = load(options.checkpoint)
    sources, references = zip(*pairs, strict=True)
    _check_lines(translator, sources, f"{options.pairs}, line")
    written = [found.text for found in translator.translate_many(sources, beam=options.beam)]
    print(json.dumps(quality(written, references)._asdict()))


def _score(options: argparse.Namespace) -> None:
    from model.data import read_pairs
    from model.translator import load

    pairs = read_pairs(options.pairs)
    translator = load(options.checkpoint)
    for side in zip(*pairs, strict=True):
        _check_lines(translator, side, f"{options.pairs}, line")
    for total in translator.score(pairs):
        print(f"{total:.6f}")


def _trace(options: argparse.Namespace) -> None:
    from model.edits_json import from_json
    from model.trace_file import save_trace
    from model.translator import load

    if (options.text is None) == (options.file is None):
        raise ValueError("give a sentence or --file, one of the two")
    edits = from_json(options.edits)
    translator = load(options.checkpoint)
    if options.file is None:
        _check_suffix(options.out)
        trace = translator.trace(options.text, options.target, edits, options.keep)
        save_trace(trace, options.out)
        _say_replay_only(trace)
        return
    if options.target is not None:
        raise ValueError("--target goes with one sentence, not with --file")
    lines = _lines(_read(options.file), options.file)
    _check_lines(translator, lines, f"{options.file}, line")
    options.out.mkdir(parents=True, exist_ok=True)
    for number, line in enumerate(lines, 1):
        save_trace(translator.trace(line, None, edits, options.keep), options.out / f"{number:06}.npz")


def _check_suffix(path: Path) -> None:
    """Before anything is computed."""
    if path.suffix not in (".npz", ".json"):
        raise ValueError(f"a trace is written as .npz or .json, not {path.name!r}")


def _say_replay_only(trace) -> None:
    for edit in trace.replay_only:
        print(
            f"headlight: {edit} acts in the replay only; the translation was written without it",
            file=sys.stderr,
        )


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None


def _info(options: argparse.Namespace) -> None:
    from model import checkpoint
    from model.hooks import hook_points
    from model.translator import load

    translator = load(options.checkpoint)
    if options.hooks:
        for path, shape in hook_points(translator.model).items():
            print(f"{path}\t{shape}")
        return
    folder = checkpoint.find(options.checkpoint)
    parameters = sum(parameter.numel() for parameter in translator.model.parameters())
    facts = {
        "checkpoint": options.checkpoint,
        "parameters": f"{parameters:,}",
        **{name: value for name, value in json.loads(translator.config.to_json()).items()},
        "files": ", ".join(
            f"{path.name} {path.stat().st_size / 1e6:.1f} MB"
            for path in sorted(folder.iterdir())
            if path.is_file()
        ),
    }
    for name, value in facts.items():
        print(f"{name:12} {value}")


if __name__ == "__main__":
    raise SystemExit(main())
