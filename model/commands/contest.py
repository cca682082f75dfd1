"""`python -m model contest`: train the networks before the Transformer, and a small one beside them."""

import argparse
from pathlib import Path

from model.processes import processes
from model.recipes.contest import check_names, compete, prepare, read_rules, ship
from model.rivals import RIVALS

DESCRIPTION = """Train five small networks on the same pairs, each at the best of the same few rates. Killed
at any moment, the same command continues where it stopped; a folder each is made in --out."""
RULES = Path(__file__).parent.parent / "recipes" / "rivals.toml"


def add_contest(commands: argparse._SubParsersAction) -> None:
    command = commands.add_parser(
        "contest",
        help="Train small networks of five architectures on the same pairs.",
        description=DESCRIPTION,
    )
    command.set_defaults(run=_contest)
    add = command.add_argument
    add(
        "--recipe",
        type=Path,
        default=RULES,
        metavar="FILE",
        help="the rules (default: those of the shipped ones)",
    )
    add("--data", required=True, type=Path, metavar="FOLDER", help="where the files that it names are")
    add("--dev", required=True, type=Path, metavar="FILE", help="pairs to evaluate on")
    add("--out", required=True, type=Path, metavar="FOLDER", help="for one folder a network")
    about = f"these alone, so that several commands can share the work (default: {' '.join(RIVALS)})"
    add("--ship", action="store_true", help="put those that are finished among the checkpoints that ship")
    add("--only", nargs="+", default=list(RIVALS), metavar="NAME", help=about)


def _contest(options: argparse.Namespace) -> None:
    check_names(options.only)
    rules = read_rules(options.recipe)
    with processes() as group:
        if group.first:
            prepare(rules, options.data, options.out)
        group.wait()
        for name in options.only:
            folder = compete(name, rules, options.out / "pairs.tsv", options.dev, options.out, group)
            if group.first:
                print(ship(folder) if options.ship else folder)
