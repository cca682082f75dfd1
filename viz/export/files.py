"""Pictures as files: the numbers of a picture as CSV, JSON and NPZ. Pure: a picture in, bytes out."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from viz.state.picture import Picture

if TYPE_CHECKING:
    from model import Trace
    from viz.components.head_grid import Block

NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?|-?inf")
NOTHING: Mapping = MappingProxyType({})


def to_csv(picture: Picture, corner: str = "") -> str:
    """The map that is on screen: one line a row, with the words on both sides; the corner says whose."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_harmless(corner), *map(_harmless, picture.keys)])
    for query, row, allowed in zip(picture.queries, picture.combined, picture.mask, strict=True):
        cells = (f"{weight:.6f}" if may else "" for weight, may in zip(row, allowed, strict=True))
        writer.writerow([_harmless(query), *cells])
    return "\ufeff" + text.getvalue()  # a byte order mark: spreadsheets then read Hangul and accents


def to_json(picture: Picture, about: Mapping[str, object], more: Mapping[str, np.ndarray] = NOTHING) -> str:
    """Every chosen head and the map made of them, and `more` arrays if a picture was compared."""
    return arrays_json({**_arrays(picture), **more}, about)


def to_npz(picture: Picture, about: Mapping[str, object], more: Mapping[str, np.ndarray] = NOTHING) -> bytes:
    return arrays_npz({**_arrays(picture), **more}, about)


def measures_csv(blocks: Sequence[Block], names: Mapping[str, Sequence[str]] = NOTHING) -> str:
    """One line a head, numbered from 0, with what was measured on this sentence; empty: not defined.

    `names` has what breaks without a head, by its kind, layer and number: "cross.3.0".
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["kind", "layer", "head", *blocks[0].measures, "names"])
    for block in blocks:
        for layer, head in np.ndindex(block.weights.shape[:2]):
            values = (values[layer, head] for values in block.measures.values())
            cells = ("" if np.isnan(value) else f"{value:.6f}" for value in values)
            named = names.get(f"{block.kind}.{layer}.{head}", ())
            writer.writerow([block.kind, layer, head, *cells, _harmless(";".join(named))])
    return text.getvalue()


def trace_npz(trace: Trace, about: Mapping[str, object]) -> bytes:
    """Every head's weights under the names that `python -m model trace` writes."""
    arrays = {f"attention.{kind}": attention for kind, attention in trace.attention.items()}
    return _archive({**_facts(about), **{name: np.array(words) for name, words in _words(trace)}, **arrays})


def trace_json(trace: Trace, about: Mapping[str, object]) -> str:
    arrays = {f"attention.{kind}": attention.round(6).tolist() for kind, attention in trace.attention.items()}
    return json.dumps({**about, **dict(_words(trace)), **arrays}, ensure_ascii=False)


def arrays_json(arrays: Mapping[str, object], about: Mapping[str, object]) -> str:
    """Named arrays, numbers and words, as the panel shows them."""
    plain = {
        name: value.tolist() if isinstance(value, np.ndarray | np.generic) else value
        for name, value in arrays.items()
    }
    return json.dumps({**about, **plain}, ensure_ascii=False, indent=1)


def arrays_npz(arrays: Mapping[str, object], about: Mapping[str, object]) -> bytes:
    return _archive(_facts(about) | {name: np.asarray(value) for name, value in arrays.items()})


def arrays_csv(arrays: Mapping[str, object]) -> str:
    """Named numbers as tables: single values, then columns of one length side by side, then map after map.

    >>> arrays_csv({"base": 2, "x": [1, 2], "y": [0.5, 0.25]}).lstrip("\\ufeff").splitlines()
    ['base,2', '', 'x,y', '1,0.5', '2,0.25']
    """
    shaped = {name: np.asarray(value) for name, value in arrays.items() if value is not None}
    single = [[name, *_cells(value.ravel())] for name, value in shaped.items() if value.ndim == 0]
    tables = [single] if single else []
    columns = {name: value for name, value in shaped.items() if value.ndim == 1}
    for length in dict.fromkeys(map(len, columns.values())):
        alike = {name: _cells(value) for name, value in columns.items() if len(value) == length}
        tables.append([list(alike), *map(list, zip(*alike.values(), strict=True))])
    for name, value in shaped.items():
        if value.ndim > 1:
            for place in np.ndindex(value.shape[:-2]):
                rows = [[str(row), *_cells(numbers)] for row, numbers in enumerate(value[place])]
                tables.append(
                    [[".".join([name, *map(str, place)]), *map(str, range(value.shape[-1]))], *rows]
                )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, table in enumerate(tables):
        writer.writerows([[]] * bool(number) + [[_harmless(cell) for cell in row] for row in table])
    return "\ufeff" + text.getvalue()


def _cells(values: np.ndarray) -> list[str]:
    """Numbers with seven digits, empty where there is none; words as they are."""
    if np.issubdtype(values.dtype, np.floating):
        return ["" if np.isnan(value) else f"{value:.7g}" for value in values]
    return ["" if value is None else str(value) for value in values.tolist()]


def _facts(about: Mapping[str, object]) -> dict[str, np.ndarray]:
    """What is not a number goes into an archive as JSON: nothing in it needs to be unpickled."""
    return {name: np.array(json.dumps(value, ensure_ascii=False)) for name, value in about.items()}


def _words(trace: Trace) -> list[tuple[str, list[str]]]:
    read, predicted = list(trace.target.read), list(trace.target.predicted)
    return [
        ("source.pieces", list(trace.source.pieces)),
        ("target.read", read),
        ("target.predicted", predicted),
    ]


def _arrays(picture: Picture) -> dict[str, object]:
    numbers = {"weights": picture.weights, "combined": picture.combined, "mask": picture.mask}
    words = {"queries": picture.queries, "keys": picture.keys, "heads": picture.heads}
    return {**numbers, **words}


def _archive(arrays: Mapping[str, np.ndarray]) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def _harmless(label: str) -> str:
    """A spreadsheet must not take a word for a formula; a number is none."""
    risky = label[:1] in "=+-@\t\r" and label[:1]
    return f"'{label}" if risky and not NUMBER.fullmatch(label) else label
