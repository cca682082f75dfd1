"""Changes of the model in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from model.inspect import edits as kinds
from model.inspect.edits import Edit
from viz.figures.labels import readable

if TYPE_CHECKING:
    from model import Trace

WHERE = re.compile(r"(encoder|decoder)\.layers\.(\d+|\*)\.(self_attention|cross_attention|feed_forward)")


def describe(edit: Edit, trace: Trace, say: Callable[..., str]) -> str:
    """What an edit does, short enough for a chip."""
    match edit:
        case kinds.Scale(factor=factor) if factor == 0:
            return say("edit.off", where=_where(edit.where, say), head=edit.head + 1)
        case kinds.Scale():
            return say(
                "edit.scale", where=_where(edit.where, say), head=edit.head + 1, factor=f"{edit.factor:g}"
            )
        case kinds.Replace():
            return say("edit.replace", where=_where(edit.where, say), head=edit.head + 1)
        case kinds.Uniform():
            return say("edit.uniform", where=_where(edit.where, say), head=edit.head + 1)
        case kinds.Row():
            where = _where(edit.where, say)
            return say("edit.row", where=where, head=edit.head + 1, row=edit.query + 1)
        case kinds.Cell():
            more = {"column": edit.key + 1, "weight": f"{edit.weight:g}"}
            where = _where(edit.where, say)
            return say("edit.cell", where=where, head=edit.head + 1, row=edit.query + 1, **more)
        case kinds.Hide():
            pieces = trace.source.pieces
            known = edit.position < len(pieces)
            word = readable(pieces[edit.position], say) if known else str(edit.position + 1)
            return say("edit.hide", word=word)
        case kinds.Temperature():
            return say("edit.temperature", where=_where(edit.where, say), value=f"{edit.value:g}")
        case kinds.Unscale():
            return say("edit.unscale", where=_where(edit.where, say))
        case kinds.PositionsOff():
            return say("edit.positions_off", stack=say(f"kind.{edit.stack}"))
        case kinds.PositionsShift():
            return say("edit.positions_shift", stack=say(f"kind.{edit.stack}"), by=edit.by)
        case kinds.Shuffle():
            return say("edit.shuffle", seed=edit.seed)
        case kinds.LiftMask():
            return say("edit.lift_mask")
        case kinds.Skip():
            return say(f"edit.skip.{edit.part}", where=_where(edit.where, say))
        case kinds.CopyHead():
            return say("edit.copy_head", where=_where(edit.where, say), head=edit.head + 1, text=edit.text)
        case kinds.CopyStream():
            return say("edit.copy_stream", where=edit.where, text=edit.text)
    raise LookupError(f"no words for the edit {type(edit).__name__}")


def head_of(edit: Edit) -> tuple[str, int, int] | None:
    """The one head that an edit is about: kind, layer, number; None: it is about none, or several.

    >>> head_of(kinds.Scale("decoder.layers.3.cross_attention", 0, 0.0))
    ('cross', 3, 0)
    """
    found = WHERE.fullmatch(getattr(edit, "where", ""))
    if not found or not hasattr(edit, "head") or found[2] == "*":
        return None
    return ("cross" if found[3] == "cross_attention" else found[1]), int(found[2]), edit.head


def _where(path: str, say: Callable[..., str]) -> str:
    """A sublayer's path in words; what is no such path stays as it is."""
    found = WHERE.fullmatch(path)
    if not found:
        return path
    stack, layer, module = found.groups()
    part = {"self_attention": stack, "cross_attention": "cross", "feed_forward": f"{stack}.feed_forward"}[
        module
    ]
    if layer == "*":
        return say("where.all", part=say(f"where.{part}"))
    return say("where.one", part=say(f"where.{part}"), layer=int(layer) + 1)


def changed_words(before: Sequence[Hashable], after: Sequence[Hashable]) -> tuple[list[bool], list[bool]]:
    """Which pieces of either translation the other does not have in the same place.

    >>> changed_words(["le", "chat", "dort"], ["la", "chat", "dort", "bien"])
    ([True, False, False], [True, False, False, True])
    """
    kept = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    first, second = [True] * len(before), [True] * len(after)
    for block in kept:
        first[block.a : block.a + block.size] = [False] * block.size
        second[block.b : block.b + block.size] = [False] * block.size
    return first, second


def switched_off(made: Sequence[Edit]) -> set[tuple[str, int, int]]:
    """The heads that say nothing any more.

    >>> switched_off([kinds.Scale("decoder.layers.3.cross_attention", 0, 0.0), kinds.Hide(1)])
    {('cross', 3, 0)}
    """
    silent = (edit for edit in made if isinstance(edit, kinds.Scale) and edit.factor == 0)
    return {head for head in map(head_of, silent) if head}
