"""`python -m model info`: what a checkpoint is, or every hook point of it."""

import argparse
import json

from model import checkpoint
from model.commands.shared import add_command
from model.network.hooks import hook_points


def add_info(commands: argparse._SubParsersAction) -> None:
    command = add_command(commands, "info", _info, "What a checkpoint is: its shape and its files.")
    command.add_argument("--hooks", action="store_true", help="list every hook point with its shape")


def _info(options: argparse.Namespace) -> None:
    model, _ = checkpoint.load_any(options.checkpoint)
    if options.hooks:
        for path, shape in hook_points(model).items():
            print(f"{path}\t{shape}")
        return
    files = sorted(path for path in checkpoint.find(options.checkpoint).iterdir() if path.is_file())
    facts = {
        "checkpoint": options.checkpoint,
        "parameters": f"{sum(weight.numel() for weight in model.parameters()):,}",
        **json.loads(model.config.to_json()),
        **{path.name: f"{path.stat().st_size / 1e6:.2f} MB" for path in files},
    }
    for name, value in facts.items():
        print(f"{name:20} {value}")
