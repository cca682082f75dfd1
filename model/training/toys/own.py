"""A task of one's own: pairs that somebody typed, one a line, source and target with a tab or = between."""

import re
from collections.abc import Sequence
from random import Random

from model.training.toys.tasks import Example, Task

FEWEST, MOST = 2, 60  # pairs
LONGEST = 12  # words or letters on each side: what a small map can name
SPLITS = ("words", "letters")
STEPS = 400
Pairs = tuple[tuple[str, str], ...]


class Refused(ValueError):
    """Why a list cannot be learnt: a key to say it by, and what to fill in."""

    def __init__(self, why: str, **known: object) -> None:
        super().__init__(f"{why}: {known}")
        self.why, self.known = why, known


def read_pairs(typed: str, split: str) -> Task:
    """The task of learning these lines by heart.

    >>> read_pairs("안녕 = hello\\n고마워 = thank you", "words").shown.target
    ('thank', 'you')
    """
    lines = [line for line in typed.splitlines() if line.strip()]
    if len(lines) > MOST:
        raise Refused("many", most=MOST, count=len(lines))
    examples = [_example(number, line, split) for number, line in enumerate(lines, 1)]
    if len({each.source for each in examples}) < FEWEST:
        raise Refused("few", fewest=FEWEST)
    answers: dict[tuple[str, ...], tuple[str, ...]] = {}
    for number, each in enumerate(examples, 1):
        if answers.setdefault(each.source, each.target) != each.target:
            raise Refused("twice", line=number, source=" ".join(each.source))
    words = sorted({word for each in examples for word in (*each.source, *each.target)})
    longest = max(examples, key=lambda each: len(each.source) + len(each.target))
    return Task(lambda draw: _pick(draw, examples), tuple(words), longest, STEPS)


def _pick(draw: Random, examples: Sequence[Example]) -> Example:
    return draw.choice(examples)


def _example(number: int, line: str, split: str) -> Example:
    sides = [side.strip() for side in re.split(r"\t|=", line)]
    if len(sides) != 2 or not all(sides):
        raise Refused("sides", line=number)
    source, target = (tuple(side.split() if split == "words" else side.replace(" ", "")) for side in sides)
    if (longest := max(len(source), len(target))) > LONGEST:
        raise Refused("long", line=number, most=LONGEST, count=longest)
    return Example(source, target, (None,) * len(target))
