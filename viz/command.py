"""`headlight`: start the app from anywhere, on the checkpoint that ships or on one's own."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from viz.installed import home

PORT = 8501


def main(asked: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="headlight", description="See what every attention head looks at, and whether it matters.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--version", action="version", version=f"headlight {version('headlight')}")
    parser.add_argument("--port", type=_port, default=PORT, help="where a browser finds the app")
    usual = os.environ.get("HEADLIGHT_CHECKPOINT", "en-fr")
    parser.add_argument("--checkpoint", default=usual, metavar="NAME_OR_FOLDER",
                        help="the model: one that ships, or a folder")  # fmt: skip
    options = parser.parse_args(asked)
    os.environ["HEADLIGHT_CHECKPOINT"] = _usable(options.checkpoint)
    os.environ["HEADLIGHT_CHECKPOINTS"] = _others(os.environ.get("HEADLIGHT_CHECKPOINTS", ""))
    _serve(options.port)


def _usable(asked: str) -> str:
    """A checkpoint that ships, by its name, or another one's folder, wherever the server starts."""
    from model import checkpoint  # torch is no thing to wait for when one asks for the version

    try:
        folder = checkpoint.find(asked)
        checkpoint.load(folder)
    except ValueError as error:
        sys.exit(f"headlight: {error}")
    return asked if folder.is_relative_to(checkpoint.SHIPPED) else str(folder.resolve())


def _others(folders: str) -> str:
    """The folders that the app looks for further models in, and the one beside us, wherever it starts."""
    named = [each for each in folders.split(os.pathsep) if each.strip()]
    return os.pathsep.join(str(Path(each).expanduser().resolve()) for each in [*named, "checkpoints"])


def _serve(port: int) -> None:
    from streamlit.web import cli

    from viz import serve

    os.chdir(home())  # Streamlit reads its settings in the folder where it starts
    sys.argv = ["streamlit", "run", str(serve.__file__), f"--server.port={port}"]
    sys.exit(cli.main())


def _port(text: str) -> int:
    """A port that a server may have."""
    if not text.isdecimal() or not 1 <= int(text) <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a whole number from 1 to 65535")
    return int(text)
