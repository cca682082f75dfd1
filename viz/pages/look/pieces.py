"""Text → pieces → ids → vectors: what the model reads when it reads a sentence."""

from html import escape

import numpy as np
import streamlit as st

from model import Trace
from viz.figures.labels import readable
from viz.state import runs
from viz.state.language import say
from viz.widgets.controls import unfold

SHOWN = 3  # numbers of a vector that are written out


def pieces(trace: Trace) -> None:
    """Unfolds to a table: each piece, its id, and lookup × √d + position = what the encoder reads."""
    unfold("pieces", say("pieces.label"), lambda: _inside(trace))


def _inside(trace: Trace) -> None:
    stream = trace.stream.get("encoder", {})
    parts = [stream.get(f"encoder.embedding.{name}") for name in ("tokens", "positions", "sum")]
    width = next((part.shape[1] for part in parts if part is not None), "?")
    st.markdown(say("pieces.what", count=len(trace.source.ids), width=width))
    st.html(_table(trace, parts))
    st.caption(say("pieces.probabilities"))


def _table(trace: Trace, parts: list[np.ndarray | None]) -> str:
    tokens = "tokens" if runs.translator().config.scaled else "plain"
    heads = [say(f"pieces.{name}") for name in ("piece", "id", tokens, "positions", "sum")]
    rows = []
    for place, (piece, id) in enumerate(zip(trace.source.pieces, trace.source.ids, strict=True)):
        vectors = ["–" if part is None else _vector(part[place]) for part in parts]
        rows.append([readable(piece, say), str(id), *vectors])
    header = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<thead><tr>{header}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table class="numbers">{table}</table></div>'


def _vector(vector: np.ndarray) -> str:
    numbers = ", ".join(f"{number:.2f}" for number in vector[:SHOWN])
    return f"({numbers}, …)"
