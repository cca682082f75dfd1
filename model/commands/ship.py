"""`python -m model ship`: make a finished run the checkpoint that ships, with its atlases and its card."""

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from model import checkpoint
from model.atlas.report import write_atlas
from model.commands import card
from model.commands.causal import phenomena_of
from model.commands.measuring import causal, measured
from model.commands.searches import found_on, write_searches
from model.commands.shared import add_command
from model.commands.stories import told_of, write_stories
from model.probe.corpora import PROBES
from model.probe.gender import gender_score
from model.processes import Processes, processes
from model.text.treebank import Annotated, read
from model.training.data import read_pairs
from model.training.evaluation import Quality, quality
from model.translator import Translator, load

OF_RUN = (checkpoint.CONFIG, checkpoint.WEIGHTS, checkpoint.TOKENIZER, "film.npz", "log.jsonl")


def add_ship(commands: argparse._SubParsersAction) -> None:
    about = "Make the atlases and the measured parts of the card again, perhaps after swapping the weights."
    add = add_command(commands, "ship", _ship, about).add_argument
    about = "a finished run to take weights, log and film from"
    add("--finished", type=Path, metavar="FOLDER", help=about)  # torchrun takes --run for its own
    add("--dev", required=True, type=Path, metavar="FILE", help="pairs it has not seen: source TAB target")
    about = "a treebank in CoNLL-U, for figures only"
    add("--treebank", required=True, type=Path, metavar="FILE", help=about)


def _ship(options: argparse.Namespace) -> None:
    folder = checkpoint.find(options.checkpoint)
    sources, references = zip(*read_pairs(options.dev), strict=True)
    words = (folder / "card.md").read_text("utf-8")
    with processes() as group:
        if options.finished and group.first:
            for name in OF_RUN:
                shutil.copyfile(options.finished / name, folder / name)
            checkpoint.seal(folder)
        group.wait()
        translator = load(options.checkpoint)
        atlases = {
            name: _atlas(translator, name, sentences(), group, folder / checkpoint.ATLASES[name])
            for name, sentences in PROBES.items()
        }
        atlases["hand"] |= causal(translator, phenomena_of(translator), group)
        if group.first:
            write_atlas(folder / checkpoint.ATLASES["hand"], atlases["hand"])
            write_stories(folder / checkpoint.STORIES, told_of(translator, folder))
            write_searches(folder / checkpoint.SEARCHES, found_on(translator))
        treebank = _atlas(translator, options.treebank.name, read(options.treebank), group, None)
        if group.first:
            log = map(json.loads, (folder / "log.jsonl").read_text("utf-8").splitlines())
            parts = {
                "shape": card.shape(translator),
                "scores": _scores(translator, options.dev.name, sources, references),
                "training": card.training(log),
                "causal": card.causal(atlases["hand"]),
                "roles": card.roles(atlases),
                "beside": card.beside(treebank, atlases["hand"]),
            }
            checkpoint.write(folder / "card.md", card.fill(words, parts).encode())
            checkpoint.seal(folder)


def _atlas(
    translator: Translator, name: str, corpus: Iterable[Annotated], group: Processes, out: Path | None
) -> dict[str, Any]:
    """Measured by all processes together; of the treebank only what costs no silencing, and no file."""
    sentences = list(corpus)
    found = measured(translator, sentences, len(sentences), name, group, silencing=out is not None)
    if group.first and out is not None:
        write_atlas(out, found)
    return found


def _scores(translator: Translator, dev: str, sources: Sequence[str], references: Sequence[str]) -> str:
    probes = {name: list(sentences()) for name, sentences in PROBES.items()}
    given = [each for each in probes["hand"] if each.french]
    texts, french = [each.text for each in given], [each.french or "" for each in given]

    def of(texts: Sequence[str], wanted: Sequence[str], beam: int = 1) -> Quality:
        return quality([found.text for found in translator.translate_many(texts, beam=beam)], wanted)

    print(f"translating {len(sources):,} sentences twice", file=sys.stderr)
    return card.scores(
        dev, of(sources, references), of(sources, references, beam=4), of(texts, french),
        {name: gender_score(translator, sentences) for name, sentences in probes.items()},
    )  # fmt: skip
