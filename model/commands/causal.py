"""`python -m model causal`: what breaks without each head, for contrasts of one's own or those that ship."""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from model import checkpoint
from model.atlas.causal import report
from model.commands.measuring import causal
from model.commands.shared import add_command
from model.probe import contrasts
from model.probe.contrasts import Phenomenon, read_phenomenon, shipped
from model.processes import processes
from model.translator import Translator, load

SHOWN = 3  # heads of each phenomenon in the table


def add_causal(commands: argparse._SubParsersAction) -> None:
    about = "Tell what breaks without each head: a line for each of the heads that matter most."
    more = f"{contrasts.__doc__}\n{report.__doc__}"
    command = add_command(commands, "causal", _causal, about, more=more)
    about = "phenomena, each a file of contrasts (default: those of the checkpoint's languages)"
    command.add_argument("contrasts", type=Path, nargs="*", metavar="FILE.tsv", help=about)
    command.add_argument("--out", type=Path, metavar="FILE.json", help="where to write all of it")


def phenomena_of(translator: Translator, files: Sequence[Path] | None = None) -> list[Phenomenon]:
    """Those of the files, or those that ship for the languages of the checkpoint."""
    if files:
        found = [read_phenomenon(path) for path in files]
        if len({each.name for each in found}) < len(found):
            raise ValueError("two files have the same name; a phenomenon is named by its file")
        return found
    return shipped(translator.config.source, translator.config.target)


def _causal(options: argparse.Namespace) -> None:
    if options.out is not None and not options.out.parent.is_dir():
        raise ValueError(f"no folder {options.out.parent} to write {options.out.name} to")
    translator = load(options.checkpoint)
    phenomena, config = phenomena_of(translator, options.contrasts), translator.config
    if not phenomena:
        raise ValueError(f"no contrasts ship for {config.source} to {config.target}; give a file of your own")
    with processes() as group:
        found = causal(translator, phenomena, group)
        if not group.first:
            return
    print("phenomenon", "rows", "gap", "head", "change", "low", "high", "role", sep="\t")
    for name, told in found["causal"].items():
        for entry in sorted(told["heads"], key=_change)[:SHOWN]:
            if (value := entry["silenced"]) is not None:
                head = f"{entry['kind']} {entry['layer']} {entry['head']}"
                change = (value["value"], value["low"], value["high"], "yes" if entry["role"] else "no")
                print(name, f"{told['rows']}/{told['given']}", told["gap"], head, *change, sep="\t")
    if options.out is not None:
        text = json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        checkpoint.write(options.out, f"{text}\n".encode())


def _change(entry: Mapping[str, Any]) -> float:
    return float(entry["silenced"]["value"]) if entry["silenced"] else 0.0
