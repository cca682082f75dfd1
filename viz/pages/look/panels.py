"""Compare: a second picture beside the first, their difference, and one word's vectors in two sentences."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from model import Trace
from viz.components.heatmap import heatmap
from viz.pages.look.comparison import Comparison
from viz.pages.look.figures import cosine_by_layer
from viz.pages.look.numbers import common_words
from viz.state import runs
from viz.state.language import say
from viz.state.picture import Picture, Side, arrange, picture
from viz.state.runs import trace_of
from viz.state.selection import Selection
from viz.state.session import chosen
from viz.widgets.controls import choose, number
from viz.widgets.heads import draw, name


def choose_comparison() -> None:
    ways = Comparison.options("compare")
    written = {way: say(f"compare.{way}") for way in ways}
    st.selectbox(say("compare.label"), ways, format_func=written.__getitem__, key="compare")


def choose_other() -> None:
    """What the chosen comparison needs to know."""
    way = chosen(Comparison).compare
    if way in ("sentence", "batch"):
        st.text_input(say("compare.other_text"), key="other_text")
    elif way == "head":
        layers, heads = runs.current_trace().attention["encoder"].shape[:2]
        with st.container(horizontal=True, gap="small"):
            choose("other_layer", range(layers), number)
            choose("other_head", range(heads), number)


def compare(trace: Trace, shown: Picture, here: Selection) -> None:
    """Both pictures, and their difference where the two have the same rows and columns."""
    way = chosen(Comparison)
    if problem := refused(way):
        st.warning(problem)
        draw(shown, here)
        return
    if way.compare == "batch":
        _batch(here, way.other_text)
        return
    other, title = second(here)
    left, middle, right = st.columns(3, gap="small")
    with left:
        draw(shown, here)
    with middle:
        draw(other, here, key="heatmap_other", title=title, main=False)
    with right:
        _difference(shown, other, here)
    if way.compare == "sentence":
        _same_word(trace, trace_of(way.other_text))


def refused(way: Comparison) -> str | None:
    """Why the other sentence cannot be read, if it is asked for."""
    return runs.refusal(way.other_text) if way.compare in ("sentence", "batch") else None


def second(here: Selection) -> tuple[Picture, str]:
    """The picture to compare with, and its name."""
    way = chosen(Comparison)
    if way.compare == "head":
        other = replace(here, layer=way.other_layer, head=(way.other_head,))
        return picture(runs.current_trace(), other, say), name(other)
    untrained = way.compare == "untrained"
    text = st.session_state.shown if untrained else way.other_text
    title = say("compare.untrained_name") if untrained else way.other_text
    return picture(trace_of(text, untrained=untrained), here, say), title


def aligned(shown: Picture, other: Picture, here: Selection) -> tuple[Picture, Picture] | None:
    """Both with the same rows and columns, if need be between words; None if even words differ."""
    if shown.combined.shape != other.combined.shape:
        # The same words may fall into other pieces: then words still compare.
        by_words = replace(here, units="words")
        shown, (other, _) = picture(runs.current_trace(), by_words, say), second(by_words)
    return (shown, other) if shown.combined.shape == other.combined.shape else None


def labels(shown: Picture, other: Picture) -> tuple[list[str], list[str]]:
    """Rows and columns of two aligned pictures on one axis."""
    return _both(shown.queries, other.queries), _both(shown.keys, other.keys)


def _difference(shown: Picture, other: Picture, here: Selection) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="caption_difference"):
        st.caption(say("difference.title"))
    pair = aligned(shown, other, here)
    if pair is None:
        st.info(say("difference.shapes"))
        return
    if pair[0] is not shown:
        st.caption(say("difference.by_words"))
    shown, other = pair
    change = other.combined - shown.combined
    most = max(float(abs(change).max()), 1e-6)
    heatmap(
        change, shown.mask & other.mask, *labels(shown, other), say,
        key="heatmap_difference", label=say("difference.alt"), unit=say("difference.scale"),
        rows=say(shown.query_axis), columns=say(shown.key_axis), most=most, least=-most,
    )  # fmt: skip


def _both(first: tuple[str, ...], second: tuple[str, ...]) -> list[str]:
    """Labels of two pictures on one axis."""
    return [one if one == two else f"{one} / {two}" for one, two in zip(first, second, strict=True)]


def _batch(here: Selection, other: str) -> None:
    """Both sentences in one padded batch, in the encoder: nobody looks at padding."""
    st.markdown(say("batch.what"))
    batch = runs.padded_pair(st.session_state.shown, other)
    columns = st.columns(2, gap="small")
    for place, (column, tokens) in enumerate(zip(columns, batch.tokens, strict=True)):
        weights = batch.attention[place, here.layer, list(here.head)]
        mask = np.broadcast_to(batch.mask[place], weights.shape[1:])
        plain = replace(here, kind="encoder", units="pieces", special="shown", weighting="weight")
        looking, seen = (
            Side(tokens.pieces, tokens.words, f"axis.source.{side}") for side in ("query", "key")
        )
        with column:
            shown = arrange(weights, mask, looking, seen, plain, say)
            key = "heatmap" if place == 0 else "heatmap_other"
            draw(shown, plain, key=key, title=say("batch.title", number=place + 1), main=False)


def same_word() -> tuple[str, tuple[np.ndarray, np.ndarray]] | None:
    """The chosen word of both sentences, and its vectors in each on their way up; None: there is none."""
    first, other = runs.current_trace(), trace_of(chosen(Comparison).other_text)
    words = common_words(first.source, other.source)
    streams = [each.stream["encoder"] for each in (first, other)]
    word = st.session_state.get("cosine_word")
    if word not in words or not all(streams):
        return None
    here, there = (_heights(stream, places) for stream, places in zip(streams, words[word], strict=True))
    return word, (here, there)


def _same_word(trace: Trace, other: Trace) -> None:
    """One word of both sentences: how alike its vectors are, layer by layer."""
    options = list(common_words(trace.source, other.source))
    if not options:
        st.caption(say("cosine.none"))
        return
    if st.session_state.get("cosine_word") not in options:
        st.session_state["cosine_word"] = max(options, key=len)
    st.selectbox(say("cosine.label"), options, key="cosine_word", width=260)
    found = same_word()
    if found is None:
        st.caption(say("cosine.too_long"))
        return
    word, heights = found
    figure = cosine_by_layer(*heights, say)
    st.plotly_chart(figure, key="cosine", alt=say("cosine.alt", word=word))
    st.caption(say("cosine.what"))


def _heights(stream: Mapping[str, np.ndarray], places: tuple[int, ...]) -> np.ndarray:
    """The word's vector on its way up: what goes in, then after each layer. (L + 1, D)"""
    paths = ["encoder.embedding.sum", *(path for path in stream if path.endswith("after_feed_forward"))]
    return np.stack([stream[path][list(places)].mean(0) for path in paths])
