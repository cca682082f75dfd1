"""How few heads are enough, and is the order better than chance?"""

import numpy as np
import streamlit as st

from model import Trace
from model.inspect.variants import all_heads
from viz.components.drawing import show
from viz.figures import bars as figures
from viz.pages.experiment import Experiment
from viz.pages.experiment.numbers.importance import RANDOM, drops, keeping, steps
from viz.pages.experiment.panels.asking import ask, silenced
from viz.state import runs
from viz.state.language import say
from viz.state.session import chosen
from viz.widgets.panel import Panel


def prune(trace: Trace) -> Panel:
    """Keep only the most important heads: how few are enough, and is the order better than chance?"""
    heads, lost = all_heads(runs.translator().config), silenced(trace)
    if lost is None:
        return Panel()
    order = np.argsort(-drops(lost[0], lost[1:]), kind="stable").tolist()
    counts, rng = steps(len(heads)), np.random.default_rng(0)
    orders = [order, *(rng.permutation(len(heads)).tolist() for _ in range(RANDOM))]
    variants = [tuple(heads[n].silenced for n in keeping(each, count)) for each in orders for count in counts]
    found = ask(trace, ("prune",), variants, say("prune.start"), key="prune_start")
    if found is None:
        return Panel()
    totals = found.sum(-1).reshape(len(orders), len(counts))
    asked = chosen(Experiment).kept
    wanted = len(heads) // 2 if asked is None else asked
    kept = min(counts, key=lambda count: abs(count - wanted))
    st.session_state["kept"] = kept
    st.select_slider(say("prune.kept"), sorted(counts), key="kept")
    drawn = figures.pruning(counts, totals[0], totals[1:], kept, say)
    show(drawn, key="pruning")
    silent = tuple(heads[n].silenced for n in keeping(order, kept))
    written = runs.translation_of(runs.edited_trace(st.session_state.shown, silent) if silent else trace)
    chance = f"{totals[0][counts.index(kept)]:.3f}"
    st.text(say("prune.seen", kept=kept, all=len(heads), chance=chance))
    st.text(written.text or say("translation.empty"))
    st.caption(say("prune.what", orders=RANDOM))
    return Panel({"pruning": drawn}, {"kept": np.array(counts), "chosen": totals[0], "random": totals[1:]})
