"""A small training as a film for slides: all heads of one kind, side by side."""

from collections.abc import Callable, Sequence

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
    every = [film.frames[number] for number in chosen]
    rows, columns = labels(film, kind, say)
    heads = np.stack([each.maps[kind] for each in every]).astype(np.float32)  # (M, L, H, Q, K)
    across = min(ACROSS, heads.shape[2])
    down = heads.shape[1] * heads.shape[2] // across
    maps = _tiled(heads.reshape(len(every), down, across, *heads.shape[3:]))
    may = np.broadcast_to(seen(kind, len(rows), len(columns)), (1, down, across, len(rows), len(columns)))
    last = max(film.steps, 1)
    return Frames(
        maps, _tiled(may)[0], _between(rows, down), _between(columns, across),
        [_lines(film, kind, each, say) for each in every], [each.step / last for each in every],
    )  # fmt: skip


def _tiled(maps: np.ndarray) -> np.ndarray:  # (M, down, across, Q, K) -> (M, rows, columns)
    """Maps side by side and below each other, an empty line between them."""
    room = np.pad(maps, [(0, 0)] * 3 + [(0, 1), (0, 1)])
    moments, down, across, rows, columns = room.shape
    return room.swapaxes(2, 3).reshape(moments, down * rows, across * columns)[:, :-1, :-1]


def _between(words: Sequence[str], times: int) -> list[str]:
    return [*words, *["", *words] * (times - 1)]


def _lines(film: Film, kind: str, frame: Frame, say: Say) -> list[str]:
    """What stands above the maps: the numbers of the moment, and what is written then."""
    told = say(
        "forming.moment", step=frame.step, loss=fixed(frame.loss, 2), accuracy=percent(frame.accuracy, 0),
        readable=MISSING if np.isnan(frame.readable) else percent(frame.readable, 0),
    )  # fmt: skip
    return [
        f"{say(f'kind.short.{kind}')} · {told}",
        " ".join(film.example.source),
        f"→ {' '.join(frame.written)}",
    ]
