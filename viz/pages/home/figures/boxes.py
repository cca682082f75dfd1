"""The boxes of figure 1, each with something of the run inside."""

from typing import Any, NamedTuple

import numpy as np

from viz.figures.drawing import Mark, rect, small_map, text
from viz.figures.numbers import count, fixed, percent
from viz.figures.svg import fitting, width
from viz.pages.home.figures.told import told
from viz.pages.home.numbers import Run, Say, condensed, queries, shapes, stripes

CHIP, LARGEST = 20, 0.3  # the height of what leads elsewhere; what share of a box its map may take
BAR = 17


class Box(NamedTuple):
    x: float
    y: float
    wide: float
    high: float

    def drawn(self, name: str, tip: str, pick: str | None = None, on: bool = False) -> Mark:
        about: dict[str, Any] = {"name": name, "tip": tip, "pick": pick or name}
        return rect(*self, "panel", stroke="line", round=5, on=on, **about)


def chip(label: str, x: float, y: float, name: str, tip: str, on: bool = False) -> tuple[list[Mark], float]:
    """A small button, and where the next one may begin."""
    wide = width(label, 11, None) * 0.95 + 14
    marks = [
        rect(x, y, wide, CHIP, "paper", stroke="line", round=CHIP / 2, name=name, tip=tip, pick=name, on=on),
        text(label, x + wide / 2, y + 14, size=11, anchor="middle", bold=on),
    ]
    return marks, x + wide + 6


def attention(run: Run, kind: str, box: Box, whose: str, chosen: bool, say: Say) -> list[Mark]:
    """The map of the chosen heads, or of all; the row of the word being written is framed."""
    stack = "encoder" if kind == "encoder" else "decoder"
    tip, sizes = told(run, kind, stack, say), shapes(run)
    look, (looking, seen) = run.looks[kind], queries(run, kind)
    rows, columns = look.weights.shape
    most = min(box.high - 12, box.wide * LARGEST)
    wide = min(1.7 * most, most * columns / rows)
    high = min(most, wide * rows / columns)
    x, y = box.x + box.wide - wide - 6, box.y + (box.high - high) / 2
    weights, may = condensed(look)
    marks = [box.drawn(f"attention.{kind}", tip, on=chosen)]
    marks.append(small_map(weights, x, y, wide, high, seen=may, name=f"map.{kind}"))
    row = None if kind == "encoder" else run.row
    if row is not None:
        thick = max(high / rows, 1.5)
        marks.append(rect(x - 1, y + high * row / rows - 0.5, wide + 2, thick + 1, stroke="mark"))
    query, key, weight = look.strongest(row)
    strongest = say("home.strongest", looking=looking[query], seen=seen[key], weight=fixed(weight))
    room, below = x - box.x - 16, box.high > 4 * CHIP
    title = say(f"home.{kind}")
    size = say("home.heads", heads=sizes["heads"], width=sizes["head_width"], rows=rows, columns=columns)
    marks.append(text(fitting(title, room, 12), box.x + 8, box.y + 17, size=12.5, bold=True))
    marks.append(text(size, box.x + 8, box.y + 32, size=11, fill="faint"))
    if below:
        marks.append(text(fitting(whose, room, 11), box.x + 8, box.y + 47, size=11, name=f"whose.{kind}"))
        marks.append(text(fitting(strongest, room, 11), box.x + 8, box.y + 62, size=11, fill="faint"))
    else:
        marks.append(text(whose, x - 8, box.y + 44, size=11, anchor="end", name=f"whose.{kind}"))
        said = fitting(strongest, room * 0.5, 11)
        marks.append(text(said, x - 8, box.y + 59, size=11, anchor="end", fill="faint"))
    down, at = box.y + box.high - CHIP - 6, box.x + 8
    for way in ("heads", "inside"):
        made, at = chip(say(f"home.go.{way}"), at, down, f"{way}.{kind}", say(f"home.go.{way}.told"))
        marks += made
    return marks


def norm(run: Run, stack: str, sublayer: str, box: Box, say: Say) -> list[Mark]:
    """The lengths of what came in, of what was added, and of what leaves."""
    tip = told(run, f"norm.{sublayer}", stack, say)
    marks = [box.drawn(f"norm.{stack}.{sublayer}", tip)]
    marks.append(text(say("home.norm"), box.x + 8, box.y + 14, size=11.5))
    if lengths := run.added.get((stack, sublayer)):
        before, added, after = (fixed(length, 1) for length in lengths)
        words = say("home.lengths", before=before, added=added, after=after)
        marks.append(
            text(words, box.x + box.wide - 8, box.y + 14, size=11, anchor="end", fill="faint",
                 name=f"lengths.{stack}.{sublayer}")
        )  # fmt: skip
    return marks


def feed_forward(run: Run, stack: str, box: Box, say: Say) -> list[Mark]:
    """How many of its units fire for the token that is told of."""
    sizes = shapes(run)
    marks = [box.drawn(f"feed_forward.{stack}", told(run, "feed_forward", stack, say))]
    marks.append(text(say("home.feed_forward"), box.x + 8, box.y + 14, size=12.5, bold=True))
    written = f"{count(sizes['width'])} → {count(sizes['hidden'])} → {count(sizes['width'])}"
    marks.append(text(written, box.x + 8, box.y + 27, size=11, fill="faint"))
    if stack in run.firing:
        share, wide = run.firing[stack] / sizes["hidden"], 90
        left, middle = box.x + box.wide - wide - 8, box.y + box.high / 2
        marks.append(rect(left, middle + 3, wide, 6, "panel"))
        marks.append(rect(left, middle + 3, wide * share, 6, "mark"))
        words = say("home.firing", share=percent(share, 0))
        marks.append(
            text(words, left + wide, middle - 2, size=11, anchor="end", fill="faint", name=f"firing.{stack}")
        )
    return marks


def stripe(run: Run, name: str, box: Box, tip: str, pick: str) -> list[Mark]:
    """Some numbers of each token's vector: one column a token."""
    marks = [box.drawn(pick, tip)]
    vectors = run.vectors.get(name)
    if vectors is not None:
        # The later waves of a positional encoding are too long to turn within a sentence.
        numbers = stripes(vectors, 0.25 if name.endswith("positions") else 1)
        most = float(np.quantile(abs(numbers), 0.98)) or 1.0  # one loud dimension must not silence the rest
        place = (box.x + 1, box.y + 1, box.wide - 2, box.high - 2)
        marks.append(small_map(numbers, *place, least=-most, most=most, name=f"stripe.{name}"))
    return marks


def softmax(run: Run, box: Box, say: Say) -> list[Mark]:
    """The likeliest tokens of this row; what was written stands out."""
    marks = [box.drawn("softmax", told(run, "softmax", "decoder", say))]
    marks.append(text(say("home.softmax"), box.x + 8, box.y + 17, size=12.5, bold=True))
    size = say("home.vocabulary", vocabulary=count(run.config.vocabulary))
    marks.append(text(size, box.x + 8, box.y + 32, size=11, fill="faint"))
    left = box.x + box.wide * 0.55
    room = box.x + box.wide - left - 48
    for place, (word, chance, written) in enumerate(run.candidates):
        y, fill = box.y + 6 + place * BAR, "mark" if written else "faint"
        marks.append(
            text(
                fitting(word, 100, 12),
                left - 6,
                y + 12,
                anchor="end",
                bold=written,
                name=f"candidate.{place}",
            )
        )
        marks.append(rect(left, y + 3, max(room * chance, 0.75), BAR - 6, fill))
        at = box.x + box.wide - 8
        marks.append(text(fixed(chance), at, y + 12, size=11, anchor="end", name=f"chance.{place}"))
    return marks
