"""Models and their runs, shared by all visitors: what a page shows is computed here, once."""

import json
from dataclasses import replace

import streamlit as st
import torch

from model import Trace, Translator, load
from model.checkpoint import ATLASES, STORIES, SUMS, find
from model.decoding.search import Hypothesis
from model.inspect.edits import Edit
from model.inspect.edits_json import to_json
from model.inspect.padding import Padded, padded
from model.text.spelling import normalise
from model.text.tokenizer import BYTE
from viz.state.loaded import Models
from viz.state.models import checkpoint, name_of, on
from viz.state.refusals import reason
from viz.state.trace_cache import TraceCache

LONG = 128  # pieces; of longer sentences only what every picture needs is kept


def translator(untrained: bool = False) -> Translator:
    """The model that this visitor looks at, shared with all who look at it; or its untrained twin."""
    folder = checkpoint()
    return _loaded().get((folder, untrained), lambda: _load(folder, untrained))


def current_trace() -> Trace:
    """The run of the last sentence that could be translated."""
    return trace_of(st.session_state.shown)


def trace_of(text: str, untrained: bool = False) -> Trace:
    """The run of any sentence; the untrained twin replays the trained model's translation."""
    name = checkpoint()

    def run() -> Trace:
        with on(name):
            keep = None if len(translator().read(text).ids) <= LONG else ("attention", "mask", "value")
            target = translation_of(trace_of(text)).ids if untrained else None
            return translator(untrained).trace(text, target, keep=keep)

    return _traces().get((name, untrained, text), run)


def translation_of(trace: Trace) -> Hypothesis:
    """What the model wrote; only a replay of somebody's own target has none."""
    if trace.translation is None:
        raise LookupError("this run was of a target that was given, not of a translation")
    return trace.translation


def edited_trace(text: str, made: tuple[Edit, ...], target: tuple[int, ...] | None = None) -> Trace:
    """The run under these edits; with `target` those ids are read again instead of translating anew.

    Raises ValueError or LookupError where this sentence cannot be changed so.
    """
    kept = ("attention", "mask", "value", "query", "key", "scores")
    shared, name = translator(), checkpoint()
    keep = kept[:3] if len(shared.read(text).ids) > LONG else kept
    return _traces().get(
        (name, False, text, to_json(made), target), lambda: shared.trace(text, target, made, keep)
    )


def padded_pair(text: str, other: str) -> Padded:
    read = (translator().calm(text), translator().calm(other))
    return padded(translator().model, translator().tokenizer, read)


def atlas(corpus: str) -> dict | None:
    """What every head of this checkpoint does over a corpus; None where nobody has measured it."""
    return _atlas(checkpoint(), corpus)


def stories() -> list[dict]:
    """Experiments worth showing on this checkpoint, best first; none where nobody has looked for any."""
    return _stories(checkpoint())


def refusal(text: str) -> str | None:
    """Why this text cannot be translated. None: it can."""
    try:
        translator().read(text)
    except ValueError as error:
        return reason(error)
    return None


def read_otherwise(text: str) -> str | None:
    """What is read instead of a sentence in capitals that the vocabulary would spell letter by letter."""
    read = translator().calm(text)
    return None if read == normalise(text) else read


def outside_vocabulary(text: str) -> bool:
    """Whether most of its letters can only be spelled byte by byte: another script.

    Letters, not tokens: an emoji is four bytes of no language.
    """
    spelled = sum(map(str.isalpha, _spelled(text)))
    return spelled > sum(map(str.isalpha, text)) / 2


def unknown_signs(text: str) -> list[str]:
    """The signs one can see that have no piece of their own and are spelled byte by byte, each once.

    Plain letters and digits are one byte and one piece, and no English text lacks them: not worth a word.
    """
    return [
        sign
        for sign in dict.fromkeys(_spelled(text))
        if sign.isprintable() and not (sign.isascii() and sign.isalnum())
    ]


def _spelled(text: str) -> str:
    """All that is spelled byte by byte."""
    spelled = filter(None, map(BYTE.fullmatch, translator().read(text).pieces))
    return bytes(int(byte[1], 16) for byte in spelled).decode("utf-8", "ignore")


def _load(folder: str, untrained: bool) -> Translator:
    # Visitors already run side by side. A sentence is too small to split among cores as well, and
    # where cores are scarce the parts wait for each other: ten times slower was measured.
    torch.set_num_threads(1)
    sums = (find(folder) / SUMS).read_bytes() if (find(folder) / SUMS).is_file() else b""
    if _sums().setdefault(folder, sums) != sums:
        raise ValueError(f"{folder} is another checkpoint than when it was read first: restart the server")
    return replace(load(folder, untrained), name=name_of(folder))


@st.cache_resource(show_spinner=False)
def _loaded() -> Models:
    return Models()


@st.cache_resource(show_spinner=False)
def _sums() -> dict[str, bytes]:
    """What was read first: numbers of it are kept, and none of another model may stand beside them."""
    return {}


@st.cache_resource(show_spinner=False, max_entries=16)
def _atlas(name: str, corpus: str) -> dict | None:
    path = find(name) / ATLASES[corpus]
    return json.loads(path.read_text("utf-8")) if path.exists() else None


@st.cache_resource(show_spinner=False, max_entries=16)
def _stories(name: str) -> list[dict]:
    path = find(name) / STORIES
    return json.loads(path.read_text("utf-8"))["stories"] if path.exists() else []


@st.cache_resource(show_spinner=False)
def _traces() -> TraceCache:
    return TraceCache()
