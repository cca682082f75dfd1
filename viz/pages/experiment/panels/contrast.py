"""Why this word and not that one: what each head and each source word adds to the difference."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model import Trace
from model.inspect.edits import Edit, Hide
from model.inspect.variants import all_heads, contrast_of
from viz.components.drawing import show
from viz.figures import bars as figures
from viz.figures.labels import readable
from viz.figures.numbers import roughly
from viz.pages.experiment import Experiment
from viz.pages.experiment.numbers.importance import ranked
from viz.pages.experiment.panels.asking import ask
from viz.state import runs
from viz.state.language import say
from viz.state.session import chosen, selection
from viz.text import verbatim
from viz.widgets.controls import choose_place
from viz.widgets.names import head_in_a_sentence, head_label
from viz.widgets.panel import Panel

SHOWN = 15  # heads of a ranking
MOST = 13.8  # of log-probability: a million times, beyond which more says nothing


def contrast(trace: Trace) -> Panel:
    """Why this word and not that one: what each head and each source word adds to the difference."""
    row = selection().row
    row = row if row is not None and row < len(trace.target.predicted) else _contested(trace)
    words = [readable(piece, say) for piece in trace.target.predicted]
    this, (rival, name) = trace.target.predicted_ids[row], _choose_words(trace, row, words)
    heads, pieces = all_heads(runs.translator().config), trace.source.pieces
    variants: list[tuple[Edit, ...]] = [(), *((head.silenced,) for head in heads)]
    variants += [(Hide(place),) for place in range(len(pieces) - 1)]
    found = ask(
        trace, ("contrast", row, this, rival), variants, say("contrast.start"), key="contrast_start",
        read=contrast_of(row, this, rival), at_once=st.session_state.get("asked_at_once", False),
    )  # fmt: skip
    if found is None:
        return Panel()
    st.session_state["asked_at_once"] = False
    base, lost = found[0], found[0] - found[1:]
    by_head, by_word = lost[: len(heads)], lost[len(heads) :]
    best = ranked(by_head)[:SHOWN]
    place = int(by_word.argmax())
    said = _conclusion(
        float(base), (words[row], name),
        (head_in_a_sentence(*heads[int(by_head.argmax())]), float(by_head.max())),
        (readable(pieces[place], say), float(by_word[place])),
    )  # fmt: skip
    st.markdown(f"**{verbatim(said)}**")
    st.text(say("contrast.seen", this=words[row], that=name, base=f"{base:+.2f}"))
    drawn = {
        "contrast_heads": figures.effects(
            [head_label(*heads[n]) for n in best], [float(by_head[n]) for n in best], say("contrast.heads"),
            names=[".".join(map(str, heads[n])) for n in best], least=figures.FULL, say=say,
        ),
        "contrast_words": figures.effects(
            [readable(piece, say) for piece in pieces[:-1]], [float(value) for value in by_word],
            say("contrast.words"), names=[f"word.{n}" for n in range(len(by_word))],
            least=figures.FULL, say=say,
        ),
    }  # fmt: skip
    for column, (key, drawing), effect in zip(
        st.columns(2, gap="medium"), drawn.items(), (by_head, by_word), strict=True
    ):
        with column:
            st.caption(drawing.title)
            show(drawing, key=key)
            st.text(say("contrast.rest", all=f"{effect.sum():+.2f}", rest=f"{base - effect.sum():+.2f}"))
    st.caption(say("contrast.what"))
    return Panel(drawn, {"base": np.array(base), "heads": by_head, "words": by_word}, finding=said)


def _conclusion(
    base: float, words: tuple[str, str], head: tuple[str, float], source: tuple[str, float]
) -> str:
    """Who decides: the head and the source word that speak most for the word that was written."""
    this, that = words
    times = roughly(float(np.exp(min(abs(base), MOST))))
    said = [say("contrast.leads" if base > 0 else "contrast.trails", this=this, that=that, times=times)]
    for key, (name, effect) in (("head", head), ("word", source)):
        if effect > base > 0:
            said.append(say(f"contrast.decides.{key}", name=name, this=this, that=that))
        elif effect > 0:
            said.append(say(f"contrast.speaks.{key}", name=name, this=this, share=f"{effect:.1f}"))
    return " ".join(said)


def _choose_words(trace: Trace, row: int, words: Sequence[str]) -> tuple[int, str]:
    """The word that was written, and its rival: the one asked for, else the likeliest other; id and label."""
    asked, this = chosen(Experiment).rival, trace.target.predicted_ids[row]
    others = [int(id) for id in trace.top.ids[-1, row] if id != this]
    rival = asked if asked is not None and asked != this else others[0]
    others = others if rival in others or rival >= runs.translator().config.vocabulary else [rival, *others]
    rival = rival if rival in others else others[0]
    pieces = runs.translator().tokenizer.choices(others)
    labels = {id: readable(piece, say) for id, piece in zip(others, pieces, strict=True)}
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        choose_place("row", say("contrast.word"), words, row)
        st.session_state["rival"] = rival
        st.selectbox(say("contrast.rival"), others, format_func=labels.__getitem__, key="rival", width=200)
    return rival, labels[rival]


def _contested(trace: Trace) -> int:
    """The piece whose closest rival came closest."""
    first, second = np.sort(trace.top.log_probs[-1], -1)[:, :-3:-1].T
    return int((first - second).argmin())
