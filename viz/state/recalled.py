"""The small language model with a memory: loaded when somebody asks, and what it made of texts, for all.

It stands apart from the checkpoint on screen: whatever that is, this one reads its own language.
"""

import json
from typing import Any, NamedTuple

import streamlit as st

from model.checkpoint import find
from model.language.reader import Reader, Reading, load_reader
from model.language.store import LOSSES, SHIPPED


class Read(NamedTuple):
    """A text that was read after another."""

    reading: Reading
    remembered: tuple[str, ...]  # pieces of the memory
    segment: tuple[str, ...]  # pieces
    pieces: int  # of the text; more than a segment where its end was left out


def reader() -> Reader:
    """The model that all visitors share."""
    return _reader()


def measured() -> dict[str, Any]:
    """What its memory is worth on a text that it never read."""
    return _measured()


def read(before: str, text: str) -> Read | None:
    """`text` after `before`; None where there is nothing to read."""
    return _read(before, text)


@st.cache_resource(show_spinner=False)
def _reader() -> Reader:
    return load_reader()


@st.cache_resource(show_spinner=False)
def _measured() -> dict[str, Any]:
    return json.loads((find(SHIPPED) / LOSSES).read_text("utf-8"))


@st.cache_resource(show_spinner=False, max_entries=64)
def _read(before: str, text: str) -> Read | None:
    found = reader()
    ids, longest = found.ids(text), found.config.segment
    if not ids:
        return None
    # What is read twice is the same piece by piece: no more of it than the second reading reads.
    earlier = found.ids(before) if before != text else ids[:longest]
    reading = found.read(earlier, ids[:longest])
    spelled = found.tokenizer.tokens
    return Read(reading, spelled(reading.remembered).pieces, spelled(reading.segment).pieces, len(ids))
