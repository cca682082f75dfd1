"""The two corpora of our own, by the names that commands and atlases give them."""

from collections.abc import Callable, Iterable

from model.probe import HAND
from model.probe.grammar import sentences
from model.text.treebank import Annotated, read

PROBES: dict[str, Callable[[], Iterable[Annotated]]] = {"hand": lambda: read(HAND), "grammar": sentences}
