"""Ask your own: why this word and not that one, here? Every head is silenced in turn and has its say."""

from functools import partial

import numpy as np
import streamlit as st

from model import Trace
from model.atlas.causal.roles import SHARE
from model.inspect.variants import Head, all_heads
from viz.components.drawing import show
from viz.figures.bars import effects
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.figures.numbers import fixed, percent, rounded
from viz.frame.presenter import presenting
from viz.pages.atlas.figures import asked as figures
from viz.pages.atlas.numbers import asking
from viz.pages.atlas.numbers.asking import Finding, Question
from viz.pages.atlas.panels.causal_card import switch_off
from viz.pages.atlas.panels.heads import pick
from viz.pages.atlas.panels.own_contrasts import keep, own_contrasts
from viz.pages.atlas.panels.words import choose_question
from viz.state import runs
from viz.state.kept import Kept
from viz.state.language import say
from viz.state.walking import walking
from viz.text import verbatim
from viz.widgets.names import head_label, head_name, head_names
from viz.widgets.panel import Panel

SHOWN = 12  # heads of the ranking


def show_ask() -> Panel:
    """Two words at one place of the translation, what decides between them, and rows to ask it again with."""
    trace = runs.current_trace()
    if not trace.scores:
        st.info(say("experiment.long"))
        return Panel()
    question = choose_question(trace)
    finding = _found(question)
    heads = all_heads(runs.translator().config)
    right, wrong = (asking.text_of(runs.translator().tokenizer, word, say) for word in question.words)
    said = verdict(finding, heads, right, wrong)
    with st.container(border=True, key="ask_verdict", gap="small"):
        st.markdown(verbatim(said))
        st.caption(say("ask.warning"))
    left, side = st.columns([3, 2], gap="medium")
    told = _told(question, finding)
    with left:
        drawn = {"ask_heads": _ranking(finding, heads, told, say("ask.alt", right=right, wrong=wrong))}
        show(drawn["ask_heads"], key="ask_heads", on_pick=_pick)
        st.caption(say("ask.what"))
    with side:
        drawn |= _looks(trace, heads[told], len(question.before))
        _ways_on(question, heads[told])
    more = {} if presenting() else own_contrasts()
    arrays = {
        "lead": np.array(finding.lead), "lost": finding.lost, "right": right, "wrong": wrong,
        "heads": [".".join(map(str, head)) for head in heads],
    }  # fmt: skip
    return Panel(drawn | more, arrays, finding=f"{said} {say('ask.warning')}")


def verdict(finding: Finding, heads: list[Head], right: str, wrong: str) -> str:
    """Who decides, in words made of the numbers."""
    lead = finding.lead
    written = partial(fixed, digits=1) if abs(lead) >= 1 else partial(rounded, digits=2)
    if lead <= 0:
        return say("ask.prefers", wrong=wrong, by=written(-lead))
    best = finding.order[0]
    share, lost = max(0.0, finding.share(best)), float(finding.lost[best])
    values = {"head": head_name(*heads[best]), "right": right, "wrong": wrong, "lead": written(lead)}
    if share < SHARE:
        return say("ask.nobody", share=percent(share, 0), **values)
    values |= {"lost": written(lost), "share": percent(share, 0)}
    said = [say("ask.overturns" if lost > lead else "ask.decides", **values)]
    if names := head_names(*heads[best]):
        said.append(say("ask.called", names=", ".join(names)))
    return " ".join(said)


def _found(question: Question) -> Finding:
    """Ranked once for all visitors."""
    asked = runs.checkpoint(), question.decision
    if (found := _kept().get(asked)) is None:
        with st.spinner(say("ask.working")):
            found = _kept().put(asked, asking.rank_heads(runs.translator(), question))
    return found


@st.cache_resource(show_spinner=False)
def _kept() -> Kept:
    return Kept()


def _told(question: Question, finding: Finding) -> int:
    """The head that is told about: the one that was clicked since this was asked, else the strongest."""
    before, st.session_state["told_of"] = st.session_state.get("told_of"), question
    if before not in (None, question) and not walking():
        st.session_state["told"] = ""
    named = [".".join(map(str, head)) for head in all_heads(runs.translator().config)]
    told = st.session_state["told"]
    return named.index(told) if told in named else finding.order[0]


def _pick() -> None:
    pick("ask_heads")
    st.session_state["told"] = ".".join(map(str, st.session_state["ask_heads"]["pick"]))


def _ranking(finding: Finding, heads: list[Head], told: int, title: str) -> Drawing:
    best = finding.order[:SHOWN]
    return effects(
        [head_label(*heads[n]) for n in best],
        [float(finding.lost[n]) for n in best], title, written="{:+.2f}",
        picks=[list(heads[n]) for n in best], names=[".".join(map(str, heads[n])) for n in best],
        on=best.index(told) if told in best else None,
    )  # fmt: skip


def _looks(trace: Trace, head: Head, place: int) -> dict[str, Drawing]:
    """Where the head looks in the row that decides."""
    words = [(readable(piece, say), weight) for piece, weight in asking.looks(trace, head, place)]
    if not words:
        return {}
    title = say("ask.looks", head=head_name(*head))
    drawn = figures.looks(words, title)
    st.caption(title)
    show(drawn, key="ask_looks")
    return {"ask_looks": drawn}


def _ways_on(question: Question, head: Head) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            say("ask.off", head=head_name(*head)), key="ask_off",
            on_click=partial(switch_off, question.sentence, (head.kind, head.layer, head.head)),
        )  # fmt: skip
        if not presenting():
            st.button(say("ask.keep"), key="ask_keep", on_click=partial(keep, question))
