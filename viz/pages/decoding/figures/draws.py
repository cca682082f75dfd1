"""Drawn translations as a tree from left to right: branches as thick as they were frequent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from viz.figures.drawing import Drawing, Mark, line, rect, text
from viz.figures.labels import JOINT, SPACE, SPECIAL, join, readable
from viz.figures.numbers import signed
from viz.figures.svg import fitting, width
from viz.pages.decoding.numbers.draws import Branch, Ids

Say = Callable[..., str]

WIDE, NARROW = 1180, 356
HIGH, LETTER = 22, 12
GAPS = (110, 90, 70, 55, 42)  # pixels between a branch and those that go on from it
INDENT = 12  # pixels of a level on a telephone
THICKEST = 12
RUNNING, BEHIND = 0.95, 6  # words in a row run narrower than single letters do; pixels behind them
LOG_WIDE = 46  # pixels of a log-probability behind a translation
ROOMS = (900, 640, 500, 420, 320, 240, 180, 140, 105, 80, 60, 44)  # pixels of a label; as many as fit


@dataclass(frozen=True)
class Placed:
    """A branch, or those that are folded into one row, on the sheet."""

    branch: Branch
    folded: bool
    name: str
    level: int
    row: float
    parent: "Placed | None"


def tree(root: Branch, greedy: Ids, picks: Sequence[Ids], say: Say) -> Drawing:
    """Every branch with its count; a translation can be picked by its place in `picks`."""
    placed = _place(root)
    wide = _wide(placed, greedy, picks, say)
    return replace(wide, narrow=_narrow(placed, greedy, picks, say))


def label(branch: Branch, say: Say) -> str:
    """The tokens of a branch as running text; one that goes on with a word begins with a joint."""
    pieces = list(branch.pieces)
    if len(pieces) > 1 and pieces[-1] in SPECIAL:
        pieces.pop()  # that a translation ends, its leaf shows
    if not pieces:
        return say("piece.start")
    if pieces[0] in SPECIAL:
        return readable(pieces[0], say)
    words = " ".join(join(pieces, say).split())
    glued = not pieces[0].startswith(SPACE) and words[:1].isalnum() and branch.start > 0
    return JOINT + words if glued else words


def _place(root: Branch) -> list[Placed]:
    """Rows from top to bottom; a branch stands in the row of its most frequent continuation."""
    placed: list[Placed] = []
    rows = iter(range(10_000))

    def visit(branch: Branch, level: int, parent: Placed | None, row: int) -> None:
        if not branch.children and branch.folded:  # nothing parts from what is folded: one row says both
            placed.append(Placed(branch, True, f"folded.{len(placed)}", level, row, parent))
            return
        here = Placed(branch, False, f"branch.{len(placed)}", level, row, parent)
        placed.append(here)
        for place, child in enumerate(branch.children):
            visit(child, level + 1, here, row if place == 0 else next(rows))
        if branch.folded:
            placed.append(Placed(branch, True, f"folded.{len(placed)}", level + 1, next(rows), here))

    visit(root, 0, None, next(rows))
    return placed


def _wide(placed: Sequence[Placed], greedy: Ids, picks: Sequence[Ids], say: Say) -> Drawing:
    for room in ROOMS:
        words = {each.name: _words(each, room, say) for each in placed}
        # What is left of the sheet goes into the bends.
        fits = [gap for gap in GAPS if max(_columns(placed, words, gap)[1].values()) <= WIDE]
        if fits:
            break
    starts, ends = _columns(placed, words, fits[0] if fits else GAPS[-1])
    marks: list[Mark] = []
    for each in placed:
        y = HIGH * (each.row + 0.5) + 4
        if each.parent is not None:
            begin = ends[each.parent.name] + 3, HIGH * (each.parent.row + 0.5) + 4
            thick = max(1.0, THICKEST * _count(each) / _count(placed[0]))
            marks.append(_link(begin, (starts[each.name] - 5, y), _ink(each, greedy), thick))
    for each in placed:
        x, y = starts[each.name], HIGH * (each.row + 0.5) + 4
        marks += _label(each, words[each.name], x, y, ends[each.name] - x, greedy, picks, say)
    high = HIGH * (max(each.row for each in placed) + 1) + 8
    return Drawing(WIDE, high, say("decoding.choosing.tree"), tuple(marks))


def _narrow(placed: Sequence[Placed], greedy: Ids, picks: Sequence[Ids], say: Say) -> Drawing:
    """On a telephone: one line a branch, indented under the one it goes on from."""
    marks: list[Mark] = []
    spots: dict[str, tuple[float, float]] = {}
    for row, each in enumerate(placed):
        x, y = each.level * INDENT + 6.0, HIGH * (row + 0.5) + 4
        spots[each.name] = x, y
        if each.parent is not None:
            left, top = spots[each.parent.name]
            thick = max(1.0, THICKEST / 2 * _count(each) / _count(placed[0]))
            marks.append(line([(left, top + 9), (left, y), (x - 3, y)], _ink(each, greedy), thick=thick))
    for each in placed:
        x, y = spots[each.name]
        room = NARROW - x - _number_wide(each) - (LOG_WIDE if _is_leaf(each) else 4)
        words = _words(each, room, say)
        marks += _label(each, words, x, y, NARROW - x, greedy, picks, say)
    return Drawing(NARROW, HIGH * len(placed) + 8, say("decoding.choosing.tree"), tuple(marks))


def _label(
    each: Placed, words: str, x: float, y: float, room: float, greedy: Ids, picks: Sequence[Ids], say: Say
) -> list[Mark]:
    """A count, its words, and all of it when pointed at; what ends here can be picked."""
    own, ends = _on_greedy(each, greedy), _is_leaf(each)
    more = {"pick": picks.index(each.branch.ids)} if ends else {}
    marks = [
        text(str(_count(each)), x, y + 4, size=LETTER, bold=True, fill="mark" if own else "ink",
             name=f"count.{each.name}"),
        text(words, x + _number_wide(each), y + 4, size=LETTER, name=f"words.{each.name}",
             fill="mark" if own else "faint" if each.folded else "ink"),
        rect(x - 3, y - HIGH / 2 + 1, room + 4, HIGH - 2, "none", round=4,
             stroke="mark" if own and ends else "none", tip=_tip(each, say), name=each.name, **more),
    ]  # fmt: skip
    if ends:
        log_prob = signed(each.branch.own.log_prob, 1)
        marks.append(
            text(log_prob, x + room - 3, y + 4, size=11, anchor="end", fill="faint", name=f"log.{each.name}")
        )
    return marks


def _columns(
    placed: Sequence[Placed], words: dict[str, str], gap: float
) -> tuple[dict[str, float], dict[str, float]]:
    """Where each label begins and ends: right behind the one that it goes on from."""
    starts: dict[str, float] = {}
    ends: dict[str, float] = {}
    for each in placed:
        starts[each.name] = 4.0 if each.parent is None else ends[each.parent.name] + gap
        wide = _number_wide(each) + width(words[each.name], LETTER, None) * RUNNING + BEHIND
        ends[each.name] = starts[each.name] + wide + (LOG_WIDE if _is_leaf(each) else 0)
    return starts, ends


def _link(begin: tuple[float, float], end: tuple[float, float], stroke: str, thick: float) -> Mark:
    """A soft bend from one label to the next."""
    (x0, y0), (x1, y1) = begin, end
    shares = [step / 12 for step in range(13)]
    points = [(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share**2 * (3 - 2 * share)) for share in shares]
    return line(points, stroke, thick=thick)


def _words(each: Placed, room: float, say: Say) -> str:
    """What a row says, cut to so many pixels; how many are folded is always said whole."""
    if not each.folded:
        return fitting(label(each.branch, say), room, LETTER)
    kinds = len(each.branch.folded)
    others = (
        say("decoding.choosing.folded", kinds=kinds) if kinds > 1 else say("decoding.choosing.folded.one")
    )
    if each.branch.children:
        return others
    return f"{fitting(label(each.branch, say), max(40, room - width(others, LETTER)), LETTER)} {others}"


def _is_leaf(each: Placed) -> bool:
    return each.branch.ends and not each.folded


def _count(each: Placed) -> int:
    return sum(leaf.count for leaf in each.branch.folded) if each.folded else each.branch.count


def _number_wide(each: Placed) -> float:
    return width(str(_count(each)), LETTER) + 6


def _on_greedy(each: Placed, greedy: Ids) -> bool:
    whole = not each.folded or not each.branch.children
    return whole and each.branch.ids == greedy[: each.branch.end]


def _ink(each: Placed, greedy: Ids) -> str:
    return "mark" if _on_greedy(each, greedy) else "line"


def _tip(each: Placed, say: Say) -> str:
    total, leaf = _count(each), each.branch.own
    if each.folded:
        kinds, most = len(each.branch.folded), each.branch.folded[0]
        return say("decoding.choosing.tip.folded", count=total, kinds=kinds, most=most.count, text=most.text)
    if _is_leaf(each):
        return say(
            "decoding.choosing.tip.leaf", text=leaf.text, count=total, log_prob=signed(leaf.log_prob, 4)
        )
    first = leaf.pieces[: each.branch.start + 1]
    said = " ".join(join(first, say).split()) if each.branch.end else say("piece.start")
    return say("decoding.choosing.tip.branch", count=total, text=said, words=label(each.branch, say))
