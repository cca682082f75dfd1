"""2015: the same network with one vector for the sentence, and with attention, in BLEU."""

from collections.abc import Callable

from viz.figures.charts import bars
from viz.figures.drawing import Drawing, Mark, rect, text
from viz.figures.svg import LETTER, width
from viz.pages.why.numbers.after.before import TABLE

Say = Callable[..., str]
FILLS = {"fixed": "series:3", "attention": "series:0", "phrases": "line"}
COLUMNS = ("all", "known")
MOST = 40  # BLEU at which both scales end
WIDE, NARROW, GAP, HIGH, HEAD = 1040, 350, 40, 30, 26


def scores(say: Say) -> Drawing:
    """Two charts side by side, or one below the other on a telephone."""
    half = (WIDE - GAP) / 2
    wide = [mark for place, column in enumerate(COLUMNS)
            for mark in _chart(column, place * (half + GAP), 0, half, say)]  # fmt: skip
    high = HEAD + HIGH * len(TABLE) + 4
    title = say("export.why_after_before")
    return Drawing(WIDE, high, title, tuple(wide), narrow=_narrow(title, high + 14, say))


def _narrow(title: str, high: float, say: Say) -> Drawing:
    """Bars have room for names alone: above them stands what the colours mean."""
    marks: list[Mark] = []
    for row, (way, fill) in enumerate(FILLS.items()):
        marks.append(rect(0, row * 18 + 2, 13, 13, fill, round=2))
        marks.append(text(say(f"why.after.way.{way}"), 19, row * 18 + 13))
    top = 18 * len(FILLS) + 8
    for place, column in enumerate(COLUMNS):
        marks += _chart(column, 0, top + place * high, NARROW, say)
    return Drawing(NARROW, top + len(COLUMNS) * high, title, tuple(marks))


def _chart(column: str, x: float, y: float, wide: float, say: Say) -> list[Mark]:
    labels = [say("why.after.system", name=each.name, way=say(f"why.after.way.{each.way}")) for each in TABLE]
    if wide == NARROW:
        labels = [each.name for each in TABLE]
    drawn = bars(
        [getattr(each, column) for each in TABLE], labels, x=x, y=y + HEAD, wide=wide, high=HIGH, most=MOST,
        fills=[FILLS[each.way] for each in TABLE], names=[f"{column}.{each.name}" for each in TABLE],
        label_wide=max(width(label, LETTER, None) for label in labels) + 14,
    )  # fmt: skip
    return [text(say(f"why.after.column.{column}"), x, y + 14, bold=True), *drawn]
