"""Training, as in section 5 of the paper: Adam, warm-up, label smoothing, averaged checkpoints.

A run is a pure function of its settings and its files; killed at any moment, it continues where it stopped.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from model import checkpoint
from model.processes import Processes
from model.text.tokenizer import Tokenizer
from model.text.vocabulary import train_tokenizer
from model.training import film
from model.training.data import Pair, encode_pairs, read_pairs
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
    film_pairs: Path = film.SENTENCES,
    begin: Path | None = None,
    made: Sequence[Pair] = (),
) -> None:
    """Train from a file of pairs, or continue where a run in `out` stopped, and write a checkpoint.

    `begin` names a finished checkpoint to start from instead of random weights; `made` are further pairs to
    learn from, made by the recipes that the settings name.
    """
    reuse_memory()
    training_pairs, dev_pairs = read_pairs(pairs), read_pairs(dev)
    records = Records(out / "training")
    if group.first:
        records.agree(settings, {"pairs": pairs, "dev": dev, "film": film_pairs})
    tokenizer = _tokenizer(out / checkpoint.TOKENIZER, training_pairs, settings, group, begin)
    config = replace(settings.config, vocabulary=len(tokenizer))
    run = Run(
        settings=replace(settings, config=config),
        tokenizer=tokenizer,
        records=records,
        group=group,
        corpus=encode_pairs([*training_pairs, *made], tokenizer, config.length),
        dev=encode_pairs(dev_pairs[: settings.dev_pairs], tokenizer, config.length),
        film_pairs=film.read_sentences(film_pairs, tokenizer),
        begin=begin,
    )
    run.go()
    if group.first:
        run.finish(out)
    group.wait()


def _tokenizer(
    path: Path, pairs: Sequence[Pair], settings: Settings, group: Processes, begin: Path | None
) -> Tokenizer:
    """The run's vocabulary, learned once by the first process, which sends it to the others."""
    content = b""
    if group.first:
        if not path.exists() and begin:
            checkpoint.write(path, (checkpoint.find(begin) / checkpoint.TOKENIZER).read_bytes())
        if not path.exists():
            made = train_tokenizer((text for pair in pairs for text in pair), settings.config.vocabulary)
            checkpoint.write(path, made.model)
        content = path.read_bytes()
    size = int(group.share(torch.tensor(len(content))))
    sent = torch.tensor(list(content) if group.first else [0] * size, dtype=torch.uint8)
    return Tokenizer(bytes(group.share(sent).tolist()))
