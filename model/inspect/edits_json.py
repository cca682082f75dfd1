"""Edits as JSON, as they stand in links and files: {"edit": "scale", "where": …, "head": 4, "factor": 0}."""

import json
import re
from collections.abc import Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from model.inspect import edits as kinds

NAMES: dict[str, type[kinds.Edit]] = {
    re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower(): kind
    for kind in (
        kinds.Scale, kinds.Uniform, kinds.Row, kinds.Cell, kinds.Hide, kinds.Temperature,
        kinds.Unscale, kinds.PositionsOff, kinds.PositionsShift, kinds.Shuffle, kinds.LiftMask, kinds.Skip,
        kinds.CopyHead, kinds.CopyStream, kinds.Replace,
    )
}  # fmt: skip


def to_json(edits: Sequence[kinds.Edit]) -> str:
    """Short enough for a link: no spaces, no empty fields."""
    return json.dumps(as_data(edits), ensure_ascii=False, separators=(",", ":"))


def as_data(edits: Sequence[kinds.Edit]) -> list[dict[str, Any]]:
    """What the JSON holds, for files that hold more than edits."""
    names = {kind: name for name, kind in NAMES.items()}
    return [
        {"edit": names[type(edit)]}
        | {field.name: value for field in fields(edit) if (value := getattr(edit, field.name)) is not None}
        for edit in edits
    ]


def from_json(text: str) -> tuple[kinds.Edit, ...]:
    """One edit or a list of them; an error says in one sentence what is wrong."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"the edits are not valid JSON: {error}") from None
    return tuple(_edit(each) for each in (data if isinstance(data, list) else [data]))


def _edit(data: object) -> kinds.Edit:
    if not isinstance(data, dict) or not isinstance(data.get("edit"), str):
        raise ValueError(f'an edit looks like {{"edit": "hide", "position": 2}}, not {data!r}')
    name = data["edit"]
    if name not in NAMES:
        near = get_close_matches(name, NAMES, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(NAMES)}"
        raise ValueError(f"no edit {name!r}; {hint}")
    known = {field.name: field for field in fields(NAMES[name])}
    given = {key: value for key, value in data.items() if key != "edit"}
    if unknown := sorted(given.keys() - known.keys()):
        raise ValueError(f"edit {name!r} has no field {unknown[0]!r}; it has {', '.join(known) or 'none'}")
    values = {key: _value(name, key, value, known[key].type) for key, value in given.items()}
    try:
        return NAMES[name](**values)
    except TypeError:
        missing = next(key for key in known if key not in given)
        raise ValueError(f"edit {name!r} lacks its field {missing!r}") from None
    except ValueError as error:
        raise ValueError(f"edit {name!r}: {error}") from None


def _value(edit: str, key: str, value: Any, wanted: Any) -> Any:
    """The value as the field's type wants it: JSON writes 0 for 0.0 and a list for a tuple."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if wanted == tuple[float, ...]:
        if isinstance(value, list) and all(type(e) in (int, float) and abs(e) < 1e300 for e in value):
            return tuple(float(each) for each in value)
    elif wanted is float and number and abs(value) < 1e300:
        return float(value)
    elif isinstance(value, wanted) and not isinstance(value, bool):
        return value
    word = {float: "a number", int: "a whole number", str: "text"}.get(wanted, "a list of numbers")
    word = {str(int | None): "a whole number", str(str | None): "text"}.get(str(wanted), word)
    raise ValueError(f"edit {edit!r}: {key} must be {word}, not {value!r}")
