"""How fair the comparison is: what all five had in common, and what each has of its own."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from viz.figures.numbers import count, fixed, percent
from viz.state.language import say


def show_fairness(found: Mapping[str, Any]) -> None:
    """One sentence, then a row for each."""
    facts = {name: each["training"] for name, each in found["models"].items()}
    weights = [each["weights"] for each in facts.values()]
    one = next(iter(facts.values()))
    same = all(
        each[key] == one[key] for each in facts.values() for key in ("pairs", "target_pieces", "steps")
    )
    key = "why.length.fair.same" if same else "why.length.fair.different"
    apart = percent(max(weights) / min(weights) - 1)
    st.caption(
        say(
            key, pairs=count(one["pairs"]), pieces=count(one["target_pieces"]), steps=count(one["steps"]),
            trial=count(one["trial_steps"]), apart=apart,
        )
    )  # fmt: skip
    columns = ("weights", "pieces", "rates", "rate", "minutes", "all")
    heading = [say("why.length.fair.network"), *(say(f"why.length.fair.{each}") for each in columns)]
    rows = [_row(name, each, found["models"][name]) for name, each in facts.items()]
    lines = [heading, ["---", *["---:"] * len(columns)], *rows]
    st.markdown("\n".join(f"| {' | '.join(cells)} |" for cells in lines))


def _row(name: str, facts: Mapping[str, Any], scores: Mapping[str, Any]) -> list[str]:
    """Weights, what it has read, the rates that were tried with their losses, and how long it took."""
    tried = " · ".join(f"{rate}: {fixed(loss, 2)}" for rate, loss in facts["rates"].items())
    value, low, high = scores["bleu"][-1]
    return [
        say(f"network.{name}"), count(facts["weights"]), count(facts["target_pieces"]), tried,
        f"{facts['rate']:g}", count(round(facts["seconds"] / 60)),
        f"{fixed(value, 1)} [{fixed(low, 1)}, {fixed(high, 1)}]",
    ]  # fmt: skip
