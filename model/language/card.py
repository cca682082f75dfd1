"""The measured part of a language model's card.md; the words around it are written by people and stay."""

from collections.abc import Mapping, Sequence
from typing import Any

Found = Mapping[str, Any]
NAMES = {
    "memory": "with memory",
    "emptied": "the same, its memory emptied before every segment",
    "none": "learned without memory",
    "absolute": "with memory and absolute positions",
}


def losses_table(found: Found) -> str:
    """Loss of every way of reading, overall and at both ends of a segment, and what was measured on."""
    rows = [
        (
            NAMES[way],
            _with_interval(found["overall"][way]),
            f"{places['mean'][0]:.2f}",
            f"{places['mean'][-1]:.2f}",
        )
        for way, places in found["position"].items()
    ]
    kept = found["length"]
    lengths = ", ".join(
        f"{mean:.3f} with {count}" for count, mean in zip(kept["kept"], kept["mean"], strict=True)
    )
    head = ("nats a piece", "all places (95 %)", "first place", "last place")
    about = f"{found['passages']:,} passages, {found['pieces']:,} pieces; counted once the memory is full."
    return f"\n{_table(head, rows)}\n\n{about} By how many positions it may remember: {lengths}.\n"


def training_table(found: Found) -> str:
    """How each of the compared models became what it is."""
    head = ("model", "parameters", "steps", "pieces read", "minutes of one core", "loss at the end")
    rows = [
        (
            NAMES[name],
            f"{each['parameters']:,}",
            f"{each['steps']:,}",
            f"{each['pieces']:,}",
            f"{each['seconds'] / 60:.0f}",
            f"{each['loss']:.3f}",
        )
        for name, each in found["trained"].items()
    ]
    return f"\n{_table(head, rows)}\n"


def _with_interval(figures: Mapping[str, float]) -> str:
    return f"{figures['mean']:.3f} ({figures['low']:.3f} to {figures['high']:.3f})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
