"""`python -m model ship`: make a finished run the checkpoint that ships, with its atlases and its card."""

import argparse
import json
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from model import checkpoint
from model.commands import card
from model.commands.heads import PROBES, write_atlas
from model.commands.shell import add_command
from model.probe.gender import gender_score
from model.processes import Processes
from model.progress import Progress
from model.text.treebank import Annotated, read
from model.training.data import read_pairs
from model.training.evaluation import Quality, quality
from model.translator import Translator, load

OF_RUN = (checkpoint.CONFIG, checkpoint.WEIGHTS, checkpoint.TOKENIZER, "film.npz", "log.jsonl")


def add_ship(commands: argparse._SubParsersAction) -> None:
    about = "Make the atlases and the measured parts of the card again, perhaps after swapping the weights."
    add = add_command(commands, "ship", _ship, about).add_argument
    add(
        "--finished",  # torchrun takes --run for its own
        type=Path,
        metavar="FOLDER",
        help="a finished run to take weights, log and film from",
    )
    add("--dev", required=True, type=Path, metavar="FILE", help="pairs it has not seen: source TAB target")
    add(
        "--treebank", required=True, type=Path, metavar="FILE", help="a treebank in CoNLL-U, for figures only"
    )


def _ship(options: argparse.Namespace) -> None:
    from model.processes import processes

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
        treebank = _atlas(translator, options.treebank.name, read(options.treebank), group, None)
        if group.first:
            log = map(json.loads, (folder / "log.jsonl").read_text("utf-8").splitlines())
            parts = {
                "shape": card.shape(translator),
                "scores": _scores(translator, options.dev.name, sources, references),
                "training": card.training(log),
                "roles": card.roles(atlases),
                "beside": card.beside(treebank, atlases["hand"]),
            }
            checkpoint.write(folder / "card.md", card.fill(words, parts).encode())
            checkpoint.seal(folder)


def _atlas(
    translator: Translator, name: str, sentences: Iterable[Annotated], group: Processes, out: Path | None
) -> dict:
    """Measured by all processes together; of the treebank only what costs no silencing, and no file."""
    from model.atlas.observed import make_atlas

    sentences = list(sentences)
    shown = Progress(len(sentences))

    def progress(done: int) -> None:
        if group.first and (all_done := done * group.count) < len(sentences):  # the others are about as far
            shown.show(all_done, name)

    found = make_atlas(translator, sentences, name, silencing=out is not None, group=group, progress=progress)
    if group.first:
        shown.show(len(sentences), name)
        if out is not None:
            write_atlas(out, found)
    return found


def _scores(translator: Translator, dev: str, sources: tuple[str, ...], references: tuple[str, ...]) -> str:
    probes = {name: list(sentences()) for name, sentences in PROBES.items()}
    pairs = [(each.text, each.french) for each in probes["hand"] if each.french]

    def of(texts: Iterable[str], wanted: Iterable[str], beam: int = 1) -> Quality:
        written = [found.text for found in translator.translate_many(tuple(texts), beam=beam)]
        return quality(written, tuple(wanted))

    print(f"translating {len(sources):,} sentences twice", file=sys.stderr)
    return card.scores(
        dev, of(sources, references), of(sources, references, beam=4), of(*zip(*pairs, strict=True)),
        {name: gender_score(translator, sentences) for name, sentences in probes.items()},
    )  # fmt: skip
