"""A whole training in one file: the shape of the model, and stages of texts and settings.

[shape]                     # fields of Config
layers = 6

[[stage]]
name = "broad"
steps = 9000                # fields of Settings; steps count from the first stage on
recipes = {careless = 0.05} # pairs made of pairs
[[stage.text]]
file = "books.tsv"          # source TAB target, and perhaps a column that says where it is from
words = 25                  # no side longer than this
most = 130000               # so many of them, drawn at random
without = ["pivot2"]        # what the third column must not say
times = 3                   # read so many times over
"""

import tomllib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from model.network.config import Config, preset
from model.recipes import RECIPES
from model.training.data import Pair, read_rows
from model.training.settings import Settings


@dataclass(frozen=True)
class Text:
    """One file of pairs, and how much of it is read."""

    file: str
    words: int | None = None
    most: int | None = None
    without: tuple[str, ...] = ()
    times: int = 1


@dataclass(frozen=True)
class Stage:
    name: str
    settings: Settings
    texts: tuple[Text, ...]


def read_stages(path: Path, beside: Sequence[str] = ()) -> list[Stage]:
    """The stages of a recipe; what is unknown is refused by name. Tables `beside` are others' to read."""
    try:
        recipe = tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: {error}") from None
    _refuse_unknown(path, "a recipe", recipe, ("shape", "stage", *beside))
    if not recipe.get("stage"):
        raise ValueError(f"{path}: a recipe needs at least one [[stage]]")
    config = preset("small", **_fields(path, "shape", recipe.get("shape", {}), Config))
    stages = [_stage(path, config, table) for table in recipe["stage"]]
    for before, after in pairwise(stages):
        if after.settings.steps <= before.settings.steps:
            raise ValueError(f"{path}: stage {after.name!r} must end after stage {before.name!r}")
    return stages


def mix(texts: Sequence[Text], data: Path, seed: int) -> list[Pair]:
    """The pairs of a stage. Each file draws from a stream of its own: more of one changes no other."""
    pairs: list[Pair] = []
    for text in texts:
        rows = [row for row in read_rows(data / text.file) if _fits(text, row)]
        if text.most is not None and text.most < len(rows):
            rng = np.random.default_rng((seed, zlib.crc32(text.file.encode())))
            rows = [rows[index] for index in np.sort(rng.permutation(len(rows))[: text.most])]
        pairs += [(row[0], row[1]) for row in rows] * text.times
    if not pairs:
        raise ValueError("a stage needs at least one pair; its texts leave none")
    return pairs


def _fits(text: Text, row: Sequence[str]) -> bool:
    short = text.words is None or max(side.count(" ") + 1 for side in row[:2]) <= text.words
    return short and not (len(row) > 2 and row[2] in text.without)


def _stage(path: Path, config: Config, table: Mapping[str, Any]) -> Stage:
    name = table.get("name")
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError(f"{path}: a stage needs a name of letters and digits, not {name!r}")
    place = f"stage {name!r}"
    texts = table.get("text", [])
    if not texts:
        raise ValueError(f"{path}: {place} needs at least one [[stage.text]]")
    _refuse_unknown(path, f"recipes of {place}", table.get("recipes", {}), tuple(RECIPES))
    chosen = {key: value for key, value in table.items() if key not in ("name", "text")}
    settings = Settings(config, **_fields(path, place, chosen, Settings, without=("config",)))
    return Stage(name, settings, tuple(_text(path, place, text) for text in texts))


def _text(path: Path, place: str, table: Mapping[str, Any]) -> Text:
    given = _fields(path, f"a text of {place}", table, Text)
    if "file" not in given:
        raise ValueError(f"{path}: a text of {place} names no file")
    return Text(**given | {"without": tuple(given.get("without", ()))})


def _fields(
    path: Path, place: str, table: Mapping[str, Any], kind: type, without: Sequence[str] = ()
) -> dict[str, Any]:
    known = [field.name for field in fields(kind) if field.name not in without]
    _refuse_unknown(path, place, table, known)
    return dict(table)


def _refuse_unknown(path: Path, place: str, table: Mapping[str, Any], known: Sequence[str]) -> None:
    if unknown := sorted(table.keys() - set(known)):
        raise ValueError(f"{path}: {place} has no {unknown[0]!r}; it may have {', '.join(known)}")
