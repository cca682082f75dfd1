"""How much each word changes what stands at the chosen place, in a recurrent, a convolutional and an
attention network; beside it, what could reach that place at all."""

import streamlit as st

from viz.components import drawing
from viz.figures.labels import readable
from viz.figures.numbers import fixed, roughly
from viz.frame.presenter import presenting
from viz.pages.why import Why, path
from viz.pages.why.figures.reach.measured import Measured, arrays, measured
from viz.pages.why.numbers.reach import FAR, Sizes, fades, farthest, span
from viz.state import rivals
from viz.state.language import say
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.panel import Panel

VIEW = "picture_reach_measured"
# One network of each kind of layer: the others read as the recurrent one does.
SHOWN = {"recurrent": "recurrent", "convolutional": "convolutional", "attention": "transformer"}
EVEN = 1.15  # a factor below which a word far away does as much as a neighbour
FEW = 4  # positions of a sentence under which nothing can fade


def show() -> Panel:
    text, asked = st.session_state.shown, chosen(Why)
    # The networks are loaded by the first visitor who comes here.
    with st.spinner(say("why.reach.working")):
        if (problem := rivals.refusal(text)) is not None:
            st.info(problem)
            return Panel()
        words = [readable(piece, say) for piece in rivals.pieces(text)]
        at = path.reached(asked, len(words))
        found = [_measured(kind, text, at, asked.reach_depth) for kind in SHOWN]
    drawn = measured(found, words, at, say)
    drawing.show(drawn, key=VIEW, on_pick=_pick)
    st.text(finding := _finding(found, len(words)))
    explained = say("why.reach.measured.explained")
    left, right = st.columns([1.5, 1], gap="medium")
    if not presenting():
        left.caption(verbatim(f"{explained} {say('why.reach.measured.hint')}"))
    right.latex(FORMULA)
    told = {"pieces": words, "at": at, **arrays(found)}
    return Panel({"why_reach": drawn}, told, finding, explained, FORMULA, name="why-reach")


FORMULA = (
    r"\operatorname{reach}(i\to j)=\left\lVert\frac{\partial h_j}{\partial x_i}\right\rVert_F"
    r"=\sqrt{\mathbb{E}_{u\sim\mathcal{N}(0,I)}\Bigl\lVert\tfrac{\partial h_j}{\partial x_i}\,u\Bigr\rVert^2}"
)


def _measured(kind: str, text: str, at: int, depth: str) -> Measured:
    """In the first layer of a network, or in its last."""
    heights, config = rivals.reach_of(SHOWN[kind], text), rivals.rival(SHOWN[kind]).config
    layer = 0 if depth == "first" else len(heights) - 1
    field = span(kind, layer + 1, at, heights.shape[-1], Sizes(kernel=config.kernel, dilation=1, window=1))
    return Measured(kind, heights[layer], layer, len(heights), field)


def _finding(found: list[Measured], count: int) -> str:
    """What is left of a neighbour's influence far away, network by network."""
    if count < FEW:
        return say("why.reach.short")
    far, told = min(FAR, count - 1), []
    for each in found:
        name, times = say(f"why.cost.{each.name}"), fades(each.reach, far)
        if times is None:
            said = say("why.reach.nothing", name=name, places=farthest(each.reach))
        elif max(times, 1 / times) < EVEN:
            said = say("why.reach.even", name=name)
        elif times < 1:
            said = say("why.reach.grows", name=name, times=fixed(1 / times, 1))
        else:
            said = say("why.reach.fades", name=name, times=roughly(times) if times >= 10 else fixed(times, 1))
        told.append(said)
    return say("why.reach.finding", far=far, told=", ".join(told))


def _pick() -> None:
    picked = st.session_state[VIEW]["pick"]
    if isinstance(picked, int):
        select(reach_word=picked)
