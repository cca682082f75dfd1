"""What most benchmarks are asked: which checkpoint, and a few numbers. They run on one thread."""

import argparse

import torch

from model import Translator, load


def ask(about: str, **numbers: int) -> tuple[argparse.Namespace, Translator]:
    """The options of the command line, `numbers` being further ones with their defaults, and the model."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--checkpoint", default="en-fr")
    for name, default in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    torch.set_num_threads(1)
    return options, load(options.checkpoint)
