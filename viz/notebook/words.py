"""A run in plain words: what a terminal shows of it, and what those hear who cannot see a picture."""

import unicodedata

from model.network.kinds import KINDS
from viz.figures.numbers import fixed
from viz.notebook.asked import Asked


def in_words(now: Asked, rows: bool = True) -> str:
    """The sentence, its translation, the head, and where every row looks most."""
    shown = now.shown
    lines = [f"{now.sentence} → {now.translation}", now.named]
    if rows:
        axes = now.say(shown.query_axis), now.say(shown.key_axis)
        strongest = [shown.strongest(row) for row in range(len(shown.queries))]
        looks = [
            (query, shown.keys[column]) for query, (_, column) in zip(shown.queries, strongest, strict=True)
        ]
        wide, broad = (max(map(_wide, each)) for each in zip(*looks, strict=True))
        lines.append(" → ".join(axes))
        lines += [
            f"  {_padded(query, wide)} → {_padded(key, broad)} {fixed(shown.combined[at], 2)}"
            for (query, key), at in zip(looks, strongest, strict=True)
        ]
    return "\n".join(lines)


def grid_in_words(now: Asked) -> str:
    """The sentence, its translation, and how many heads of each kind there are."""
    counts = (now.trace.attention[kind].shape[:2] for kind in KINDS)
    heads = [
        f"{now.say(f'kind.{kind}')}: {layers} × {heads}"
        for kind, (layers, heads) in zip(KINDS, counts, strict=True)
    ]
    return "\n".join([f"{now.sentence} → {now.translation}", *heads])


def _wide(label: str) -> int:
    """Columns of a terminal; Hangul takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in label)


def _padded(label: str, wide: int) -> str:
    return label + " " * (wide - _wide(label))
