"""What stands beside the tree of a beam: how its translations rank, and where one step looked."""

from collections.abc import Callable, Sequence

import numpy as np

from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import fixed, signed
from viz.figures.svg import fitting, width
from viz.pages.decoding.numbers.beam import Ranked

Say = Callable[..., str]

WIDE, NARROW = 640, 360
LETTERS, LETTER_WIDE = 12.5, 11  # French is narrower than what `fitting` fears
LINE, HEAD = 26, 34  # pixels of a row of the ranking, and of what stands above them
COLUMNS = {"total": 0.49, "length": 0.54, "paper": 0.655, "score": 0.76, "plain": 0.845, "plain_score": 0.945}
BAR, WORD = 40, 20  # of a token that is looked at: its bar, and the line that it stands in
WORTH = 0.1  # weights from which on the number is written
MOST = 48  # tokens of the source that are drawn


def ranking(ranked: Sequence[Ranked], chosen: int, say: Say) -> Drawing:
    """A line for every translation that ended: its total, its length, and its score under both divisors."""
    marks, begun = _head(say), _begun(ranked)
    for place, each in enumerate(ranked):
        y, won = HEAD + place * LINE, place == 0
        marks += [
            _row(each, place, y, WIDE, chosen), text(f"{place + 1}.", 6, y + 17, bold=won),
            text(_told(each, begun[place], 0.385 * WIDE - 30, say), 28, y + 17, size=LETTERS),
        ]  # fmt: skip
        for (name, at), number in zip(COLUMNS.items(), _written(each), strict=True):
            own = name == "score"
            marks.append(text(number, at * WIDE, y + 17, anchor="end", bold=own, name=f"{name}.{place}"))
        marks.append(_plain_rank(each, place, WIDE - 6, y + 17))
    high = HEAD + 2 + LINE * len(ranked)
    return Drawing(WIDE, high, say("decoding.beam.ranking"), tuple(marks), _narrow(ranked, chosen, say))


def _head(say: Say) -> list[Mark]:
    """What the columns are, and above them whose divisor it is."""
    ends = COLUMNS | {"plain_rank": (WIDE - 6) / WIDE}
    small = {"size": 11, "fill": "faint"}
    marks = [text(say(f"decoding.beam.ranking.{name}"), at * WIDE, 29, anchor="end", **small)
             for name, at in ends.items()]  # fmt: skip
    for name, left, right in (("ours", "length", "score"), ("theirs", "score", "plain_rank")):
        begins, stops = ends[left] * WIDE + 12, ends[right] * WIDE
        marks.append(
            text(say(f"decoding.beam.ranking.{name}"), (begins + stops) / 2, 11, anchor="middle", **small)
        )
        marks.append(line([(begins, 15), (stops, 15)], "line"))
    return marks


def attention(words: Sequence[str], weights: np.ndarray, title: str, say: Say) -> Drawing:
    """Tokens of the source, each under a bar as high as the weight with which the step looked at it."""
    made = [_attention(words, weights, title, room, say) for room in (WIDE, NARROW)]
    return Drawing(made[0].wide, made[0].high, title, made[0].marks, made[1])


def _narrow(ranked: Sequence[Ranked], chosen: int, say: Say) -> Drawing:
    """On a telephone a translation takes three lines: its words, and the numbers of each divisor."""
    tall, marks = 64, []
    begun = _begun(ranked)
    for place, each in enumerate(ranked):
        y, won = place * tall, place == 0
        total, length, paper, score, plain, plain_score = _written(each)
        about = {"total": total, "length": length}
        lines = (
            say("decoding.beam.ranking.narrow.paper", divisor=paper, score=score, **about),
            say("decoding.beam.ranking.narrow.plain", divisor=plain, score=plain_score, rank=each.plain_rank),
        )
        marks += [
            _row(each, place, y, NARROW, chosen, tall - 4), text(f"{place + 1}.", 6, y + 17, bold=won),
            text(_told(each, begun[place], NARROW - 36, say), 28, y + 17, size=LETTERS),
            text(lines[0], 28, y + 35, size=11.5), text(lines[1], 28, y + 51, size=11.5, fill="faint"),
        ]  # fmt: skip
    return Drawing(NARROW, tall * len(ranked) + 2, say("decoding.beam.ranking"), tuple(marks))


def _row(each: Ranked, place: int, y: float, wide: float, chosen: int, high: float = LINE - 2) -> Mark:
    fill = "panel" if place % 2 == 0 else "none"
    about = {"pick": each.node, "on": each.node == chosen, "tip": each.text, "name": f"ranked.{place}"}
    return rect(0, y, wide, high, fill, round=4, **about)


def _written(each: Ranked) -> tuple[str, ...]:
    return (
        signed(each.total, 3), str(each.length), fixed(each.paper), signed(each.score, 3),
        fixed(each.plain), signed(each.plain_score, 3),
    )  # fmt: skip


def _plain_rank(each: Ranked, place: int, x: float, y: float) -> Mark:
    """The rank under the other divisor; it stands out where the two disagree."""
    other = each.plain_rank != place + 1
    look = {"anchor": "end", "bold": other, "fill": "mark" if other else "faint"}
    return text(f"{each.plain_rank}.", x, y, name=f"plain_rank.{place}", **look)


def _begun(ranked: Sequence[Ranked]) -> list[int]:
    """How many letters each translation begins with as the best one does, up to the last space.

    The best itself is told from where the second leaves it.
    """
    best, others = ranked[0].text, [each.text for each in ranked[1:]]
    alike = []
    for other in [*others[:1], *others] or [""]:
        pairs = enumerate(zip(best, other, strict=False))
        alike.append(next((place for place, (one, two) in pairs if one != two), min(len(best), len(other))))
    return [best[:letters].rfind(" ") + 1 for letters in alike]


def _told(each: Ranked, begun: int, room: float, say: Say) -> str:
    """A translation as far as there is room; a long one from the word on at which it differs."""
    words = each.text or say("piece.end")  # it ends before it has begun
    if begun and width(words, LETTER_WIDE, None) > room:
        words = "… " + words[begun:]
    return fitting(words, room, LETTER_WIDE)


def _attention(words: Sequence[str], weights: np.ndarray, title: str, room: float, say: Say) -> Drawing:
    most = int(weights.argmax())
    first = max(0, min(most - MOST // 2, len(words) - MOST))
    shown = range(first, min(len(words), first + MOST))
    x, y, marks = 0.0, 0.0, []
    high = BAR + WORD + 6
    for place in shown:
        word, weight = fitting(words[place], room - 12, LETTER_WIDE), float(weights[place])
        wide = max(width(word, LETTER_WIDE) * (1.15 if place == most else 1) + 8, 30.0)  # that one is bold
        if x and x + wide > room:
            x, y = 0.0, y + high
        said = say("decoding.beam.looks", token=words[place], weight=fixed(weight, 4))
        look = {"tip": said, "name": f"looks.{place}"}
        tall = max(0.75, (BAR - 12) * weight)
        marks += [
            rect(x, y, wide, high - 2, "none", **look),
            rect(x + 2, y + BAR - tall, wide - 6, tall, "mark", kin=f"bar.{place}"),
            line([(x + 2, y + BAR), (x + wide - 4, y + BAR)], "line"),
            text(word, x + wide / 2 - 1, y + BAR + 15, size=LETTERS, anchor="middle", bold=place == most),
        ]
        if weight >= WORTH:
            number = fixed(weight, 2)
            marks.append(text(number, x + wide / 2 - 1, y + BAR - tall - 3, size=10, anchor="middle"))
        x += wide
    if len(shown) < len(words):
        left = 1 - float(weights[shown.start : shown.stop].sum())
        told = say("decoding.beam.looks.hidden", count=len(words) - len(shown), share=fixed(left))
        marks.append(text(told, 0, y + high + 12, size=11, fill="faint"))
        y += 16
    return Drawing(room, y + high, title, tuple(marks))
