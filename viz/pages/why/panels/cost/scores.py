"""Additive or dot product: two ways to compare the same queries with the same keys."""

import numpy as np
import streamlit as st

from model.inspect.costs.scores import Compared, bytes_between
from viz.components import drawing
from viz.figures.numbers import compact, count, roughly
from viz.frame.presenter import presenting
from viz.pages.why.figures.cost.scores import scores
from viz.pages.why.formulas import cost as formulas
from viz.pages.why.numbers.cost import Sizes, bytes_written
from viz.pages.why.panels.cost.now import sizes
from viz.state import costs, runs
from viz.state.language import say
from viz.state.session import selection
from viz.text import verbatim
from viz.widgets.panel import Panel

LONG = 2_048  # positions of a text for which the bytes are written out
SAME = 1.15  # a factor below which two times are as good as the same


def show() -> Panel:
    own, config = sizes(), runs.translator().config
    with st.spinner(say("why.cost.scores.working")):
        by_size = {words: costs.scores_at(words) for words in costs.SIZES if words <= costs.MOST_COMPARED}
        shown, ours = _own(own)
    by_size |= {ours: shown}
    drawn = scores(shown, ours, own.width, by_size, say)
    drawing.show(drawn, key="picture_cost_scores")
    finding = _finding(shown, ours)
    if ours < own.words:
        finding = f"{say('why.cost.scores.part', words=count(own.words), most=count(ours))} {finding}"
    explained = say("why.cost.scores.explained", heads=config.heads, width=config.head_width, whole=own.width,
                    calls=shown.additive.calls, most=costs.MOST_COMPARED)  # fmt: skip
    left, right = st.columns([1.5, 1], gap="medium")
    with left:
        st.text(finding)
        if not presenting():
            st.caption(verbatim(explained))
    with right:
        st.latex(formulas.SCORES)
    arrays = {**vars(own), **_arrays(by_size)}
    return Panel(
        {"why_cost_scores": drawn}, arrays, finding, explained, formulas.SCORES, name="why-cost-scores"
    )


def _own(own: Sizes) -> tuple[Compared, int]:
    """Both ways on this run's own queries and keys; of a very long text, on as many as memory allows."""
    trace = runs.current_trace()
    if "encoder" in trace.query:
        return costs.scores_of(trace, selection().layer), own.words
    words = min(own.words, costs.MOST_COMPARED)
    return costs.scores_at(words), words


def _finding(shown: Compared, words: int) -> str:
    config = runs.translator().config
    long = bytes_between(config.heads, LONG, config.head_width)
    faster = say("why.cost.scores.faster", times=roughly(shown.times))
    faster = faster if shown.times > SAME else say("why.cost.scores.same")
    milliseconds = {
        way: compact(float(f"{1000 * getattr(shown, way).median:.2g}")) for way in ("additive", "dot")
    }
    return say(
        "why.cost.scores.finding", words=count(words), faster=faster, **milliseconds,
        between=bytes_written(shown.between), scores=bytes_written(shown.scores), long=count(LONG),
        long_between=bytes_written(long),
    )  # fmt: skip


def _arrays(by_size: dict[int, Compared]) -> dict[str, np.ndarray]:
    measured = [by_size[words] for words in sorted(by_size)]
    arrays = {"n": np.array(sorted(by_size))}
    for way in ("additive", "dot"):
        for which in ("median", "low", "high"):
            arrays[f"seconds_{way}_{which}"] = np.array(
                [getattr(getattr(each, way), which) for each in measured]
            )
    arrays["bytes_between"] = np.array([each.between for each in measured])
    arrays["bytes_scores"] = np.array([each.scores for each in measured])
    return arrays
