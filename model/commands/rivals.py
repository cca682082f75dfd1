"""`python -m model rivals`: how well five architectures translate sentences of each length."""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from model import checkpoint
from model.probe.corpora import PROBES
from model.rivals import FACTS, FOLDER, RIVALS
from model.rivals import lengths as room
from model.rivals.aligned import aligned
from model.rivals.joined import joined
from model.rivals.rival import Rival
from model.training.data import Pair, read_pairs

# What must be the same for a comparison to be fair, and what each chose for itself.
SAME, OWN = ("pairs", "target_pieces", "source_words", "steps"), ("weights", "rates", "rate", "seconds")


def add_rivals(commands: argparse._SubParsersAction) -> None:
    about = "Measure the five small architectures by the length of sentences, and write lengths.json."
    command = commands.add_parser(
        "rivals", help=about, description=about, epilog=room.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    command.set_defaults(run=_rivals)
    about = "pairs that none has learned from, as UTF-8 lines: source TAB target; several files are one"
    command.add_argument("--pairs", required=True, type=Path, nargs="+", metavar="FILE", help=about)
    about = "measure at most so many sentences of each length (default: %(default)s)"
    command.add_argument("--most", type=int, default=room.MOST, metavar="N", help=about)
    about = "where the five are, in folders of their names (default: those that ship)"
    command.add_argument(
        "--folder", type=Path, default=checkpoint.SHIPPED / FOLDER, metavar="FOLDER", help=about
    )


def _rivals(options: argparse.Namespace) -> None:
    torch.set_num_threads(1)  # these tensors are small: cores would wait for each other
    rivals = {name: Rival(name, *checkpoint.load_any(options.folder / name)) for name in RIVALS}
    facts = {name: json.loads((options.folder / name / FACTS).read_text("utf-8")) for name in RIVALS}
    longest = max(each["source_words"] for each in facts.values())
    pairs = _pairs(options.pairs, longest)
    found = room.measure(rivals, pairs, longest, options.most, lambda what: print(what, file=sys.stderr))
    probe = list(PROBES["hand"]())
    for name, rival in rivals.items():
        found["models"][name] |= {"training": facts[name], "aligned": aligned(rival, probe)}
    for line in (*fairness(facts), *_scores(found)):
        print(*line, sep="\t")
    text = json.dumps(found, ensure_ascii=False, allow_nan=False, indent=1)
    checkpoint.write(options.folder / room.FILE, f"{text}\n".encode())


def fairness(facts: Mapping[str, Mapping[str, Any]]) -> Iterable[Sequence[object]]:
    """What all have in common, and what each has of its own; a line each."""
    for name in SAME:
        values = sorted({each[name] for each in facts.values()})
        yield name, "the same" if len(values) == 1 else "DIFFERENT", *values
    weights = [each["weights"] for each in facts.values()]
    yield "weights", "apart by", f"{max(weights) / min(weights) - 1:.1%}"
    yield "", *OWN
    for name, each in facts.items():
        yield name, *(json.dumps(each[column]) for column in OWN)


def _pairs(files: Iterable[Path], longest: int) -> list[Pair]:
    """Each pair once, in the files' order; what is longer than they learned from is made of several."""
    pairs = dict.fromkeys(pair for path in files for pair in read_pairs(path))
    within = [pair for pair in pairs if room.words_of(pair[0]) <= longest]
    beyond = [longest, *(edge for edge in room.EDGES if edge > longest)]
    return [*within, *joined(within, beyond)]


def _scores(found: Mapping[str, Any]) -> Iterable[Sequence[object]]:
    places = [f"{each['first']}-{each['last']} ({each['sentences']})" for each in found["buckets"]]
    for measure in room.MEASURES:
        yield measure, *places, "all"
        for name, each in found["models"].items():
            yield name, *("{:.2f} [{:.2f}, {:.2f}]".format(*score) for score in each[measure])
