"""Given the right answer: teacher forcing beside free running, and what one mistake costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.figures.numbers import percent
from viz.frame.presenter import presenting
from viz.pages.decoding.figures import given as figures
from viz.pages.decoding.numbers import given as numbers
from viz.pages.decoding.panels.here import Here, go_to, spelled
from viz.pages.decoding.panels.references import Reference, write_reference
from viz.state import decodings, searches
from viz.state.decodings import Path
from viz.state.language import say
from viz.state.session import select
from viz.text import verbatim
from viz.widgets.panel import Panel

ROWS, NEXT = "given_rows", "given_next_view"  # the views on the page


@dataclass(frozen=True)
class Given:
    """A reference beside the model's own translation, and the step that is looked at."""

    reference: Reference
    own: Path
    log_probs: np.ndarray  # of the reference, (steps, V)
    found: numbers.Beside
    words: figures.Words
    at: int


def controls(now: Here) -> None:
    if now.asked.at is not None:
        st.button(say("decoding.given.to_parting"), key="to_parting", on_click=select, kwargs={"at": None})


def show(now: Here) -> Panel:
    own = decodings.path_of(now.text)  # what others forced elsewhere is not its own
    given = _given(now, own, write_reference(now.text, own.written))
    rows = figures.rows(given.found, given.words, given.at, say)
    drawing.show(rows, key=ROWS, on_pick=partial(_pick, ROWS))
    following = _following(given)
    finding, explained = _finding(given), _explained()
    left, right = st.columns([1.3, 1], gap="medium")
    with left:
        drawing.show(following, key=NEXT)
    with right:
        st.text(finding)
        # On a wall the presenter explains, and the page gives the number.
        shown = explained[-1:] if presenting() else explained
        st.caption("\n\n".join(map(verbatim, shown)))
    said = {"given_next": say("decoding.given.next.how")}
    return Panel(
        {"given": rows, "given_next": following}, _arrays(given), finding, " ".join(explained), said=said
    )


def _given(now: Here, own: Path, reference: Reference) -> Given:
    log_probs = decodings.given_of(now.text, reference.ids)
    right = numbers.row(reference.ids, log_probs)
    free = numbers.row(own.ids, own.log_probs)._replace(log_probs=np.array(own.written.log_probs))
    found = numbers.beside(right, free)
    words = figures.Words(spelled(reference.ids), spelled(own.ids), spelled(right.best.tolist()))
    at = found.usual if now.asked.at is None else min(now.asked.at, found.steps - 1)
    return Given(reference, own, log_probs, found, words, at)


def _following(given: Given) -> Drawing:
    """What may come at this step: once where both have read the same, else after each row's own words."""
    at, (right, own, parts) = given.at, given.found
    blocks = []
    same = parts is None or at <= parts
    if at < len(right.ids):
        name = "both" if same else "right"
        blocks.append(_block(name, given.log_probs[at], right.ids, given.words.right, at))
    if at < len(own.ids) and (not same or not blocks):
        blocks.append(_block("own", given.own.log_probs[at], own.ids, given.words.own, at))
    return figures.following(blocks, say)


def _block(
    name: str, log_probs: np.ndarray, ids: tuple[int, ...], words: Sequence[str], at: int
) -> figures.Block:
    listed = numbers.listed(log_probs, ids[at])
    read = words[at - 1] if at else say("piece.start")
    return figures.Block(name, say(f"decoding.given.after.{name}", token=read), listed, spelled(listed.ids))


def _finding(given: Given) -> str:
    """Where the two part, and what each leads to."""
    right, own, parts = given.found
    if parts is None:
        return say("decoding.given.same")
    told = [
        say(
            "decoding.given.finding", step=parts + 1,
            right=given.words.right[parts], chance=_chance(right.log_probs[parts]),
            own=given.words.own[parts], other=_chance(own.log_probs[parts]),
        )
    ]  # fmt: skip
    if (apart := given.found.apart) is None:
        return " ".join([*told, say("decoding.given.finding.alike")])
    wanted, mistaken = spelled([int(right.best[apart]), int(own.best[apart])])
    values = {
        "step": apart + 1, "right": given.words.right[parts], "own": given.words.own[parts],
        "wanted": wanted, "sure": _chance(right.best_log_probs[apart]),
        "mistaken": mistaken, "other": _chance(own.best_log_probs[apart]),
    }  # fmt: skip
    when = "next" if apart == parts + 1 else "later"
    return " ".join([*told, say(f"decoding.given.finding.{when}", **values)])


def _chance(log_prob: float) -> str:
    chance = float(np.exp(log_prob))
    return percent(chance) if chance >= 0.0005 else "< 0.1%"


def _explained() -> list[str]:
    """What teacher forcing is, and what one mistake costs this model where that was measured."""
    told = [say("decoding.given.explained")]
    if cost := searches.exposure():
        low, high = cost["interval"]
        told.append(
            say(
                "decoding.given.exposure", sentences=cost["sentences"], departed=cost["departed"],
                mistake=percent(cost["mistake"]), right=percent(cost["right"]),
                points=f"{100 * cost['difference']:.1f}", low=f"{100 * low:.1f}", high=f"{100 * high:.1f}",
            )
        )  # fmt: skip
    return told


def _arrays(given: Given) -> dict[str, object]:
    right, own, parts = given.found
    return {
        "reference": given.reference.text,
        "reference_tokens": list(given.words.right),
        "reference_ids": np.array(right.ids),
        "reference_log_probs": np.array(right.log_probs),
        "would_say_tokens": list(given.words.best),
        "would_say_ids": np.array(right.best),
        "would_say_log_probs": np.array(right.best_log_probs),
        "own_tokens": list(given.words.own),
        "own_ids": np.array(own.ids),
        "own_log_probs": np.array(own.log_probs),
        "first_difference": -1 if parts is None else parts,
        "step": given.at,
    }


def _pick(view: str) -> None:
    """A click on a token of either row; those of the lower count from −1 down."""
    picked = st.session_state[view]["pick"]
    if isinstance(picked, int):
        go_to(picked if picked >= 0 else -picked - 1)
