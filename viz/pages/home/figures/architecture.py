"""Figure 1 of the paper on one sentence: encoder and decoder side by side, or stacked on a telephone."""

from collections.abc import Mapping

from model.network.kinds import STACKS
from viz.figures.drawing import Drawing, Mark, line, moved, text
from viz.figures.numbers import count, fixed
from viz.figures.svg import fitting, width
from viz.pages.home.figures import boxes
from viz.pages.home.figures.boxes import Box, chip
from viz.pages.home.figures.column import INSET, About, Column, Drawn
from viz.pages.home.figures.told import told
from viz.pages.home.numbers import CANDIDATES, Run, Say

Sheet = tuple[float, float, str, tuple[Mark, ...]]  # width, height, title and marks

WIDE, COLUMN, GUTTER, EDGE = 1240, 556, 84, 22  # the sheet, a stack, the space between both, and outside
NARROW = 360
LINEAR, SOFTMAX, WORD = 22, 12 + CANDIDATES * boxes.BAR, 26  # heights of what stands above the decoder
PANEL = 128  # of the controls
BESIDE, ALONE, STACKED = 72, 150, 108  # heights of a box of attention: the encoder has but one


def architecture(run: Run, whose: Mapping[str, str], kind: str, sentence: str, say: Say) -> Drawing:
    """`whose` says by kind which heads a small map shows; `kind` is the one that other pages show."""
    about = About(run, whose, kind, say)
    return Drawing(
        *_wide(about),
        moments={"sentence": sentence, "word": f"{run.row} {sentence}"},
        narrow=Drawing(*_narrow(about)),
    )


def _wide(about: About) -> Sheet:
    run, say = about.run, about.say
    encoder = Column(about, "encoder", x=EDGE, wide=COLUMN, attention=ALONE).draw(0)
    right = EDGE + COLUMN + GUTTER
    decoder = Column(about, "decoder", x=right, wide=COLUMN, attention=BESIDE, turn=encoder.turn).draw(0)
    output, top = _output(run, right, COLUMN, decoder, say)
    middle, down = EDGE + COLUMN / 2, encoder.top - 16
    between = right - GUTTER / 2
    memory = [(middle, encoder.top), (middle, down), (between, down), (between, decoder.cross),
              (right + INSET, decoder.cross)]  # fmt: skip
    marks = [*encoder.marks, *decoder.marks, *output, *_memory(memory, encoder.turn, say)]
    marks += _panel(run, EDGE, top + 8, COLUMN, say)
    return _sheet(WIDE, top, marks, say)


def _narrow(about: About) -> Sheet:
    run, say, wide = about.run, about.say, NARROW - 2 * EDGE
    encoder = Column(about, "encoder", x=EDGE, wide=wide, attention=STACKED).draw(0)
    above = Column(about, "decoder", x=EDGE, wide=wide, attention=STACKED, turn=encoder.turn)
    decoder = above.draw(encoder.top - 30)
    output, top = _output(run, EDGE, wide, decoder, say)
    middle, down = NARROW / 2, encoder.top - 14
    memory = [
        (middle, encoder.top),
        (middle, down),
        (5, down),
        (5, decoder.cross),
        (EDGE + INSET, decoder.cross),
    ]
    marks = [*encoder.marks, *decoder.marks, *output, *_memory(memory, encoder.turn, say)]
    panel = _panel(run, 4, top - PANEL - 52, NARROW - 8, say)
    return _sheet(NARROW, top - PANEL - 56, [*marks, *panel], say)


def _sheet(wide: float, top: float, marks: list[Mark], say: Say) -> Sheet:
    return wide, 4 - top, say("home.alt"), tuple(moved(marks, 0, 4 - top))


def _memory(points: list[tuple[float, float]], turn: int, say: Say) -> list[Mark]:
    """What the encoder hands over: keys and values for every layer of the decoder."""
    (x, _), (_, y) = points[-2], points[-1]
    return [
        line(points, "mark", thick=2, arrow=True, flow=("sentence", turn)),
        text(say("home.memory"), x + 6, y - 6, size=11, bold=True),
    ]


def _output(run: Run, x: float, wide: float, decoder: Drawn, say: Say) -> tuple[list[Mark], float]:
    """From the decoder's last layer to the next word."""
    left, broad, middle, turn = x + INSET, wide - 2 * INSET, x + wide / 2, decoder.turn
    linear = Box(left, decoder.top - 12 - LINEAR, broad, LINEAR)
    softmax = Box(left, linear.y - 8 - SOFTMAX, broad, SOFTMAX)
    ways = [(decoder.top, linear.y + LINEAR), (linear.y, softmax.y + SOFTMAX), (softmax.y, softmax.y - 10)]
    marks = [
        line([(middle, start), (middle, end)], "faint", arrow=True, flow=("word", turn + place))
        for place, (start, end) in enumerate(ways)
    ]
    marks.append(linear.drawn("linear", told(run, "linear", "decoder", say)))
    marks.append(text(say("home.linear"), left + 8, linear.y + 15, size=12.5, bold=True))
    sizes = f"{count(run.config.width)} → {count(run.config.vocabulary)}"
    marks.append(text(sizes, left + broad - 8, linear.y + 15, size=11, anchor="end", fill="faint"))
    marks += boxes.softmax(run, softmax, say)
    top = softmax.y - WORD
    said = say("home.writes", word=run.writing, chance=fixed(float(run.chances[run.row])))
    marks.append(text(said, middle, top + 14, size=15, anchor="middle", bold=True, name="writes"))
    return marks, top


def _panel(run: Run, x: float, y: float, wide: float, say: Say) -> list[Mark]:
    """Which word is being written, which layer is shown, and the ways to what is behind the picture."""
    words = {"number": run.row + 1, "words": len(run.writes), "read": run.tokens["decoder"][run.row]}
    said = fitting(say("home.now", **words), wide, 13)
    marks = [text(said, x, y + 14, size=14, bold=True, name="now")]
    at, down = x, y + 28
    for step in (-1, 1):
        name = "before" if step < 0 else "after"
        made, at = chip(say(f"home.{name}"), at, down, f"step.{name}", say("home.step.told"))
        marks += made
    down += 34
    label = say("home.layer")
    marks.append(text(label, x, down + 14, size=12))
    at = x + width(label, 12, None) + 8
    layers = max(map(run.config.depth, STACKS))
    for layer in range(layers):
        tip = say("home.layer.told", layer=layer + 1, layers=layers)
        made, at = chip(str(layer + 1), at, down, f"layer.{layer}", tip, on=layer == run.layer)
        marks += made
    down, at = down + 34, x
    for way in ("training", "why", "atlas", "experiment"):
        label = say(f"home.go.{way}")
        if at > x and at + width(label, 11, None) + 14 > x + wide:
            down, at = down + 26, x
        made, at = chip(label, at, down, f"go.{way}", say(f"home.go.{way}.told"))
        marks += made
    return marks
