"""The shell: python -m model train | distil | translate | evaluate | score | trace | heads | ship | info."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from model import checkpoint
from model.commands.heads import add_heads
from model.commands.shell import add_command, check_lines, decode_lines
from model.commands.ship import add_ship
from model.commands.trace import add_trace
from model.commands.train import add_train
from model.network.hooks import hook_points
from model.recipes.distillation import distil_pairs
from model.training.data import read_pairs
from model.training.evaluation import quality
from model.translator import load


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
    except BrokenPipeError:  # `… | head` has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (ValueError, LookupError, OSError) as error:
        named = isinstance(error, OSError) and error.strerror and error.filename
        text = f"{error.strerror}: {error.filename}" if named else str(error)
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

    command = add_command(commands, "translate", _translate, "Translate sentences, one a line.")
    command.add_argument(
        "text", nargs="*", metavar="TEXT", help="sentences; without any, lines of standard input"
    )
    _add_beam(command)

    about = "Translate the sources of a file of pairs and compare with its targets, as JSON."
    command = add_command(commands, "evaluate", _evaluate, about)
    _add_pairs(command)
    _add_beam(command)

    about = "The natural-log probability of each pair's target given its source, one a line."
    _add_pairs(add_command(commands, "score", _score, about))

    add_trace(commands)
    add_heads(commands)
    add_ship(commands)

    command = add_command(commands, "info", _info, "What a checkpoint is: its shape and its files.")
    command.add_argument("--hooks", action="store_true", help="list every hook point with its shape")

    about = "One easier target for every source of a file of pairs: the model's own where it is as good."
    command = add_command(commands, "distil", _distil, about)
    _add_pairs(command)
    _add_beam(command, default=4)
    about = "the least sentence BLEU at which its words take a target's place (default: %(default)s)"
    command.add_argument("--near", type=float, default=50.0, metavar="SCORE", help=about)

    add_train(commands)
    return parser


def _add_pairs(command: argparse.ArgumentParser) -> None:
    about = "UTF-8 lines: source TAB target"
    command.add_argument("--pairs", required=True, type=Path, metavar="FILE", help=about)


def _add_beam(command: argparse.ArgumentParser, default: int = 1) -> None:
    about = "follow the N best beginnings at once; 1 is greedy (default: %(default)s)"
    command.add_argument("--beam", type=int, default=default, metavar="N", help=about)


def _translate(options: argparse.Namespace) -> None:
    translator = load(options.checkpoint)
    texts = options.text or decode_lines(sys.stdin.buffer.read(), "standard input")
    check_lines(translator, texts, "sentence" if options.text else "standard input, line")
    for found in translator.translate_many(texts, beam=options.beam):
        print(found.text)


def _evaluate(options: argparse.Namespace) -> None:
    sources, references = zip(*read_pairs(options.pairs), strict=True)
    translator = load(options.checkpoint)
    check_lines(translator, sources, f"{options.pairs}, line")
    written = [found.text for found in translator.translate_many(sources, beam=options.beam)]
    print(json.dumps(quality(written, references)._asdict()))


def _score(options: argparse.Namespace) -> None:
    pairs = read_pairs(options.pairs)
    translator = load(options.checkpoint)
    for side in zip(*pairs, strict=True):
        check_lines(translator, side, f"{options.pairs}, line")
    for total in translator.score(pairs):
        print(f"{total:.6f}")


def _distil(options: argparse.Namespace) -> None:
    pairs, translator = read_pairs(options.pairs), load(options.checkpoint)
    for pair in distil_pairs(translator.model, translator.tokenizer, pairs, options.beam, options.near):
        print(*pair, sep="\t", flush=True)  # hours of work: what is done may be read before all is


def _info(options: argparse.Namespace) -> None:
    translator = load(options.checkpoint)
    if options.hooks:
        for path, shape in hook_points(translator.model).items():
            print(f"{path}\t{shape}")
        return
    files = sorted(path for path in checkpoint.find(options.checkpoint).iterdir() if path.is_file())
    facts = {
        "checkpoint": options.checkpoint,
        "parameters": f"{sum(weight.numel() for weight in translator.model.parameters()):,}",
        **json.loads(translator.config.to_json()),
        **{path.name: f"{path.stat().st_size / 1e6:.2f} MB" for path in files},
    }
    for name, value in facts.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    raise SystemExit(main())
