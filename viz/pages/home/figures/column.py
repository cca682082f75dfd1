"""One stack of figure 1 from its tokens up: embedding, positions, and N × the boxes of a layer."""

from collections.abc import Mapping
from math import sqrt
from typing import NamedTuple

from model.inspect.sublayers import PARTS
from viz.figures.drawing import Mark, circle, line, rect, text
from viz.figures.numbers import count, fixed
from viz.pages.home.figures import boxes
from viz.pages.home.figures.boxes import Box
from viz.pages.home.figures.tokens import Places, tokens
from viz.pages.home.figures.told import told
from viz.pages.home.numbers import Run, Say

NORM, FEED_FORWARD, STRIPE = 20, 34, 18  # heights of boxes
FORK, GAP, ROOF = 12, 6, 6  # under a sublayer, between it and its norm, above the last
INSET, SIDE = 24, 11  # of the boxes in their frame, and of the way around them
ROOMY = 400  # a column so wide has room for longer labels
MOMENTS = {"encoder": "sentence", "decoder": "word"}  # what has changed when something flows up here


class Drawn(NamedTuple):
    """A stack, where it ends, and where the encoder's output comes in."""

    marks: list[Mark]
    top: float
    cross: float
    turn: int  # whose turn it is to flow next


class About(NamedTuple):
    """What is drawn, and in whose words."""

    run: Run
    whose: Mapping[str, str]  # by kind, which heads a small map shows
    kind: str  # the one that other pages show
    say: Say


class Column:
    """Drawn from `bottom` up, between `x` and `x + wide`."""

    def __init__(
        self, about: About, stack: str, *, x: float, wide: float, attention: float, turn: int = 0
    ) -> None:
        self.run, self.whose, self.kind, self.say = about
        self.stack = stack
        self.x, self.wide, self.middle, self.turn = x, wide, x + wide / 2, turn
        self.highs = {"attention": attention, "cross": attention, "feed_forward": FEED_FORWARD}
        self.places = Places(x, wide, len(self.run.tokens[stack]))
        self.marks: list[Mark] = []
        self.cross = 0.0
        # The way around a sublayer runs on the outer side, as in the paper.
        self.around = x + SIDE if stack == "encoder" else x + wide - SIDE

    def draw(self, bottom: float) -> Drawn:
        y = self._tokens(bottom)
        y = self._embedding(y)
        y = self._positions(y)
        return Drawn(self.marks, self._layer(y), self.cross, self.turn)

    def flow(self, *points: tuple[float, float], later: bool = True) -> None:
        """An arrow along which something moves; `later` lines wait for this one."""
        turn = (MOMENTS[self.stack], self.turn)
        self.marks.append(line(points, "faint", arrow=True, flow=turn))
        self.turn += later

    def _tokens(self, y: float) -> float:
        self._write(f"home.{self.stack}.tokens", y - 3, str(self.places.count))
        y -= 15 + self.places.high
        self.marks += tokens(self.run, self.stack, self.places, y, self.say)
        return y

    def _write(
        self,
        key: str,
        y: float,
        right: str = "",
    ) -> None:
        """What a row is called, and what shape it has."""
        self.marks.append(text(self.say(key), self.x, y, size=11, fill="faint"))
        if right:
            self.marks.append(text(right, self.x + self.wide, y, size=11, anchor="end", fill="faint"))

    def _embedding(self, y: float) -> float:
        self.flow((self.middle, y), (self.middle, y - 8))
        y -= 8 + STRIPE
        box = Box(self.places.left, y, self.places.slot * self.places.count, STRIPE)
        tip = told(self.run, "embedding", self.stack, self.say)
        self.marks += boxes.stripe(self.run, f"{self.stack}.tokens", box, tip, f"embedding.{self.stack}")
        width = self.run.config.width
        scale = fixed(sqrt(width), 0 if sqrt(width).is_integer() else 1)
        shape = f"{self.places.count} × {count(width)}"
        key = "home.embedding" if self.run.config.scaled else "home.embedding.plain"
        label = self.say(key, width=count(width), scale=scale)
        right, look = self.x + self.wide, {"size": 11, "fill": "faint"}
        if self.wide > ROOMY:
            label = f"{label} · {shape}"
        self.marks.append(text(label, right, y - 4, anchor="end", **look))
        return y - 3

    def _positions(self, y: float) -> float:
        """Added from the side; positions that turn queries and keys, or none, are only named."""
        added, tip = self.run.config.positions, told(self.run, "positions", self.stack, self.say)
        self.flow((self.middle, y), (self.middle, y - 9))
        if added in ("rotary", "none"):
            y -= 22
            self._write(f"home.positions.{added}", y + 12)
            return y
        y -= 9
        box = Box(self.x, y - STRIPE + 1, self.wide * 0.32, STRIPE)
        self.marks += boxes.stripe(self.run, f"{self.stack}.positions", box, tip, f"positions.{self.stack}")
        plus = y - STRIPE / 2 + 1
        name = self.say("home.positions")
        self.marks.append(text(name, self.middle + 14, plus + 4, size=11, fill="faint"))
        self.flow((box.x + box.wide, plus), (self.middle - 8, plus), later=False)
        self.marks.append(circle(self.middle, plus, 8, "paper", stroke="faint"))
        self.marks.append(text("+", self.middle, plus + 4.5, size=13, anchor="middle"))
        return plus - 8

    def _layer(self, y: float) -> float:
        """One layer in its frame: all N have the same boxes."""
        parts = list(PARTS[self.stack])
        high = sum(FORK + self.highs[part] + GAP + NORM for part in parts) + ROOF
        start, y = y, y - 10
        frame = rect(self.x, y - high, self.wide, high, "none", stroke="line", round=10)
        self.marks.append(frame)
        at = self.x - 8 if self.stack == "encoder" else self.x + self.wide + 17
        times = self.say("home.times", layers=self.run.config.depth(self.stack))
        self.marks.append(text(times, at, y - high / 2, size=15, anchor="middle", bold=True, turn=-90))
        for part in parts:
            y = self._sublayer(part, start, y)
            start = y
        return y - ROOF

    def _sublayer(self, part: str, start: float, y: float) -> float:
        """The way in, the box, the way around it, and the norm where both meet."""
        box = Box(self.x + INSET, y - FORK - self.highs[part], self.wide - 2 * INSET, self.highs[part])
        fork = y - FORK / 2
        below = box.y + box.high
        self.flow((self.middle, start), (self.middle, below), later=False)
        if part == "attention":  # queries, keys and values are made of the same stream
            for side in (-34, 34):
                self.flow(
                    (self.middle, fork), (self.middle + side, fork), (self.middle + side, below), later=False
                )
        top = box.y - GAP - NORM
        into = box.x if self.stack == "encoder" else box.x + box.wide
        level = top + NORM / 2
        self.flow((self.middle, fork), (self.around, fork), (self.around, level), (into, level))
        self.marks += self._inside(part, box)
        self.flow((self.middle, box.y), (self.middle, box.y - GAP))
        above = Box(box.x, top, box.wide, NORM)
        self.marks += boxes.norm(self.run, self.stack, part, above, self.say)
        return top

    def _inside(self, part: str, box: Box) -> list[Mark]:
        if part == "feed_forward":
            return boxes.feed_forward(self.run, self.stack, box, self.say)
        kind = "cross" if part == "cross" else self.stack
        if kind == "cross":
            self.cross = box.y + box.high / 2
        return boxes.attention(self.run, kind, box, self.whose[kind], kind == self.kind, self.say)
