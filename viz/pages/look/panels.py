"""Compare: a second picture beside the first, and their difference."""

from dataclasses import replace

import numpy as np
import streamlit as st

from model import Trace
from viz.components.heatmap import heatmap
from viz.frame.presenter import presenting
from viz.pages.look.comparison import OTHER, Comparison
from viz.pages.look.numbers import likest, unlike_length
from viz.pages.look.same_word import show_same_word
from viz.state import models, runs
from viz.state.examples import EXAMPLES
from viz.state.language import say
from viz.state.picture import Picture, Side, arrange, picture
from viz.state.runs import trace_of
from viz.state.selection import Selection
from viz.state.session import chosen, select, selection
from viz.text import verbatim
from viz.widgets.controls import choose, number
from viz.widgets.heads import abreast, draw, name

LONGEST_NAME = 60  # letters of a model's name, as a link may have it
LEAST = 0.25  # where the scale of a difference ends at least, as a share of where weights end


def choose_comparison() -> None:
    several = len(models.names()) > 1 or chosen(Comparison).compare == "model"
    ways = [way for way in Comparison.options("compare") if several or way != "model"]
    written = {way: say(f"compare.{way}") for way in ways}
    st.selectbox(say("compare.label"), ways, format_func=written.__getitem__, key="compare", on_change=_begin)


def _begin() -> None:
    """Open on something that shows what this comparison is for, unless somebody has chosen it already."""
    way, here = chosen(Comparison), selection()
    if way.compare in ("sentence", "batch") and way.other_text in EXAMPLES.values():
        read = runs.translator().read
        offered = {text: read(text) for text in (OTHER, *EXAMPLES.values()) if text != st.session_state.shown}
        find = likest if way.compare == "sentence" else unlike_length
        select(other_text=find(read(st.session_state.shown), offered))
    elif way.compare == "head" and (way.other_layer, way.other_head) == (0, 0):
        layer = runs.current_trace().attention[here.kind][here.layer]  # (H, Q, K)
        apart = abs(layer - layer[list(here.head)].mean(0)).sum((-2, -1))
        select(other_layer=here.layer, other_head=int(apart.argmax()))


def choose_other() -> None:
    """What the chosen comparison needs to know."""
    way = chosen(Comparison).compare
    if way in ("sentence", "batch"):
        st.text_input(say("compare.other_text"), key="other_text")
    elif way == "head":
        layers, heads = runs.current_trace().attention[selection().kind].shape[:2]
        with st.container(horizontal=True, gap="small"):
            choose("other_layer", range(layers), number)
            choose("other_head", range(heads), number)
    elif way == "model" and (others := _others()):
        if (asked := st.session_state["other_model"]) not in others:
            st.session_state["other_model"] = others[0]
            if asked not in ("", models.chosen()):
                st.info(say("link.no_model", name=verbatim(asked[:LONGEST_NAME]), shown=verbatim(others[0])))
        st.selectbox(say("compare.other_model"), others, key="other_model", width=320)


def _others() -> list[str]:
    """The names of all models but this one."""
    return [name for name in models.names() if name != models.chosen()]


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
    with st.container(horizontal=True, gap="small", key="shown_as"):
        if here.kind != "encoder":
            choose("reading", labelled=False)
        choose("units", labelled=False)
    left, middle, right = st.columns(3, gap="small")
    with left:
        draw(shown, here, beside=other, buttons=False)
    with middle:
        draw(other, here, key="heatmap_other", title=title, main=False, beside=shown)
        if way.compare == "sentence":
            written = runs.translation_of(trace_of(way.other_text)).text
            st.caption(verbatim(say("compare.translation", text=written)))
        elif way.compare == "model":
            with models.on(_folder(way)):
                written = runs.translation_of(runs.current_trace()).text
            st.caption(verbatim(say("compare.written", text=written)))
    with right:
        _difference(shown, other, here)
    if way.compare == "sentence" and not presenting():
        show_same_word(trace, trace_of(way.other_text))


def refused(way: Comparison) -> str | None:
    """Why the other sentence, or the other model, cannot be shown, if it is asked for."""
    if way.compare == "model":
        return _refused_model(way)
    return runs.refusal(way.other_text) if way.compare in ("sentence", "batch") else None


def _refused_model(way: Comparison) -> str | None:
    here, missing = selection(), say("compare.no_model", name=verbatim(way.other_model[:LONGEST_NAME]))
    if way.other_model not in _others():
        return missing if way.other_model else say("compare.only_model")
    with models.on(_folder(way)):
        try:
            config = runs.translator().config
        except (OSError, RuntimeError, ValueError):
            return missing
        if here.layer >= config.layers or max(here.head) >= config.heads:
            return say(
                "compare.no_head", name=verbatim(way.other_model), layers=config.layers, heads=config.heads
            )
        return runs.refusal(st.session_state.shown)


def _folder(way: Comparison) -> str:
    return models.folder_of(way.other_model) or runs.checkpoint()


def second(here: Selection) -> tuple[Picture, str]:
    """The picture to compare with, and its name."""
    way = chosen(Comparison)
    if way.compare == "head":
        other = replace(here, layer=way.other_layer, head=(way.other_head,))
        return picture(runs.current_trace(), other, say), name(other)
    if way.compare == "model":
        with models.on(_folder(way)):
            return picture(runs.current_trace(), here, say), f"{way.other_model} · {name(here)}"
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
    found = shown, other
    pair = aligned(shown, other, here)
    if pair is None:
        st.info(say("difference.shapes"))
        return
    by_words = pair[0] is not shown
    shown, other = pair
    change = other.combined - shown.combined
    # Weights are shares of 1: what changes by less than a quarter should not look like all or nothing.
    most = max(float(abs(change).max()), LEAST * max(shown.most, other.most))
    heatmap(
        change, shown.mask & other.mask, *labels(shown, other), say,
        key="heatmap_difference", label=say("difference.alt"), unit=say("difference.scale"),
        rows=say(shown.query_axis), columns=say(shown.key_axis), most=most, least=-most,
        abreast=abreast(*found, shown, other),
    )  # fmt: skip
    if by_words:
        st.caption(say("difference.by_words"))


def _both(first: tuple[str, ...], second: tuple[str, ...]) -> list[str]:
    """Labels of two pictures on one axis."""
    return [one if one == two else f"{one} / {two}" for one, two in zip(first, second, strict=True)]


def _batch(here: Selection, other: str) -> None:
    """Both sentences in one padded batch, in the encoder: nobody looks at padding."""
    st.markdown(say("batch.what"))
    batch = runs.padded_pair(st.session_state.shown, other)
    if batch.mask.all():
        st.info(say("batch.equal", count=batch.mask.shape[-1]))
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
