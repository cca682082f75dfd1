"""The architecture of an encoder–decoder Transformer for one sentence; every sublayer can be picked."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import fixed

Say = Callable[..., str]
Place = tuple[str, int, str]  # stack, layer, part

WIDE = 400
BOX = 118  # width of a box
GAP = 15  # between layers, where the shape is written
LEFT = {"encoder": 2, "decoder": 208}  # where each stack's boxes begin
RAIL = 196  # the way of the encoder's output up and down to every cross-attention
FILLS = {"attention": "series:0", "cross": "series:2", "feed_forward": "series:1"}


class Shape(NamedTuple):
    """All that decides how large the tensors are."""

    layers: int
    source: int  # pieces
    target: int
    width: int
    hidden: int
    heads: int
    vocabulary: int
    decoder_layers: int | None = None  # where there are not as many as in the encoder

    def depth(self, stack: str) -> int:
        return self.layers if stack == "encoder" or self.decoder_layers is None else self.decoder_layers


def name(place: Place) -> str:
    """What a sublayer is called in a drawing.

    >>> name(("encoder", 0, "attention"))
    'encoder.0.attention'
    """
    return ".".join(map(str, place))


def sizes(*numbers: int) -> str:
    """A tensor's shape as it is written: (12) or (12, 256)."""
    return f"({', '.join(map(str, numbers))})"


def architecture(
    shape: Shape, parts: Mapping[str, tuple[str, ...]], chosen: Place, lengths: Mapping[str, float], say: Say
) -> Drawing:
    """`parts` of each stack in their order; `lengths` of the chosen token's stream by `name` of the
    sublayer, and "embedding"; empty where they were not kept."""
    stacks = {stack: _Stack(stack, shape, parts[stack], chosen, lengths, say) for stack in parts}
    high = max(stacks["encoder"].high + 16, stacks["decoder"].high + 44)
    marks: list[Mark] = []
    ends = {}
    for stack, made in stacks.items():
        drawn, ends[stack] = made.draw()
        marks += drawn
    marks += _rail(ends["encoder"], stacks["decoder"].crosses)
    marks += _output(ends["decoder"], shape, say)
    if lengths:
        marks += [text(words, 2, high - 18 + 14 * place, size=11, fill="faint")
                  for place, words in enumerate(say("diagram.lengths").split("\n"))]  # fmt: skip
    return Drawing(WIDE, high, say("diagram.title"), tuple(marks))


class _Stack:
    """One column of boxes, from the embedding down: the first layer on top, as in every picture of layers."""

    def __init__(
        self, stack: str, shape: Shape, parts: tuple[str, ...], chosen: Place,
        lengths: Mapping[str, float], say: Say,
    ) -> None:  # fmt: skip
        self.stack, self.shape, self.parts, self.chosen, self.say = stack, shape, parts, chosen, say
        self.lengths = lengths if stack == chosen[0] else {}
        self.left, self.positions = LEFT[stack], shape.source if stack == "encoder" else shape.target
        self.step = 20 if max(map(shape.depth, LEFT)) <= 4 else 18
        self.high = 30 + self.step + shape.depth(stack) * (len(parts) * self.step + GAP)
        self.crosses: list[float] = []  # the height of every cross-attention

    def draw(self) -> tuple[list[Mark], float]:
        """The marks, and where the stack ends."""
        y, middle, shape = 12.0, self.left + BOX / 2, self.shape
        marks = [
            text(
                f"{self.say(f'diagram.{self.stack}.ids')} {sizes(self.positions)}",
                middle,
                y,
                size=11,
                anchor="middle",
            )
        ]
        y += 6
        tip = f"{sizes(self.positions)} → {sizes(self.positions, shape.width)}"
        more = {"tip": tip, "name": f"{self.stack}.embedding"}
        marks += self._box(y, self.say("diagram.embedding"), "panel", "embedding", more)
        y += self.step - 3
        for layer in range(shape.depth(self.stack)):
            y = self._between(marks, y, self.say("diagram.layer", layer=layer + 1))
            for part in self.parts:
                place = (self.stack, layer, part)
                if part == "cross":
                    self.crosses.append(y + self.step / 2 - 1.5)
                about: dict[str, Any] = {"tip": self._tip(place), "name": name(place)}
                about |= {"pick": list(place), "on": place == self.chosen}
                marks += self._box(y, self.say(f"sublayer.{part}"), FILLS[part], name(place), about)
                y += self.step
        return marks, self._between(marks, y - 3, "")

    def _box(self, y: float, label: str, fill: str, length: str, more: dict) -> list[Mark]:
        """A box, its label, and how long the token's vector is behind it."""
        high = self.step - 3
        marks = [rect(self.left, y, BOX, high, "panel", stroke="line", round=4, **more)]
        if fill != "panel":
            marks.append(rect(self.left + 3, y + 3, 4, high - 6, fill))
        marks.append(text(label, self.left + 12, y + high * 0.5 + 4, size=11.5, bold=bool(more.get("on"))))
        if length in self.lengths:
            most, value = max(self.lengths.values()), self.lengths[length]
            at = self.left + BOX + 4
            marks.append(rect(at, y + high * 0.5 - 3, max(1, 30 * value / max(most, 1e-9)), 6, "mark"))
            marks.append(text(fixed(value, 1), at + 34, y + high * 0.5 + 4, size=11, name=f"length.{length}"))
        return marks

    def _between(self, marks: list[Mark], y: float, label: str) -> float:
        """The arrow to the next box, with the shape of what passes."""
        middle = self.left + 54
        marks.append(line([(middle, y), (middle, y + GAP)], "faint", arrow=True))
        marks.append(text(label, self.left + 4, y + GAP - 3, size=11, fill="faint"))
        shape = sizes(self.positions, self.shape.width)
        marks.append(text(shape, self.left + BOX, y + GAP - 3, size=11, anchor="end"))
        return y + GAP

    def _tip(self, place: Place) -> str:
        shape, (_, layer, part) = self.shape, place
        outside = sizes(self.positions, shape.width)
        keys = shape.source if part == "cross" else self.positions
        inside = (
            sizes(self.positions, shape.hidden)
            if part == "feed_forward"
            else sizes(shape.heads, self.positions, keys)
        )
        said = self.say("sublayer.named", layer=layer + 1, part=self.say(f"sublayer.{part}"))
        return f"{said}: {outside} → {inside} → {outside}"


def _rail(end: float, crosses: list[float]) -> list[Mark]:
    """From the encoder's end to every cross-attention."""
    middle, turn, right = LEFT["encoder"] + 54, end + 10, LEFT["decoder"]
    ends = [min(turn, *crosses), max(turn, *crosses)]
    marks = [line([(middle, end), (middle, turn), (RAIL, turn)], "mark", thick=1.5)]
    marks.append(line([(RAIL, ends[0]), (RAIL, ends[1])], "mark", thick=1.5))
    return marks + [line([(RAIL, y), (right, y)], "mark", thick=1.5, arrow=True) for y in crosses]


def _output(end: float, shape: Shape, say: Say) -> list[Mark]:
    """The last two boxes: what turns the stream into probabilities."""
    left, sized = LEFT["decoder"], sizes(shape.target, shape.vocabulary)
    marks = []
    for y, box in ((end, "linear"), (end + 20, "softmax")):
        words = {"linear": f"{sizes(shape.target, shape.width)} → {sized}", "softmax": f"{sized} → {sized}"}
        marks.append(rect(left, y, BOX, 19, "panel", stroke="line", round=4, tip=words[box], name=box))
        marks.append(text(say(f"diagram.{box}"), left + 12, y + 13.5, size=11.5))
    marks.append(text(sized, left + BOX + 6, end + 33.5, size=11))
    return marks
