"""Training, as in section 5 of the paper: Adam, warm-up, label smoothing, averaged checkpoints.

A run is a pure function of its settings and its files; killed at any moment, it continues where it stopped.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from model import checkpoint
from model.network.config import Config
from model.processes import Processes
from model.text.tokenizer import Tokenizer
from model.text.vocabulary import train_tokenizer
from model.training import film
from model.training.data import Pair, encode_pairs, read_pairs, refuse_exchanged, refuse_mixed
from model.training.memory import reuse_memory
from model.training.records import Records
from model.training.run import Run
from model.training.settings import Settings


def train(
    settings: Settings,
    pairs: Path,
    dev: Path,
    out: Path,
    group: Processes,
    film_pairs: Path | None = None,
    begin: Path | None = None,
    made: Sequence[Pair] = (),
    filmed: bool = True,
) -> None:
    """Train from a file of pairs, or continue where a run in `out` stopped, and write a checkpoint.

    `begin` names a finished checkpoint to start from instead of random weights; `made` are further pairs to
    learn from, made by the recipes that the settings name. Without `film_pairs` the film finds its own; where
    there is to be none, nothing is scored but every `evaluate_every` steps.
    """
    reuse_memory()
    training_pairs, dev_pairs = read_pairs(pairs), read_pairs(dev)
    refuse_exchanged(training_pairs, dev_pairs)
    refuse_mixed(training_pairs, dev_pairs)
    records = Records(out / "training")
    if group.first:
        records.agree(settings, {"pairs": pairs, "dev": dev, "film": film_pairs or film.SENTENCES})
    tokenizer = _tokenizer(out / checkpoint.TOKENIZER, training_pairs, settings, group, begin)
    config = replace(settings.config, vocabulary=len(tokenizer))
    run = Run(
        settings=replace(settings, config=config),
        tokenizer=tokenizer,
        records=records,
        group=group,
        corpus=encode_pairs([*training_pairs, *made], tokenizer, config.length),
        dev=encode_pairs(dev_pairs[: settings.dev_pairs], tokenizer, config.length),
        film_pairs=_film_pairs(film_pairs, begin, tokenizer, config, dev_pairs, group) if filmed else [],
        begin=begin,
    )
    if group.first:  # not before all is read: a run that was refused leaves the folder to other settings
        records.begin()
        checkpoint.write(out / checkpoint.TOKENIZER, tokenizer.model)
    run.go()
    if group.first:
        run.finish(out)
    group.wait()


def _film_pairs(
    path: Path | None, begin: Path | None, tokenizer: Tokenizer, config: Config, dev: Sequence[Pair],
    group: Processes,
) -> list[Pair]:  # fmt: skip
    """The sentences that are filmed: the given ones, those of the film that goes on, or what can be found."""
    if config.architecture != "transformer":
        return []  # no heads to film
    if path:
        return film.read_sentences(path, tokenizer)
    begun = checkpoint.find(begin) / film.NAME if begin else None
    if begun and begun.exists():
        shown = film.read_film(begun)
        return list(zip(shown["sources"].tolist(), shown["references"].tolist(), strict=True))
    found, told = film.choose_sentences(tokenizer, (config.source, config.target), dev)
    if group.first:
        print(told, file=sys.stderr)
    return found


def _tokenizer(
    path: Path, pairs: Sequence[Pair], settings: Settings, group: Processes, begin: Path | None
) -> Tokenizer:
    """The run's vocabulary, learned once by the first process, which sends it to the others."""
    content = b""
    if group.first:
        if path.exists():
            content = path.read_bytes()
        elif begin:
            content = (checkpoint.find(begin) / checkpoint.TOKENIZER).read_bytes()
        else:
            texts = (text for pair in pairs for text in pair)
            content = train_tokenizer(texts, settings.config.vocabulary).model
    size = int(group.share(torch.tensor(len(content))))
    sent = torch.tensor(list(content) if group.first else [0] * size, dtype=torch.uint8)
    return Tokenizer(bytes(group.share(sent).tolist()))
