"""The paper's table 1 with numbers in it: each kind of layer, and a bar for each of its three costs."""

from typing import NamedTuple

from viz.figures.drawing import Drawing, Mark, rect, text
from viz.figures.numbers import count
from viz.figures.svg import fitting
from viz.pages.why.figures.cost import NARROW, WIDE, Say
from viz.pages.why.formulas.cost import order
from viz.pages.why.numbers.cost import COLUMNS, ROWS, Sizes, cost


class Sheet(NamedTuple):
    """Where the three costs of a row begin, and how wide they are; on a telephone they are below its name."""

    wide: float
    starts: tuple[float, ...]
    widths: tuple[float, ...]
    row: float  # pixels from row to row
    down: float  # from the top of a row to its costs


SCREEN = Sheet(WIDE, (310, 640, 880), (280, 190, 230), 46, 0)
TELEPHONE = Sheet(NARROW, (8, 190, 272), (160, 66, 80), 66, 20)
HEAD = 30  # pixels that the columns' names take


def table(sizes: Sizes, chosen: str, say: Say) -> Drawing:
    """Bars of a column are to scale; the row whose formula is written out is framed."""
    wide, narrow = (_sheet(sheet, sizes, chosen, say) for sheet in (SCREEN, TELEPHONE))
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow=narrow)


def _sheet(sheet: Sheet, sizes: Sizes, chosen: str, say: Say) -> Drawing:
    marks = _heads(sheet, say)
    most = [max(cost(row, sizes)[column] for row in ROWS) for column in range(3)]
    for place, row in enumerate(ROWS):
        y = HEAD + place * sheet.row
        marks.append(_frame(sheet, row, y, sizes, row == chosen, say))
        name = say(f"why.cost.{row}")
        marks.append(text(name, 10, y + 20, size=13, bold=row == chosen, name=f"name.{row}"))
        if not sheet.down:
            note = fitting(say(f"why.cost.{row}.note"), sheet.starts[0] - 20, 10.5)
            marks.append(text(note, 10, y + 36, size=10.5, fill="faint"))
        for column in range(3):
            marks += _cell(sheet, row, column, y + sheet.down, sizes, most[column], row == chosen)
    return Drawing(sheet.wide, HEAD + len(ROWS) * sheet.row + 4, say("why.cost.table.title"), tuple(marks))


def _heads(sheet: Sheet, say: Say) -> list[Mark]:
    length = "named" if sheet.down else "head"
    return [
        text(say(f"why.cost.{column}.{length}"), x, 18, size=11.5, fill="faint")
        for column, x in zip(COLUMNS, sheet.starts, strict=True)
    ]


def _frame(sheet: Sheet, row: str, y: float, sizes: Sizes, on: bool, say: Say) -> Mark:
    """The whole row can be picked; arrow keys lead up and down."""
    place, found = ROWS.index(row), cost(row, sizes)
    numbers = {name: count(value) for name, value in zip(COLUMNS, found, strict=True)}
    moves = {"ArrowUp": ROWS[max(0, place - 1)], "ArrowDown": ROWS[min(len(ROWS) - 1, place + 1)]}
    return rect(
        1, y + 1, sheet.wide - 2, sheet.row - 2, "panel" if on else "none", stroke="none", round=5, on=on,
        pick=row, moves=moves, name=f"row.{row}",
        tip=say("why.cost.row.tip", row=say(f"why.cost.{row}"), note=say(f"why.cost.{row}.note"), **numbers),
    )  # fmt: skip


def _cell(
    sheet: Sheet, row: str, column: int, y: float, sizes: Sizes, most: int, on: bool
) -> list[Mark]:  # fmt: skip
    x, wide, value = sheet.starts[column], sheet.widths[column], cost(row, sizes)[column]
    name = f"{COLUMNS[column]}.{row}"
    number = text(count(value), x + wide, y + 20, size=12, anchor="end", bold=on, name=f"{name}.number")
    marks = [number, rect(x, y + 27, max(1.0, wide * value / most), 8, "mark" if on else "faint", kin=name)]
    if sheet.widths[column] > 7 * len(order(row, column)) + 8 * len(count(value)):
        marks.append(text(order(row, column), x, y + 20, size=13))
    return marks
