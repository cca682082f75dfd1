"""What a visitor can choose, declared once: a field is a widget's key, a link's parameter and a default.

The frame declares the fields that pages share (`Selection`), and each page its own, as frozen dataclasses
of the fields below. Numbers are 0-based here and in links, 1-based on screen.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple, Self

from model.network.config import Config
from model.network.kinds import STACKS

WORD = re.compile(r"[\w.:>-]{1,40}")
LONGEST_TEXT = 200  # letters


class Limits(NamedTuple):
    """What this checkpoint has; a link may ask for more."""

    layers: int
    heads: int

    @classmethod
    def of(cls, config: Config) -> Self:
        """The deeper of both stacks counts: what a kind lacks, `session` keeps within."""
        return cls(max(map(config.depth, STACKS)), config.heads)


Read = Callable[[str, Limits], Any]  # the value that a link's text asks for; ValueError where there is none


def one_of(*options: Any, usual: Any = None, was: str = "") -> Any:
    """One of a few words or numbers: the first, or `usual`. `was` is its name in older links."""
    written = {str(option): option for option in options}

    def read(text: str, limits: Limits) -> Any:
        if text not in written:
            raise ValueError
        return written[text]

    return _declare(options[0] if usual is None else usual, read, options, was)


def word(usual: str) -> Any:
    """A name that only the page itself can check."""

    def read(text: str, limits: Limits) -> str:
        if not WORD.fullmatch(text):
            raise ValueError
        return text

    return _declare(usual, read, own=not usual)


def integer(usual: int | None = None, below: str | int | None = None) -> Any:
    """A whole number; None where nothing is chosen. `below` is a limit, or the name of one in `Limits`."""
    return _declare(usual, lambda text, limits: _below(_number(text), below, limits), own=usual is None)


def integers(*usual: int, below: str | int) -> Any:
    """Several whole numbers in order, each once."""

    def read(text: str, limits: Limits) -> tuple[int, ...]:
        return tuple(sorted({_below(_number(part), below, limits) for part in text.split(",")}))

    return _declare(usual, read, write=lambda value: ",".join(map(str, value)))


def text(usual: str = "", longest: int = LONGEST_TEXT) -> Any:
    """What somebody typed or picked among words that only the page itself can check."""

    def read(written: str, limits: Limits) -> str:
        if len(written) > longest or not written.isprintable():
            raise ValueError
        return written

    return _declare(usual, read)


def cells() -> Any:
    """Cells of a map, each as its row and its column; none is usual."""

    def read(text: str, limits: Limits) -> tuple[tuple[int, int], ...]:
        found = (part.split(".") for part in text.split(","))
        return tuple(sorted({(_number(row), _number(column)) for row, column in found}))

    return _declare(
        (), read, write=lambda value: ",".join(f"{row}.{column}" for row, column in value), own=True
    )


@dataclass(frozen=True)
class Choices:
    """Some fields that belong together; a subclass declares them."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(each.name for each in fields(cls))

    @classmethod
    def options(cls, name: str) -> tuple:
        """What a field may be; empty where it is no choice among a few."""
        return next(each.metadata["options"] for each in fields(cls) if each.name == name)

    @classmethod
    def own(cls) -> set[str]:
        """The fields that mean nothing on another model: what stands for its tokens, places, names."""
        return {each.name for each in fields(cls) if each.metadata["own"]}

    @classmethod
    def from_link(cls, link: Mapping[str, str], usual: Self, limits: Limits) -> tuple[Self, list[str]]:
        """What a link asks for, and the names of the parameters that could not be read."""
        found, refused = {}, []
        for each in fields(cls):
            text = link.get(each.name, link.get(each.metadata["was"]))
            if text is None:
                continue
            try:
                found[each.name] = each.metadata["read"](text, limits)
            except ValueError:
                refused.append(each.name)
        return replace(usual, **found), refused

    def to_link(self, usual: Self) -> dict[str, str]:
        """What differs from the usual view, as the parameters of a link."""
        named = {each: getattr(self, each.name) for each in fields(self)}
        return {
            each.name: each.metadata["write"](value)
            for each, value in named.items()
            if value is not None and value != getattr(usual, each.name)
        }


def _declare(
    usual: Any, read: Read, options: tuple = (), was: str = "", write: Callable[[Any], str] = str,
    own: bool = False,
) -> Any:  # fmt: skip
    said = {"read": read, "write": write, "options": options, "was": was, "own": own}
    return field(default=usual, metadata=said)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise ValueError
    return int(text)


def _below(value: int, below: str | int | None, limits: Limits) -> int:
    most = getattr(limits, below) if isinstance(below, str) else below
    if most is not None and value >= most:
        raise ValueError
    return value
