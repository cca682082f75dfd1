"""A contest: networks of different architectures learn the same pairs, each at its best rate of a few.

All see the same batches in the same order and have about as many weights; only how words reach each other
differs. What was tried and what was taken is written beside each checkpoint, in `training.json`.
"""

import json
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from model import checkpoint
from model.network.config import PRESETS, Config
from model.processes import Processes
from model.recipes import make_pairs
from model.recipes.contest_card import card
from model.recipes.stages import Stage, mix, read_stages
from model.rivals import FACTS, FOLDER, RIVALS
from model.text.vocabulary import train_tokenizer
from model.training.data import Pair
from model.training.loop import train
from model.training.settings import Settings

TABLE = "contest"


@dataclass(frozen=True)
class Rules:
    """What is the same for all of them."""

    longest: int  # words of a sentence that is learned from
    rates: tuple[float, ...]  # each is tried
    trial: int  # steps of a trial
    stage: Stage


def read_rules(path: Path) -> Rules:
    """A recipe of one stage, and a table [contest] beside it."""
    (stage,) = read_stages(path, beside=(TABLE,))
    table = tomllib.loads(path.read_text("utf-8")).get(TABLE, {})
    try:
        rules = Rules(**table | {"rates": tuple(table["rates"]), "stage": stage})
    except (KeyError, TypeError):
        raise ValueError(f"{path}: [{TABLE}] has longest, rates and trial, and nothing else") from None
    if not rules.rates or min(rules.longest, rules.trial) < 1:
        raise ValueError(f"{path}: [{TABLE}] needs a rate, and at least one word and one step")
    return rules


def prepare(rules: Rules, data: Path, out: Path) -> Path:
    """The pairs that all learn from, and their vocabulary, beside each other; made once."""
    pairs, vocabulary = out / "pairs.tsv", out / checkpoint.TOKENIZER
    if not vocabulary.exists():
        settings = rules.stage.settings
        mixed = mix(rules.stage.texts, data, settings.seed)
        mixed = [
            pair
            for pair in [*mixed, *make_pairs(mixed, settings.recipes, settings.seed)]
            if _fits(pair, rules)
        ]
        out.mkdir(parents=True, exist_ok=True)
        checkpoint.write(pairs, "".join(f"{source}\t{target}\n" for source, target in mixed).encode())
        texts = (text for pair in mixed for text in pair)
        checkpoint.write(vocabulary, train_tokenizer(texts, settings.config.vocabulary).model)
        print(f"{pairs}: {len(mixed):,} pairs", file=sys.stderr)
    return pairs


def compete(name: str, rules: Rules, pairs: Path, dev: Path, out: Path, group: Processes) -> Path:
    """Try every rate with this rival, train it at the best one, and say in a file how it went."""
    config = rival_config(name, rules)
    losses = {}
    for rate in rules.rates:
        steps = rules.trial
        folder = _train(name, rules, f"{name}-{rate:g}", pairs, dev, out, group, peak=rate, steps=steps,
                        cooldown=steps // 3, evaluate_every=steps)  # fmt: skip
        losses[rate] = scores(folder)["dev_loss"]
    best = min(losses, key=losses.__getitem__)
    folder = _train(name, rules, name, pairs, dev, out, group, peak=best)
    if group.first:
        log = [
            json.loads(line) for line in (folder / "training" / "log.jsonl").read_text("utf-8").splitlines()
        ]
        model, _ = checkpoint.load_any(folder)
        facts = {
            "name": name,
            "architecture": config.architecture,
            "optimizer": rules.stage.settings.optimizer,
            "weights": sum(weight.numel() for weight in model.parameters()),
            "rates": {f"{rate:g}": round(loss, 4) for rate, loss in losses.items()},
            "rate": best,
            "steps": rules.stage.settings.steps,
            "trial_steps": rules.trial,
            "source_words": rules.longest,
            "pairs": len(pairs.read_bytes().splitlines()),
            "target_pieces": sum(line.get("pieces", 0) for line in log),
            "seconds": round(log[-1]["seconds"]),
            **scores(folder),
        }
        checkpoint.write(folder / FACTS, f"{json.dumps(facts, indent=1)}\n".encode())
        checkpoint.write(folder / "card.md", card(config, facts).encode())
        checkpoint.seal(folder)
    group.wait()
    return folder


def ship(folder: Path) -> Path:
    """Copy what a reader needs, and not what training needs, to the checkpoints that ship."""
    kept = checkpoint.SHIPPED / FOLDER / folder.name
    kept.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name != checkpoint.SUMS:
            checkpoint.write(kept / path.name, path.read_bytes())
    checkpoint.seal(kept)
    return kept


def rival_config(name: str, rules: Rules) -> Config:
    """The shape that this rival has in this contest."""
    preset = PRESETS["beside" if name == "transformer" else name]
    return replace(preset, vocabulary=rules.stage.settings.config.vocabulary)


def scores(folder: Path) -> dict[str, float]:
    """The last loss and BLEU on the dev pairs: those of the weights that were kept."""
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text("utf-8").splitlines()]
    last = next(line for line in reversed(lines) if "dev_loss" in line)
    return {"dev_loss": round(last["dev_loss"], 4), "bleu": round(last["bleu"], 2)}


def _train(
    name: str, rules: Rules, place: str, pairs: Path, dev: Path, out: Path, group: Processes, **changes: Any
) -> Path:
    """One training from random weights, or what is left of it."""
    folder = out / place
    if not (folder / "log.jsonl").exists():  # written last: it is finished
        if group.first:
            folder.mkdir(parents=True, exist_ok=True)
            checkpoint.write(folder / checkpoint.TOKENIZER, (out / checkpoint.TOKENIZER).read_bytes())
        group.wait()
        given = asdict(rules.stage.settings) | {"config": rival_config(name, rules), "recipes": {}} | changes
        train(Settings(**given), pairs, dev, folder, group, filmed=False)
    return folder


def _fits(pair: Pair, rules: Rules) -> bool:
    return max(side.count(" ") + 1 for side in pair) <= rules.longest


def check_names(names: Sequence[str]) -> None:
    if odd := [name for name in names if name not in RIVALS]:
        raise ValueError(f"no rival {odd[0]!r}; there are {', '.join(RIVALS)}")
