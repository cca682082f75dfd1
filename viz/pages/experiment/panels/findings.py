"""Which heads matter for this sentence: silenced one by one, in pairs, for one word, down to none."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from model import Trace
from model.inspect import metrics
from model.inspect.edits import Cell, Edit, Hide
from model.inspect.trace import KINDS
from model.inspect.variants import (
    BATCH,
    Head,
    Read,
    all_heads,
    contrast_of,
    each_variant,
    log_probs_of,
)
from viz.components.drawing import show
from viz.figures import bars as figures
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.pages.experiment.numbers.importance import (
    RANDOM,
    candidates,
    drops,
    keeping,
    rank_correlation,
    ranked,
    steps,
    together,
)
from viz.state import session
from viz.state.kept import Kept
from viz.state.picture import picture
from viz.state.selection import Selection
from viz.state.session import say, select
from viz.widgets.controls import choose_place

SHOWN = 15  # heads of a ranking
Arrays = dict[str, np.ndarray]
Panel = tuple[dict[str, Drawing], Arrays]  # what there is to take home


def find(trace: Trace, chosen: Selection) -> Panel:
    """Every head silenced in turn, ranked by what that costs; then pairs that cost more together."""
    heads, lost = all_heads(session.translator().config), _silenced(trace)
    if lost is None:
        return {}, {}
    row = _row(trace, chosen)
    words = [say("find.whole"), *(readable(piece, say) for piece in trace.target.predicted)]
    place = st.selectbox(
        say("find.word"), range(len(words)), 0 if row is None else row + 1,
        format_func=dict(enumerate(words)).get, key=f"find_word_{st.session_state.language}", width=320,
    )  # fmt: skip
    row = place - 1 if place else None
    values = drops(lost[0], lost[1:], row)
    best = ranked(values)[:SHOWN]
    strongest = heads[best[0]]
    st.text(say("find.seen", head=_name(strongest), word=words[place], change=f"{-values[best[0]]:+.3f}"))
    drawn = figures.effects(
        [_name(heads[n]) for n in best], [float(values[n]) for n in best], say("find.alt"),
        picks=[list(heads[n]) for n in best], names=[".".join(map(str, heads[n])) for n in best],
    )  # fmt: skip
    left, right = st.columns(2, gap="medium")
    with left:
        show(drawn, key="ranking", on_pick=_pick)
        st.caption(say("find.what"))
    with right:
        _pairs(trace, heads, values, row)
    return {"ranking": drawn}, {"base": lost[0], "silenced": lost[1:], "drops": values}


def _pick() -> None:
    kind, layer, head = st.session_state["ranking"]["pick"]
    select(kind=kind, layer=layer, head=(head,))


def _pairs(trace: Trace, heads: Sequence[Head], values: np.ndarray, row: int | None) -> None:
    tried = candidates(values)
    variants = [(heads[a].silenced, heads[b].silenced) for a, b in tried]
    question = "pairs", tuple(tried)
    joint = _ask(trace, question, variants, say("pairs.start", count=len(tried)), key="pairs_start")
    if joint is None:
        return
    found = together(tried, drops(trace.log_probs, joint, row), values)
    st.text(say("pairs.seen", count=len(found), all=len(tried)))
    labels = [f"{_name(heads[pair.first])} + {_name(heads[pair.second])}" for pair in found[:8]]
    if labels:
        surplus = [pair.joint - pair.alone for pair in found[:8]]
        names = [f"pair.{place}" for place in range(len(labels))]
        show(figures.effects(labels, surplus, say("pairs.alt"), names=names), key="pairs")
        st.caption(say("pairs.what"))


def contrast(trace: Trace, chosen: Selection) -> Panel:
    """Why this word and not that one: what each head and each source word adds to the difference."""
    inside = chosen.row is not None and chosen.row < len(trace.target.predicted)
    row = chosen.row if inside else _contested(trace)
    words = [readable(piece, say) for piece in trace.target.predicted]
    this = trace.target.predicted_ids[row]
    others = [int(id) for id in trace.top.ids[-1, row] if id != this]
    rival = chosen.rival if chosen.rival is not None and chosen.rival != this else others[0]
    others = (
        others if rival in others or rival >= session.translator().config.vocabulary else [rival, *others]
    )
    rival = rival if rival in others else others[0]
    tokenizer = session.translator().tokenizer
    labels = {id: readable(piece, say) for id, piece in zip(others, tokenizer.choices(others), strict=True)}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        choose_place("row", say("contrast.word"), words, row)
        st.session_state["rival"] = rival
        st.selectbox(say("contrast.rival"), others, format_func=labels.get, key="rival", width=200)
    heads, pieces = all_heads(session.translator().config), trace.source.pieces
    variants: list[tuple[Edit, ...]] = [(), *((head.silenced,) for head in heads)]
    variants += [(Hide(place),) for place in range(len(pieces) - 1)]
    found = _ask(
        trace, ("contrast", row, this, rival), variants, say("contrast.start"), key="contrast_start",
        read=contrast_of(row, this, rival),
    )  # fmt: skip
    if found is None:
        return {}, {}
    base, by_head, by_word = (
        found[0],
        found[0] - found[1 : len(heads) + 1],
        found[0] - found[len(heads) + 1 :],
    )
    st.text(say("contrast.seen", this=words[row], that=labels[rival], base=f"{base:+.3f}"))
    best = ranked(by_head)[:SHOWN]
    drawn = {
        "contrast_heads": figures.effects(
            [_name(heads[n]) for n in best], [float(by_head[n]) for n in best], say("contrast.heads"),
            names=[".".join(map(str, heads[n])) for n in best],
        ),
        "contrast_words": figures.effects(
            [readable(piece, say) for piece in pieces[:-1]], [float(value) for value in by_word],
            say("contrast.words"), names=[f"word.{n}" for n in range(len(by_word))],
        ),
    }  # fmt: skip
    for column, (key, drawing), effect in zip(
        st.columns(2, gap="medium"), drawn.items(), (by_head, by_word), strict=True
    ):
        with column:
            st.caption(drawing.title)
            show(drawing, key=key)
            st.text(say("contrast.rest", all=f"{effect.sum():+.3f}", rest=f"{base - effect.sum():+.3f}"))
    st.caption(say("contrast.what"))
    return drawn, {"base": np.array(base), "heads": by_head, "words": by_word}


def prune(trace: Trace, chosen: Selection) -> Panel:
    """Keep only the most important heads: how few are enough, and is the order better than chance?"""
    heads, lost = all_heads(session.translator().config), _silenced(trace)
    if lost is None:
        return {}, {}
    order = np.argsort(-drops(lost[0], lost[1:]), kind="stable").tolist()
    counts, dice = steps(len(heads)), np.random.default_rng(0)
    orders = [order, *(dice.permutation(len(heads)).tolist() for _ in range(RANDOM))]
    variants = [tuple(heads[n].silenced for n in keeping(each, count)) for each in orders for count in counts]
    found = _ask(trace, ("prune",), variants, say("prune.start"), key="prune_start")
    if found is None:
        return {}, {}
    totals = found.sum(-1).reshape(len(orders), len(counts))
    kept = min(
        counts, key=lambda count: abs(count - (len(heads) // 2 if chosen.kept is None else chosen.kept))
    )
    st.session_state["kept"] = kept
    st.select_slider(say("prune.kept"), sorted(counts), key="kept")
    drawn = figures.pruning(counts, totals[0], totals[1:], kept, say)
    show(drawn, key="pruning")
    silent = tuple(heads[n].silenced for n in keeping(order, kept))
    written = (
        session.edited_trace(st.session_state.shown, silent).translation if silent else trace.translation
    )
    chance = f"{totals[0][counts.index(kept)]:.3f}"
    st.text(say("prune.seen", kept=kept, all=len(heads), chance=chance))
    st.text(written.text or say("translation.empty"))
    st.caption(say("prune.what", orders=RANDOM))
    return {"pruning": drawn}, {"kept": np.array(counts), "chosen": totals[0], "random": totals[1:]}


def using(trace: Trace, chosen: Selection) -> Panel:
    """The same edges three ways: how much is looked, how much is handed over, what happens without it."""
    shown = picture(trace, replace(chosen, units="pieces", special="shown"), say)
    head, where = chosen.head[0], KINDS[chosen.kind].format(chosen.layer)
    weights, mask = (each[chosen.kind][chosen.layer, head] for each in (trace.attention, trace.mask))
    row = chosen.row if chosen.row is not None and chosen.row < len(weights) else None
    # The row that spreads its gaze most has most to compare.
    row = int(np.nan_to_num(metrics.entropy(weights, mask).rows).argmax()) if row is None else row
    choose_place("row", say("inside.row"), shown.queries, row)
    places = np.flatnonzero(mask[row])
    if len(places) < 2:
        st.info(say("using.alone"))
        return {}, {}
    variants = [(), *((Cell(where, head, row, int(key), 0.0),) for key in places)]
    found = _ask(
        trace,
        ("using", chosen.kind, chosen.layer, head, row),
        variants,
        say("using.start"),
        key="using_start",
    )
    if found is None:
        return {}, {}
    norms = metrics.norm_weighted(weights, trace.transformed[chosen.kind][chosen.layer, head])
    columns = {
        "weight": weights[row, places],
        "norm": norms[row, places],
        "effect": drops(found[0], found[1:]),
    }
    keys = [shown.keys[key] for key in places]
    drawn = {
        "edges": figures.edges(keys, columns, say("using.alt"), say),
        "edge_scatter": figures.scatter(
            columns["weight"], columns["effect"], keys, say("using.scatter"), say
        ),
    }
    for column, (key, drawing) in zip(st.columns(2, gap="medium"), drawn.items(), strict=True):
        with column:
            show(drawing, key=key)
    size = abs(columns["effect"])
    pairs = (columns["weight"], size), (columns["norm"], size), (columns["weight"], columns["norm"])
    rhos = [rank_correlation(*pair) for pair in pairs]
    said = dict(zip(("weight", "norm", "both"), (f"{rho:.2f}" for rho in rhos), strict=True))
    st.text(say("using.seen", n=len(places), **said))
    st.caption(say("using.caveat"))
    return drawn, columns | {"keys": places}


def _row(trace: Trace, chosen: Selection) -> int | None:
    """The chosen word of the translation, if one is chosen."""
    inside = chosen.kind != "encoder" and chosen.row is not None and chosen.row < len(trace.target.predicted)
    return chosen.row if inside else None


def _contested(trace: Trace) -> int:
    """The piece whose closest rival came closest."""
    first, second = np.sort(trace.top.log_probs[-1], -1)[:, :-3:-1].T
    return int((first - second).argmin())


def _silenced(trace: Trace) -> np.ndarray | None:
    """Log-probabilities as they are, then with each head silenced: (1 + heads, T)."""
    heads = all_heads(session.translator().config)
    variants = [(), *((head.silenced,) for head in heads)]
    return _ask(trace, ("silence",), variants, say("find.start", count=len(heads)), key="find_start")


@st.cache_resource(show_spinner=False)
def _kept() -> Kept:
    return Kept()


def _ask(
    trace: Trace, question: tuple, variants: Sequence[tuple[Edit, ...]], label: str, *, key: str,
    read: Read | None = None,
) -> np.ndarray | None:  # fmt: skip
    """The finding, once somebody has asked for it; a bar tells how far it is and a click stops it."""
    asked = session.checkpoint(), st.session_state.shown, *question
    if (found := _kept().get(asked)) is not None:
        return found
    if len(variants) > BATCH and not st.button(label, key=key, type="primary"):
        st.caption(say("busy.what", count=len(variants)))
        return None
    ids = trace.target.predicted_ids
    batches = each_variant(
        session.translator().model, trace.source.ids, ids, variants, read or log_probs_of(ids)
    )
    found, bar = [], None
    if len(variants) > BATCH:
        with st.container(horizontal=True, vertical_alignment="center", key="busy"):
            bar = st.progress(0.0, text=label)
            st.button(say("busy.stop"), key="stop")  # a click ends this run of the page, and so the work
    for batch in batches:
        found.append(batch)
        if bar:
            done = sum(map(len, found))
            bar.progress(done / len(variants), text=say("busy.far", done=done, all=len(variants)))
    _kept().put(asked, np.concatenate(found))
    if bar:
        st.rerun()
    return _kept().get(asked)


def _name(head: Head) -> str:
    kind = say(f"kind.short.{head.kind}")
    return say("head.name", kind=kind, layer=head.layer + 1, head=head.head + 1)
