"""What the checkpoint's atlas knows: the map of named heads, heads against questions, one head's card."""

from collections.abc import Callable, Mapping

import numpy as np

from viz.figures.drawing import Drawing
from viz.notebook.asked import Asked
from viz.notebook.atlases import atlas_of
from viz.pages.atlas.figures import named
from viz.state import causal
from viz.text import TEXT, Say

SHOWN = 0.1  # heads that take less than this share of every gap are left out of the table


def _named(kind: str) -> Callable[[Asked], Drawing]:
    """All heads of one kind under the names that they have earned; most have none."""

    def made(now: Asked) -> Drawing:
        atlas = _atlas(now, f"named_{kind}")
        told, carried = causal.phenomena(atlas), causal.carriers(atlas)
        names = {
            (layer, head): [(_phenomenon(name, now.say), told[name]["family"]) for name in each]
            for (of, layer, head), each in carried.items()
            if of == kind
        }
        chosen = (now.here.layer, now.head) if now.here.kind == kind else None
        title = now.say(f"kind.{kind}")
        return named.block(kind, *causal.shape(atlas), names, {}, title, chosen, _head_name(now.say))

    return made


def _matrix(now: Asked) -> Drawing:
    atlas, say = _atlas(now, "matrix"), now.say
    heads, names, lost = causal.losses(atlas)
    carried = causal.carriers(atlas)
    worth = [
        row for row, head in enumerate(heads) if head in carried or np.nanmax(lost[row], initial=0) >= SHOWN
    ]
    return named.matrix(
        [(heads[row], _head_name(say)(*heads[row])) for row in worth],
        [(name, _phenomenon(name, say)) for name in names], lost[worth],
        {(head, name) for head, each in carried.items() for name in each}, say("matrix.alt"),
        chosen=_where(now), sort="", say=say,
    )  # fmt: skip


def _effects(now: Asked) -> Drawing:
    """What the silence of the chosen head does to every phenomenon."""
    atlas = _atlas(now, "named_effects")
    rows = [
        named.Row(_phenomenon(each.phenomenon, now.say), each.phenomenon, None, False, each)
        for each in causal.effects(atlas, _where(now))
    ]
    return named.effects(rows, now.named, now.say)


def _atlas(now: Asked, name: str) -> Mapping:
    return atlas_of(now.needed(name).name)


def _where(now: Asked) -> causal.Where:
    return now.here.kind, now.here.layer, now.head


def _head_name(say: Say) -> Callable[[str, int, int], str]:
    return lambda kind, layer, head: say(
        "head.name", kind=say(f"kind.short.{kind}"), layer=layer + 1, head=head + 1
    )


def _phenomenon(name: str, say: Say) -> str:
    """In words; a file of one's own keeps its name."""
    key = f"phenomenon.{name}"
    return say(key) if key in TEXT else name


FIGURES: dict[str, Callable[[Asked], Drawing]] = {
    "named_encoder": _named("encoder"),
    "named_decoder": _named("decoder"),
    "named_cross": _named("cross"),
    "named_effects": _effects,
    "matrix": _matrix,
}
