"""A beam search in sentences, each in the record's own numbers."""

from collections.abc import Sequence
from math import exp

from model.decoding.search import Hypothesis
from viz.figures.numbers import fixed, scientific, signed
from viz.pages.decoding.figures.beam import COLUMNS, Shown
from viz.pages.decoding.numbers.beam import ROOT, Ranked, Tree
from viz.pages.decoding.numbers.beam_rows import near
from viz.state.language import say

ROUNDED = 0.0005  # a probability below this would be written as none
LONG, LONGEST = 90, 110  # letters of a translation: two longer ones fill a column; the most that is quoted


def finding(tree: Tree, ranked: Sequence[Ranked], greedy: Hypothesis) -> str:
    """What the beam wrote beside what greedy decoding writes, and what became of the latter."""
    best, size = ranked[0], len(ranked)
    values = {"size": size, "written": shortened(best.text), "total": signed(best.total)}
    if size == 1:
        return say("decoding.beam.finding.one", **values)
    if tree.ids(best.node) == greedy.ids:
        return say("decoding.beam.finding.same", **values)
    other = sum(greedy.log_probs)
    values |= dict(zip(("written", "greedy"), parted(best.text, greedy.text), strict=True))
    said = say("decoding.beam.finding.other", other=signed(other), **values)
    lost = tree.follow(greedy.ids)
    if lost != ROOT and tree.nodes[lost].fate == "pruned":
        fell = say("decoding.beam.finding.lost", step=tree.nodes[lost].step + 1)
    elif best.total < other:
        fell = say("decoding.beam.finding.longer", length=best.length, other=len(greedy.ids))
    else:
        rank = next((place + 1 for place, each in enumerate(ranked) if each.node == lost), None)
        fell = say("decoding.beam.finding.rank", rank=rank) if rank else ""
    return f"{said} {fell}".strip()


def parted(one: str, other: str) -> tuple[str, str]:
    """Two translations; long ones from the word on at which they part, as far as a reader follows.

    >>> parted("Il dort bien.", "Il dort.")
    ('Il dort bien.', 'Il dort.')
    """
    alike = 0
    while alike < min(len(one), len(other)) and one[alike] == other[alike]:
        alike += 1
    begun = one[:alike].rfind(" ") + 1
    if not begun or max(len(one), len(other)) <= LONG:
        return shortened(one), shortened(other)
    return shortened(f"… {one[begun:]}"), shortened(f"… {other[begun:]}")


def shortened(words: str) -> str:
    words = words or say("piece.end")  # it ends before it has begun
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"


def node(shown: Shown, before: str) -> str:
    """The chosen node in one or two sentences: its numbers and its fate. `before` it was written."""
    tree, place = shown.tree, shown.chosen
    here = tree.nodes[place]
    end = before[-LONG:]
    before = before if len(before) <= LONG else f"… {end.partition(' ')[2] or end}"
    chance = exp(here.log_prob)
    written = fixed(chance) if chance >= ROUNDED else scientific(chance)  # many that are cut are next to none
    values = {"p": written, "log": signed(here.log_prob, 3), "total": signed(here.total, 3)}
    key = "decoding.beam.node" if here.step else "decoding.beam.node.first"
    said = say(key, step=here.step + 1, before=before, token=shown.words[place], **values)
    return f"{said} {_fate(shown)}"


def _fate(shown: Shown) -> str:
    tree, place = shown.tree, shown.chosen
    here = tree.nodes[place]
    stayed = tree.stayed(here.step)
    if cut := tree.cut(place):
        worst, short = signed(cut.worst, 3), fixed(cut.short)
        return say("decoding.beam.fate.pruned", count=len(stayed), worst=worst, short=short)
    if place in shown.ranks:
        rank = shown.ranks[place]
        score = signed(shown.ranked[rank - 1].score, 3)
        return say(f"decoding.beam.fate.{here.fate}", rank=rank, size=len(shown.ranked), score=score)
    missed = tree.nearest_miss(here.step)
    rank = stayed.index(place) + 1
    if missed is None:
        return say("decoding.beam.fate.all", count=len(stayed))
    first = tree.nodes[missed].total
    return say(
        "decoding.beam.fate.kept", rank=rank, count=len(stayed), first=signed(first, 3),
        ahead=fixed(here.total - first),
    )  # fmt: skip


def agreement(ranked: Sequence[Ranked], strength: float) -> str:
    """Whether both divisors rank alike."""
    first = next(place + 1 for place, each in enumerate(ranked) if each.plain_rank == 1)
    if len(ranked) == 1:
        how = "decoding.beam.agree.alone"
    elif all(each.plain_rank == place + 1 for place, each in enumerate(ranked)):
        how = "decoding.beam.agree"
    else:
        how = "decoding.beam.agree.below" if first == 1 else "decoding.beam.agree.not"
    return say(how, strength=f"{strength:g}", rank=first)


def explained(shown: Shown) -> str:
    """How to read the tree, and what of it is not drawn."""
    parts = [say("decoding.beam.explained")]
    if any(shown.placed.hidden):
        parts.append(say("decoding.beam.explained.hidden", near=near(len(shown.ranked))))
    if (count := len(shown.tree.steps)) > COLUMNS:
        parts.append(say("decoding.beam.explained.window", count=count))
    return " ".join(parts)


def arithmetic(best: Ranked, strength: float) -> str:
    """The score of the best in one line."""
    total, score = signed(best.total, 3), signed(best.score, 3)
    return f"{total} / ((5 + {best.length}) / 6)^{strength:g} = {total} / {fixed(best.paper)} = {score}"
