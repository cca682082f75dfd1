"""`python -m model convert`: a Marian folder (OPUS-MT) as a checkpoint."""

import argparse
from pathlib import Path

from model.marian.convert import convert

ABOUT = "Make a checkpoint of a Hugging Face Marian folder (OPUS-MT); nothing in the folder is executed."


def add_convert(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser("convert", help=ABOUT, description=ABOUT)
    command.set_defaults(run=_convert)
    add = command.add_argument
    add("folder", type=Path, metavar="FOLDER", help="with config.json, weights, vocab.json, both .spm")
    add("--out", required=True, type=Path, metavar="FOLDER", help="the checkpoint to make")
    about = "code of the language it reads (default: what the folder says)"
    add("--source", default=None, metavar="CODE", help=about)
    about = "code of the language it writes (default: what the folder says)"
    add("--target", default=None, metavar="CODE", help=about)
    about = "of a model that writes several languages, the one to ask for, as its vocabulary has it: fra"
    add("--to", default="", metavar="CODE", help=about)
    about = "head 1 of the last cross-attention was trained to align words (default: what the card says)"
    add("--taught", action=argparse.BooleanOptionalAction, default=None, help=about)


def _convert(options: argparse.Namespace) -> None:
    out = options.out
    made = convert(options.folder, out, options.source, options.target, options.to, options.taught)
    config, count = made.config, sum(weight.numel() for weight in made.weights.values())
    print(
        f"{out}: {config.source} → {config.target}, {config.layers} + {config.depth('decoder')} layers, "
        f"{config.heads} heads, width {config.width}, {config.vocabulary:,} pieces, {count:,} parameters"
    )
    sentences = "--probe hand" if config.source == "en" else "--text SENTENCES"
    print(f"HEADLIGHT_CHECKPOINT={out} make app opens it; for the Atlas, measure its heads:")
    print(f"python -m model heads {sentences} --checkpoint {out} --out {out / 'atlas.json'}")
