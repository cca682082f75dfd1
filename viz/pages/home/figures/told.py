"""What each part of the architecture does, in one sentence with the numbers of this run."""

from math import sqrt

import numpy as np

from viz.figures.numbers import count, fixed
from viz.pages.home.numbers import Run, Say, queries, shapes


def told(run: Run, part: str, stack: str, say: Say) -> str:
    """`part` is a kind of attention, norm.<sublayer>, or as the box is called."""
    about = {name: count(size) for name, size in shapes(run).items()}
    tokens = run.tokens[stack]
    about |= {"tokens": str(len(tokens)), "token": tokens[run.at(stack)], "layer": str(run.layer + 1)}
    head, _, sublayer = part.partition(".")
    if head in run.looks:
        return say(f"home.told.{head}", **about, **_looking(run, head))
    if head == "norm":
        return _with_numbers(run, stack, sublayer, say)
    if head == "feed_forward":
        key = "home.told.feed_forward" if stack in run.firing else "home.told.feed_forward.long"
        return say(key, **about, firing=count(run.firing.get(stack, 0)))
    if head in ("embedding", "positions"):
        return _vectors(run, head, stack, about, say)
    chances = [f"“{word}” {fixed(chance)}" for word, chance, _ in run.candidates[:2]]
    return say(f"home.told.{head}", **about, chances=", ".join(chances))


def _looking(run: Run, kind: str) -> dict[str, str]:
    """Who looks most at whom: of the word being written, where there is one."""
    look, (looking, seen) = run.looks[kind], queries(run, kind)
    query, key, weight = look.strongest(None if kind == "encoder" else run.row)
    return {"looking": looking[query], "seen": seen[key], "weight": fixed(weight), "read": str(run.row + 1)}


def _with_numbers(run: Run, stack: str, sublayer: str, say: Say) -> str:
    lengths = run.added.get((stack, sublayer))
    if lengths is None:
        return say("home.told.norm.long", width=run.config.width)
    before, added, after = (fixed(length, 1) for length in lengths)
    token = run.tokens[stack][run.at(stack)]
    return say("home.told.norm", token=token, before=before, added=added, after=after)


def _vectors(run: Run, part: str, stack: str, about: dict[str, str], say: Say) -> str:
    """The length of what is added, beside that of the token's own vector."""
    if part == "positions" and run.config.positions in ("rotary", "none"):
        return say(f"home.told.positions.{run.config.positions}")
    plain = part == "embedding" and not run.config.scaled
    own, place = (run.vectors.get(f"{stack}.{name}") for name in ("tokens", "positions"))
    if own is None:
        return say("home.told.embedding.plain.long" if plain else f"home.told.{part}.long", **about)
    at, scale = run.at(stack), fixed(sqrt(run.config.width), 0 if sqrt(run.config.width).is_integer() else 1)
    lengths = {"own": fixed(float(np.linalg.norm(own[at])), 1), "scale": scale, "number": str(at + 1)}
    if place is not None:
        lengths["place"] = fixed(float(np.linalg.norm(place[at])), 1)
    return say("home.told.embedding.plain" if plain else f"home.told.{part}", **about, **lengths)
