"""Experiments that were measured to show something: which to offer, which one is on screen, and its words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from model.inspect.edits_json import from_json
from viz.figures.numbers import percent

if TYPE_CHECKING:
    from model.inspect.edits import Edit

MOST = 6  # buttons
Story = Mapping[str, Any]
Say = Callable[..., str]


def offered(stories: Sequence[Story], most: int = MOST) -> list[Story]:
    """The best of each way first, then the second best of each, and so on: no two of a kind side by side."""
    ways: dict[str, int] = {}
    turns = []
    for place, story in enumerate(stories):
        turn = ways[story["way"]] = ways.get(story["way"], -1) + 1
        turns.append((turn, place))
    return [stories[place] for _, place in sorted(turns)[:most]]


def edits_of(story: Story) -> tuple[Edit, ...]:
    return from_json(json.dumps(story["edits"]))


def on_screen(stories: Sequence[Story], sentence: str, made: Sequence[Edit]) -> Story | None:
    """The story that this sentence with these changes tells."""
    return next(
        (each for each in stories if each["sentence"] == sentence and edits_of(each) == tuple(made)), None
    )


def label(story: Story, head: str, say: Say) -> str:
    """One click in words: what is changed, and what becomes of it. `head` is the name of the changed head."""
    way = story["way"]
    return say(f"story.{way}", head=head, hidden=story.get("hidden", ""), change=change(story, say))


def change(story: Story, say: Say) -> str:
    """Which words become which; on one side there may be none."""
    before, after = story["words"]["before"], story["words"]["after"]
    key = "becomes" if before and after else "gone" if before else "new"
    return say(f"story.{key}", before=before, after=after)


def lesson(story: Story, head: str, phenomenon: str, say: Say) -> str:
    """What it teaches, in one sentence with the numbers of this story."""
    key = "named" if story["way"] == "head" and phenomenon else story["way"]
    chances = {name: chance(value) for name, value in story["chance"].items()}
    word = story["word"]["before"] or story["word"]["after"]
    return say(
        f"story.lesson.{key}", head=head, phenomenon=phenomenon, hidden=story.get("hidden", ""),
        word=word, was=chances["before"], now=chances["after"],
    )  # fmt: skip


def chance(value: float) -> str:
    """
    >>> chance(0.83), chance(0.0041), chance(0.00001)
    ('83%', '0.4%', '< 0.1%')
    """
    if value < 0.001:
        return "< 0.1%"
    return percent(value, 0 if value >= 0.1 else 1)
