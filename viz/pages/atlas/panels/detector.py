"""Your own detector: state a rule or paint cells, and see which heads obey, with where they do not."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from model.network.kinds import KINDS
from viz.components.drawing import show
from viz.components.heatmap import heatmap
from viz.figures.bars import effects
from viz.figures.labels import readable
from viz.pages.atlas import Atlas
from viz.pages.atlas.numbers import exemplars
from viz.pages.atlas.panels.heads import pick
from viz.pages.atlas.panels.probes import Corpus, corpus_of_probes, first_probes, sentence
from viz.state import runs
from viz.state.language import say
from viz.state.picture import sides
from viz.state.session import selection
from viz.widgets.names import head_name, name_of
from viz.widgets.panel import Panel

RANKED = 10


def show_detector(chosen: Atlas) -> Panel:
    """State a rule, and see which heads obey it over our sentences, with where they do not."""
    if chosen.rule == "painted":
        return _painted(chosen)
    corpus = first_probes()
    fits = {"offset": "offset.", "relation": "relation.", "aligned": "aligned"}[chosen.rule]
    asked = {kind: exemplars.rules(found) for kind, found in corpus.found.items()}
    rules = sorted(
        {rule for each in asked.values() for rule in each if rule.startswith(fits)}, key=_by_number
    )
    labels, key = {rule: name_of(rule) for rule in rules}, f"rule_{chosen.rule}"
    if st.session_state[key] not in rules:
        st.session_state[key] = exemplars.best_obeyed(corpus.found, rules)
    rule = st.selectbox(say("detector.rule"), rules, format_func=labels.__getitem__, key=key, width=320)
    shares, counts = [], {}
    for kind in KINDS:
        if rule in asked[kind]:
            found, counts[kind] = exemplars.detected(corpus.found[kind], rule)
            shares += [(kind, head, float(value)) for head, value in enumerate(found)]
    panel = _ranking(shares, counts, rule, corpus)
    corpus_of_probes(say("probe.all"))  # offered while only the first have been run
    return panel


def _ranking(
    shares: list[tuple[str, int, float]], counts: Mapping[str, int], rule: str, corpus: Corpus
) -> Panel:
    heads = runs.translator().config.heads
    best = sorted(shares, key=lambda each: -each[2])[:RANKED]
    labels = [head_name(kind, *divmod(head, heads)) for kind, head, _ in best]
    drawn = effects(
        labels, [value for *_, value in best], say("detector.alt"),
        picks=[[kind, *divmod(head, heads)] for kind, head, _ in best],
        names=[f"{kind}.{head}" for kind, head, _ in best], written="{:.3f}",
    )  # fmt: skip
    left, right = st.columns(2, gap="medium")
    with left:
        times = {"n": counts[best[0][0]], "sentences": len(corpus.probes)}
        st.text(say("detector.seen", head=labels[0], share=f"{best[0][2]:.1%}", **times))
        show(drawn, key="detector", on_pick=lambda: pick("detector"))
    with right:
        kind, head, _ = best[0]
        order = exemplars.ranked(corpus.found[kind], rule, head)
        st.caption(say("detector.counter"))
        for number, value in order[-2:]:
            st.caption(f"{value:.2f}")
            show(sentence(corpus.probes[number], kind, head, head % heads), key=f"counter_{number}")
    st.caption(say("detector.what"))
    return Panel({"detector": drawn}, {"shares": np.array([value for *_, value in shares])})


def _by_number(rule: str) -> tuple:
    return (0, int(rule.removeprefix("offset."))) if rule.startswith("offset.") else (1, rule)


def _painted(chosen: Atlas) -> Panel:
    """Paint cells on the current sentence: which heads put their weight there?"""
    trace, here = runs.current_trace(), selection()
    looking, looked_at = sides(trace, here.kind, here.reading)
    shape = len(looking.pieces), len(looked_at.pieces)
    mask = trace.mask[here.kind][0, 0]
    cells = [at for at in chosen.painted if at[0] < shape[0] and at[1] < shape[1]]
    canvas = np.zeros(shape, np.float32)
    for row, column in cells:
        canvas[row, column] = 1.0
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(say("paint.what"))
        heatmap(
            canvas, mask, [readable(piece, say) for piece in looking.pieces],
            [readable(piece, say) for piece in looked_at.pieces], say, key="paint", label=say("paint.what"),
            rows=say(looking.axis), columns=say(looked_at.axis), unit=say("paint.unit"), on_pick=_paint,
        )  # fmt: skip
    if not cells:
        return Panel()
    attention = trace.attention[here.kind]
    found = exemplars.painted(attention.reshape(-1, *shape), mask, cells)
    best = np.argsort(-found, kind="stable")[:RANKED]
    labels = [head_name(here.kind, *divmod(int(n), attention.shape[1])) for n in best]
    drawn = effects(
        labels, [float(found[n]) for n in best], say("detector.alt"),
        names=[f"painted.{n}" for n in best], written="{:.3f}",
        picks=[[here.kind, *map(int, divmod(n, attention.shape[1]))] for n in best],
    )  # fmt: skip
    with right:
        show(drawn, key="detector", on_pick=lambda: pick("detector"))
        st.caption(say("paint.one_sentence"))
    return Panel({"detector": drawn}, {"painted": np.array(cells), "weights": found})


def _paint() -> None:
    """A click paints a cell, another one takes the paint off."""
    picked = st.session_state["paint"]["pick"] or {}
    if picked.get("row") is None:
        return
    at, before = (picked["row"], picked["column"]), list(st.session_state["painted"])
    st.session_state["painted"] = [cell for cell in before if cell != at] + ([] if at in before else [at])
