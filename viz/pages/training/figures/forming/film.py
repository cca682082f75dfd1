"""A small training as a film for slides: up to four heads of one kind, side by side."""

from collections.abc import Callable

import numpy as np

from model.training.toys.film import Film, Frame
from viz.figures.moving import Frames
from viz.figures.numbers import MISSING, fixed, percent
from viz.pages.training.figures.forming.heads import labels, seen

Say = Callable[..., str]
MOMENTS = 24  # of the film at most, so that its file stays small
ACROSS = 4  # heads


def frames(film: Film, kind: str, say: Say) -> Frames:
    """As many moments as tell it, the first and the last among them."""
    chosen = np.linspace(0, len(film.frames) - 1, min(MOMENTS, len(film.frames))).round().astype(int)
    every, who = [film.frames[number] for number in chosen], _heads(film, kind)
    rows, columns = labels(film, kind, say)
    maps = np.stack([[each.maps[kind][head] for head in who] for each in every]).astype(np.float32)
    may = np.broadcast_to(seen(kind, len(rows), len(columns)), (1, *maps.shape[1:]))
    called = f"{say(f'kind.short.{kind}')} {', '.join(f'{layer + 1}·{head + 1}' for layer, head in who)}"
    return Frames(
        _beside(maps), _beside(may)[0], rows, [*columns, *["", *columns] * (len(who) - 1)],
        [_lines(film, each, called, say) for each in every],
        [each.step / max(film.steps, 1) for each in every],
    )  # fmt: skip


def _heads(film: Film, kind: str) -> list[tuple[int, int]]:
    """Layer and number of those that look best at the end, where there are too many for a slide."""
    layers, heads = film.frames[-1].maps[kind].shape[:2]
    every = list(np.ndindex(layers, heads))
    if kind == "cross" and not np.isnan(film.frames[-1].readable):
        every.sort(key=lambda head: -film.frames[-1].looks[head])
    return sorted(every[:ACROSS])


def _beside(maps: np.ndarray) -> np.ndarray:  # (M, heads, Q, K) -> (M, Q, columns)
    """Maps side by side, an empty column between them."""
    room = np.pad(maps, [(0, 0)] * 3 + [(0, 1)])
    return room.swapaxes(1, 2).reshape(len(room), maps.shape[2], -1)[..., :-1]


def _lines(film: Film, frame: Frame, called: str, say: Say) -> list[str]:
    """What stands above the maps: the numbers of the moment, and what is written then."""
    told = say(
        "forming.moment", step=frame.step, loss=fixed(frame.loss, 2), accuracy=percent(frame.accuracy, 0),
        readable=MISSING if np.isnan(frame.readable) else percent(frame.readable, 0),
    )  # fmt: skip
    return [
        f"{told} · {called}",
        " ".join(film.example.source),
        f"→ {' '.join(frame.written)}",
    ]
