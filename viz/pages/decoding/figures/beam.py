"""The tree of a beam search: a column for every step, a line as thick as its token is likely."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.numbers import fixed, signed
from viz.figures.svg import fitting, width
from viz.pages.decoding.numbers.beam import ROOT, Ranked, Tree
from viz.pages.decoding.numbers.beam_rows import Rows, neighbours, window

Say = Callable[..., str]

COLUMNS, NARROW_COLUMNS = 12, 4  # steps on one sheet
LEFT, RIGHT, TOP, FOOT = 20, 22, 20, 18
CROWD = 8  # rows; more stand closer together
CROSS, RANK = 11, 15  # pixels of a cross, and of the rank of a translation
LETTERS, LETTER_WIDE = 12, 10.8  # French is narrower than what `fitting` fears


@dataclass(frozen=True)
class Sheet:
    """How much room there is."""

    columns: int
    pitch: float  # from step to step
    gap: float  # of it, for lines
    row: float  # from row to row

    @property
    def chip(self) -> float:
        """How high the box of a token is."""
        return self.row - 6


@dataclass(frozen=True)
class Shown:
    """A tree with all that is said of it."""

    tree: Tree
    placed: Rows
    words: Sequence[str]  # of every node
    ranked: Sequence[Ranked]
    chosen: int
    say: Say

    @property
    def winner(self) -> frozenset[int]:
        return frozenset(self.tree.path(self.ranked[0].node))

    @property
    def ranks(self) -> Mapping[int, int]:
        return {each.node: place + 1 for place, each in enumerate(self.ranked)}


def tree(shown: Shown) -> Drawing:
    """All that stayed and the nearest misses; of a long translation the steps around the chosen one."""
    steps, row = len(shown.tree.steps), 28 if shown.placed.count <= CROWD else 24
    pitch = max(87.0, min(128.0, 1044 / min(steps, COLUMNS)))
    wide, narrow = (
        _sheet(shown, Sheet(columns, apart, gap, row))
        for columns, apart, gap in ((COLUMNS, pitch, 27), (NARROW_COLUMNS, 84, 22))
    )
    return Drawing(wide.wide, wide.high, wide.title, wide.marks, narrow)


def tip(shown: Shown, place: int) -> str:
    """What a node says when it is pointed at: its numbers, and why it was cut."""
    node, say = shown.tree.nodes[place], shown.say
    values = {"p": fixed(exp(node.log_prob), 4), "log": signed(node.log_prob, 4)}
    values |= {"token": shown.words[place], "total": signed(node.total, 4)}
    said = say("decoding.beam.tip", step=node.step + 1, **values)
    if cut := shown.tree.cut(place):
        worst, short = signed(cut.worst, 4), fixed(cut.short, 4)
        return f"{said} · {say('decoding.beam.tip.cut', worst=worst, short=short)}"
    return said


def _sheet(shown: Shown, sheet: Sheet) -> Drawing:
    tree, say, winner = shown.tree, shown.say, shown.winner
    steps = window(tree.nodes[shown.chosen].step, len(tree.steps), sheet.columns)
    wide = LEFT + len(steps) * sheet.pitch + RIGHT
    high = TOP + shown.placed.count * sheet.row + FOOT
    edges: list[Mark] = []
    nodes: list[Mark] = []
    if len(steps) < len(tree.steps):  # the number over the last column says how many steps there are in all
        x, count = LEFT + len(steps) * sheet.pitch, say("decoding.beam.window", count=len(tree.steps))
        nodes.append(text(count, x, TOP - 6, size=11, anchor="end", fill="faint", name="window"))
    for column, step in enumerate(steps):
        x = LEFT + column * sheet.pitch
        nodes += _heading(shown, step, x + sheet.gap, sheet, high)
        # What won lies on top: its line is the last.
        for place in sorted(shown.placed.columns[step], key=lambda each: (each in winner, -each)):
            edges.append(_edge(shown, place, x, sheet))
            nodes += _chip(shown, place, x + sheet.gap, sheet)
    if steps.start == 0:
        y = _y(shown, ROOT, sheet)
        nodes.append(rect(LEFT - 5, y - 5, 10, 10, "ink", round=5, name="root", tip=say("piece.start")))
    title = say("decoding.beam.tree", size=len(shown.ranked))
    return Drawing(wide, high, title, (*edges, *nodes))


def _heading(shown: Shown, step: int, x: float, sheet: Sheet, high: float) -> list[Mark]:
    """The number of the step above its column, and below how many more were cut there."""
    hidden, tree = shown.placed.hidden[step], shown.tree
    chosen = tree.nodes[shown.chosen].step == step
    look = {"size": 11, "fill": "ink" if chosen else "faint", "bold": chosen}
    marks = [text(str(step + 1), x + 2, TOP - 6, **look)]
    if hidden:
        best = next(each for each in tree.pruned(step) if each not in shown.placed.rows)
        values = {"count": hidden, "step": step + 1, "total": signed(tree.nodes[best].total, 4)}
        said = shown.say("decoding.beam.hidden.tip", **values)
        marks.append(rect(x, high - FOOT + 1, 52, 16, "none", tip=said, name=f"hidden.{step}"))
        marks.append(text(f"+ {hidden} ✕", x + 2, high - 5, size=11, fill="faint"))
    return marks


def _edge(shown: Shown, place: int, x: float, sheet: Sheet) -> Mark:
    """From the parent to the node; of a parent that is not on the sheet only the end."""
    node = shown.tree.nodes[place]
    cut = CROSS if node.fate == "pruned" else 0  # there stands the cross
    ends = (x, _y(shown, node.parent, sheet)), (x + sheet.gap - cut, _y(shown, place, sheet))
    stroke = "mark" if place in shown.winner else "line" if node.fate == "pruned" else "ink"
    return line(ends, stroke, thick=round(0.75 + 5 * exp(node.log_prob), 2), name=f"edge.{place}")


def _chip(shown: Shown, place: int, x: float, sheet: Sheet) -> list[Mark]:
    """A token in its box; before it a cross where it was cut, behind it the rank of what ends there."""
    node, room = shown.tree.nodes[place], sheet.pitch - sheet.gap
    y, cut, won = _y(shown, place, sheet), node.fate == "pruned", place in shown.winner
    stroke, fill = "mark" if won else "none" if cut else "faint", "faint" if cut else "ink"
    size = {"x": x, "y": y - sheet.chip / 2, "wide": room, "high": sheet.chip, "round": 4}
    box = rect(
        **size, fill="paper", stroke=stroke, pick=place, on=place == shown.chosen,
        tip=tip(shown, place), name=f"node.{place}", moves=neighbours(shown.tree, shown.placed, place),
    )  # fmt: skip
    taken = RANK if place in shown.ranks else 0
    label = fitting(shown.words[place], room - 8 - taken, LETTER_WIDE * (1.1 if won else 1))
    tight = width(label, LETTERS) > 0.8 * (room - taken)
    letters = LETTERS - 1 if won and tight else LETTERS  # bold words run wider
    word = text(label, x + 4, y + 4.5, size=letters, bold=won, fill=fill, kin=f"word.{place}")
    made = [box, word]
    sign = {"fill": fill, "kin": f"sign.{place}"}
    if cut:  # where its line ends: behind the word the next ones begin
        ground = rect(x - CROSS, y - 6, CROSS - 1, 12, "paper", round=4)  # lines that pass leave it free
        made = [ground, *made, text("✕", x - CROSS + 1, y + 3.5, size=9, **sign)]
    elif place in shown.ranks:
        rank = f"#{shown.ranks[place]}"
        made.append(text(rank, x + room - 3, y + 4, size=10, anchor="end", bold=won, **sign))
    return made


def _y(shown: Shown, place: int, sheet: Sheet) -> float:
    return TOP + (shown.placed.rows[place] + 0.5) * sheet.row
