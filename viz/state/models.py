"""Which models there are, by the names that links use, and the one that this visitor looks at.

A link names a model, and this list alone knows its folder: nobody who visits can name a path. A name that was
given once stays with its folder for as long as the server runs.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import chain, count
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from model.checkpoint import CONFIG, SHIPPED, SUMS, TOKENIZER, WEIGHTS, find
from model.network.config import Config

USUAL, OTHERS = "HEADLIGHT_CHECKPOINT", "HEADLIGHT_CHECKPOINTS"
FOLDER = "checkpoints"  # in the working directory: what lies there is offered too
_on: ContextVar[str | None] = ContextVar("on", default=None)
Asked = ParamSpec("Asked")
Found = TypeVar("Found")


def usual() -> str:
    """The model that one sees first, as `model.load` takes it."""
    return os.environ.get(USUAL, "en-fr")


def checkpoint() -> str:
    """The model that this visitor looks at, as `model.load` takes it: what is kept is kept under this."""
    return _on.get() or _shelf().folder(_chosen()) or usual()


def names() -> list[str]:
    """All that can be chosen, the usual one first; folders that came meanwhile are found."""
    return _shelf().names()


def chosen() -> str:
    """The name of the model on screen."""
    return _chosen() or usual_name()


def usual_name() -> str:
    return _shelf().usual


def to_link() -> dict[str, str]:
    """The model on screen as a parameter of a link; the usual one needs no word."""
    return {"model": _chosen()} if _chosen() else {}


def choose(name: str) -> bool:
    """Look at this model from now on, if there is one of this name; without a name, at the usual one."""
    known = not name or _shelf().folder(name, again=True) is not None
    if known:
        st.session_state["model"] = "" if name == usual_name() else name
    return known


def name_of(folder: str) -> str:
    """The name under which links know a folder."""
    return _shelf().name(folder)


def folder_of(name: str) -> str | None:
    """What `model.load` takes for this name; None where there is no such model."""
    return _shelf().folder(name, again=True)


def shape_of(name: str) -> Config | None:
    """Its shape, before it is loaded; None where nothing can be read."""
    folder = _shelf().folder(name)
    return _shape(find(folder)) if folder else None


def own(key: str) -> str:
    """A key of the session for what is true of one model only: each model has its own."""
    return f"{key} {_chosen()}".strip()


@contextmanager
def on(folder: str) -> Iterator[None]:
    """Inside, all that is computed is computed by this model."""
    before = _on.set(folder)
    try:
        yield
    finally:
        _on.reset(before)


def by_its_model(
    make: Callable[Concatenate[str, Asked], Found],
) -> Callable[Concatenate[str, Asked], Found]:
    """What is kept for all under a model's folder, the first argument, is made by that model.

    A visitor who chooses another one meanwhile does not change what is being made.
    """

    @wraps(make)
    def made(folder: str, /, *asked: Asked.args, **named: Asked.kwargs) -> Found:
        with on(folder):
            return make(folder, *asked, **named)

    return made


class Shelf:
    """Folders by name: the usual model, those that ship, and those of folders that somebody named."""

    def __init__(self, first: str, places: list[Path]) -> None:
        self.places, self._lock = places, threading.Lock()
        self._folders: dict[str, str] = {}
        self._seen: set[Path] = set()
        self.usual = self._put(Path(first), first) or first
        self._look()

    def folder(self, name: str, again: bool = False) -> str | None:
        if again and name not in self._folders:
            self._look()
        return self._folders.get(name)

    def name(self, folder: str) -> str:
        return next((name for name, each in self._folders.items() if each == folder), Path(folder).name)

    def names(self) -> list[str]:
        self._look()
        return [name for name, folder in self._folders.items() if name == self.usual or _there(folder)]

    def _look(self) -> None:
        """Find what is new."""
        with self._lock:
            for folder in filter(_offered, chain.from_iterable(map(_folders, self.places))):
                shipped = folder.parent == SHIPPED
                self._put(folder, folder.name if shipped else str(folder.resolve()))

    def _put(self, folder: Path, loaded_as: str) -> str | None:
        """Give it a name, unless it has one."""
        try:
            place = find(loaded_as).resolve()
        except ValueError:  # the usual one, which the page then says
            place = folder.resolve()
        if place in self._seen:
            return None
        numbered = (f"{place.name}-{number}" for number in count(2))
        name = next(each for each in chain([place.name], numbered) if each not in self._folders)
        self._seen.add(place)
        self._folders[name] = loaded_as
        return name


def _chosen() -> str:
    """Its name; empty for the usual one, and where there is no visitor."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return ""
    return str(st.session_state.get("model", ""))


def _shelf() -> Shelf:
    return _made(usual(), os.environ.get(OTHERS, ""), os.getcwd())


@st.cache_resource(show_spinner=False)
def _made(first: str, others: str, here: str) -> Shelf:
    named = [Path(here, each).expanduser() for each in others.split(os.pathsep) if each.strip()]
    return Shelf(first, [SHIPPED, *named, Path(here, FOLDER)])


def _folders(place: Path) -> list[Path]:
    """A checkpoint, or the checkpoints in a folder."""
    if (place / CONFIG).is_file():
        return [place]
    try:
        return sorted(each for each in place.iterdir() if not each.name.startswith("."))
    except OSError:
        return []


def _offered(folder: Path) -> bool:
    """Whether the app can show it: whole, and a Transformer. Its sums are checked when it is loaded."""
    shape = _shape(folder)
    return _there(str(folder)) and shape is not None and shape.architecture == "transformer"


def _there(folder: str) -> bool:
    try:
        return all((find(folder) / name).is_file() for name in (CONFIG, WEIGHTS, TOKENIZER, SUMS))
    except ValueError:
        return False


def _shape(folder: Path) -> Config | None:
    try:
        return Config.from_json((folder / CONFIG).read_text("utf-8"))
    except (OSError, TypeError, ValueError, RecursionError):
        return None
