"""Beam search: several beginnings at once, the tree as the search recorded it, and why branches died."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import streamlit as st

from model import Trace
from model.text.spelling import normalise
from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.frame.presenter import presenting
from viz.pages.decoding.figures import beam as figures
from viz.pages.decoding.figures import beam_beside as beside
from viz.pages.decoding.numbers import beam as numbers
from viz.pages.decoding.numbers.beam import Ranked, Tree
from viz.pages.decoding.numbers.beam_rows import arrange
from viz.pages.decoding.panels import beam_examples as examples
from viz.pages.decoding.panels import beam_said as told
from viz.pages.decoding.panels.here import Here, spelled
from viz.state import decodings, runs
from viz.state.language import say
from viz.state.session import select, selection
from viz.text import verbatim
from viz.widgets.controls import choose
from viz.widgets.names import heads_label
from viz.widgets.panel import Panel

STRENGTHS = range(0, 301, 10)  # of the length penalty, in hundredths


def controls(now: Here) -> None:
    choose("beam", written=str)
    # A link may ask for a strength between two of ours.
    offered = sorted({*STRENGTHS, now.asked.penalty})
    written = {strength: f"{strength / 100:g}" for strength in offered}
    st.select_slider(say("penalty.label"), offered, key="penalty", format_func=written.__getitem__)


def show(now: Here) -> Panel:
    size, strength = now.asked.beam, now.asked.penalty / 100
    with st.spinner(say("decoding.beam.working")):
        found = decodings.beam_of(now.text, size, strength)
    tree = Tree(found.nodes)
    ranked = numbers.ranking(found, tree, strength)
    greedy = decodings.path_of(now.text).written
    chosen = numbers.looked_at(tree, ranked[0].node, now.asked.node, now.asked.at, greedy.ids)
    placed = arrange(tree, ranked[0].node, chosen, size)
    shown = figures.Shown(tree, placed, _words(tree), ranked, chosen, say)
    drawn = {"beam_tree": figures.tree(shown)}
    with st.container(gap=None):
        examples.offer()
        _draw("beam_tree", drawn)
    left, right = st.columns(2, gap="medium")
    with left:
        st.text(of_node := told.node(shown, _before(tree, chosen)))
        weights, title = _looked(now, tree, ranked, chosen)
        words = [readable(piece, say) for piece in runs.translator().read(now.text).pieces]
        drawn["beam_attention"] = beside.attention(words, weights, title, say)
        st.caption(verbatim(title))
        _draw("beam_attention", drawn)
        explained = told.explained(shown)
        if not presenting():  # there the presenter explains
            st.caption(verbatim(f"{explained} {say('decoding.beam.keys')}"))  # paper has no keys
    with right:
        written = told.finding(tree, ranked, greedy)
        st.text(finding := f"{written} {examples.measured(now.text, size)}".strip())
        drawn["beam_ranking"] = beside.ranking(ranked, chosen, say)
        _draw("beam_ranking", drawn)
        st.caption(verbatim(agree := told.agreement(ranked, strength)))
    return Panel(
        drawn,
        _arrays(tree, ranked) | {"chosen": chosen, "attention": weights},
        finding,
        explained,
        said={"beam_attention": of_node, "beam_ranking": agree},
        sums={"beam_ranking": told.arithmetic(ranked[0], strength)},
    )


def pick(view: str) -> None:
    """A node was chosen, in the tree or by the translation that it ends; its step is looked at as well."""
    picked, size = st.session_state[view]["pick"], st.session_state["beam"]
    nodes = decodings.beam_of(st.session_state.shown, size, 0).nodes
    if isinstance(picked, int) and 0 <= picked < len(nodes):
        select(node=picked, at=nodes[picked].step)


def _draw(key: str, drawn: Mapping[str, Drawing]) -> None:
    view = f"picture_{key}"  # a name that no choice of this visitor has
    drawing.show(drawn[key], key=view, on_pick=partial(pick, view))


def _words(tree: Tree) -> list[str]:
    ids = list({node.id for node in tree.nodes})
    words = dict(zip(ids, spelled(ids), strict=True))
    return [words[node.id] for node in tree.nodes]


def _before(tree: Tree, chosen: int) -> str:
    """What had been written when this node was considered; its tokens where they are no letters yet."""
    ids = tree.ids(chosen)[:-1]
    return normalise(runs.translator().tokenizer.decode(ids)) or " ".join(spelled(ids))


def _looked(now: Here, tree: Tree, ranked: Sequence[Ranked], chosen: int) -> tuple[np.ndarray, str]:
    """Where the step of this node looked in the source, and whose attention that is.

    It had read all tokens before the node and not the node itself, so every translation with the same
    beginning has this row: one that somebody has already looked at does as well.
    """
    here, step = selection(), tree.nodes[chosen].step
    read = tree.ids(chosen)[:step]
    greedy = runs.trace_of(now.text)
    alike = [ids for each in ranked if (ids := tree.ids(each.node))[:step] == read]
    if greedy.target.predicted_ids[:step] == read and step < len(greedy.target.predicted_ids):
        trace: Trace = greedy
    else:
        trace = runs.edited_trace(now.text, (), alike[0] if alike else tree.ids(chosen))
    cross = trace.attention["cross"]
    if here.kind == "cross":
        layer, heads, name = here.layer, here.head, heads_label("cross", here.layer, here.head)
    else:
        layer, heads = len(cross) - 1, tuple(range(cross.shape[1]))
        name = say("decoding.beam.attention.mean", layer=layer + 1)
    return cross[layer][list(heads), step].mean(0), say("decoding.beam.attention", step=step + 1, head=name)


def _arrays(tree: Tree, ranked: Sequence[Ranked]) -> dict[str, np.ndarray]:
    """Every node as the search recorded it, and the final ranking."""
    columns = ("parent", "step", "id", "log_prob", "total", "fate")
    found = {name: np.array([getattr(node, name) for node in tree.nodes]) for name in columns}
    return found | {
        f"ranking.{name}": np.array([getattr(each, name) for each in ranked]) for name in Ranked._fields
    }
