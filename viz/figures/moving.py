"""Maps that change over time as a GIF: in our colours, with the words of rows and columns, for slides.

Every pixel is a number of one palette, the scale of weights and then the ink from none to full, so that no
frame is dithered and a film of a minute stays small.
"""

import io
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple
from unicodedata import normalize

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from viz.figures.palette import LIGHT
from viz.figures.scales import pixels

SHADES, INKS = 192, 63  # of the palette: weights, then ink, then the mark
MARK = SHADES + INKS
CELL, EDGE, LETTER = 30, 20, 15  # pixels
WIDEST = 60  # letters of a line
BETWEEN, PACE, HOLD = 4, 100, 2500  # frames from one moment to the next, milliseconds a frame, and at the end
HANGUL = (  # fonts of common systems that have it
    "NotoSansCJK-Regular.ttc", "NotoSansKR-Regular.otf", "NanumGothic.ttf", "AppleSDGothicNeo.ttc",
    "malgun.ttf",
)  # fmt: skip
LATIN = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "Arial.ttf", "arial.ttf", "segoeui.ttf")
PLAIN = str.maketrans("⟨⟩", "<>")  # few of them have these


class Frames(NamedTuple):
    """M recorded moments of one map."""

    maps: np.ndarray  # (M, Q, K), from 0 to 1
    seen: np.ndarray  # (Q, K), True = may look
    queries: Sequence[str]
    keys: Sequence[str]
    lines: Sequence[Sequence[str]]  # above the map, at each moment
    places: Sequence[float]  # of the moments on the time line, from 0 to 1


def writes_hangul() -> bool:
    """Whether this machine has letters for it; otherwise a film had better speak English."""
    return _face() in HANGUL


def gif(frames: Frames) -> bytes:
    """The film as a file that plays for ever and rests at its end. Between moments maps are blended."""
    painted = [Image.fromarray(each) for each in _painted(frames)]
    for image in painted:
        image.putpalette(_palette())
    file = io.BytesIO()
    durations = [PACE] * (len(painted) - 1) + [HOLD]
    painted[0].save(
        file, "GIF", save_all=True, append_images=painted[1:], duration=durations, loop=0, optimize=False
    )
    return file.getvalue()


def _painted(frames: Frames) -> Iterator[np.ndarray]:
    """Every frame as numbers of the palette."""
    last = len(frames.maps) - 1
    for moment in range(last + 1):
        words = _words(frames, moment)
        for part in range(BETWEEN if moment < last else 1):
            share = part / BETWEEN
            following = min(moment + 1, last)
            weights = frames.maps[moment] * (1 - share) + frames.maps[following] * share
            place = frames.places[moment] * (1 - share) + frames.places[following] * share
            yield _frame(frames, words, weights, place)


class _Room(NamedTuple):
    """Where things are, in pixels."""

    left: int
    top: int
    wide: int
    high: int
    time: int  # the height of the time line


def _room(frames: Frames) -> _Room:
    left, labels = (EDGE + 8 + _length(words) for words in (frames.queries, frames.keys))
    top = labels + round(1.6 * LETTER * len(frames.lines[0]))
    rows, columns = frames.seen.shape
    longest = max(_length(line) for line in frames.lines)
    wide = max(left + columns * CELL, EDGE + longest) + EDGE
    time = top + rows * CELL + 20
    return _Room(left, top, wide + wide % 2, time + EDGE + 8, time)


def _length(words: Sequence[str]) -> int:
    return max(round(_font().getlength(_legible(word))) for word in words)


def _words(frames: Frames, moment: int) -> np.ndarray:
    """All that is written, as ink from 0 to 255."""
    room = _room(frames)
    sheet = Image.new("L", (room.wide, room.high))
    pen = ImageDraw.Draw(sheet)
    for number, line in enumerate(frames.lines[moment]):
        pen.text((EDGE, EDGE + 1.6 * LETTER * number), _legible(line), 255, _font())
    for row, word in enumerate(frames.queries):
        pen.text((room.left - 8, room.top + (row + 0.5) * CELL), _legible(word), 255, _font(), anchor="rm")
    for column, word in enumerate(frames.keys):
        upright = Image.new("L", (_length([word]) + 2, CELL))
        ImageDraw.Draw(upright).text((0, CELL / 2), _legible(word), 255, _font(), anchor="lm")
        turned = upright.rotate(90, expand=True)
        sheet.paste(turned, (room.left + column * CELL, room.top - 6 - turned.height))
    return np.asarray(sheet)


def _frame(frames: Frames, words: np.ndarray, weights: np.ndarray, place: float) -> np.ndarray:
    room, (rows, columns) = _room(frames), weights.shape
    sheet = SHADES + np.rint(words * ((INKS - 1) / 255)).astype(np.uint8)
    levels = np.rint(np.clip(weights, 0, 1) * (SHADES - 1)).astype(np.uint8)
    cells = np.where(frames.seen, levels, SHADES).repeat(CELL, 0).repeat(CELL, 1)  # SHADES: the bare paper
    cells[CELL - 1 :: CELL], cells[:, CELL - 1 :: CELL] = SHADES, SHADES
    sheet[room.top : room.top + rows * CELL, room.left : room.left + columns * CELL] = cells
    long = room.wide - 2 * EDGE
    sheet[room.time + 10, EDGE : EDGE + long] = SHADES + INKS // 3
    for moment in frames.places:
        sheet[room.time + 6 : room.time + 15, EDGE + round(moment * (long - 1))] = SHADES + INKS // 2
    at = EDGE + round(place * (long - 1))
    sheet[room.time : room.time + 20, max(0, at - 1) : at + 2] = MARK
    return sheet


@cache
def _palette() -> list[int]:
    shades = pixels(np.linspace(0, 1, SHADES), LIGHT)
    ends = [np.array([*bytes.fromhex(colour[1:])]) for colour in (LIGHT.paper, LIGHT.ink, LIGHT.mark)]
    mixed = ends[0] + (ends[1] - ends[0]) * np.linspace(0, 1, INKS)[:, None]
    return np.concatenate([shades, np.rint(mixed), ends[2][None]]).astype(int).ravel().tolist()


def _legible(word: str) -> str:
    """As the font at hand can write it, and not too long: Pillow's own has neither accents nor arrows."""
    word = word.translate(PLAIN)
    if _face() is None:
        word = normalize("NFKD", word.replace("→", ">")).encode("ascii", "ignore").decode()
    return word if len(word) <= WIDEST else word[: WIDEST - 3] + "..."


@cache
def _face() -> str | None:
    for name in (*HANGUL, *LATIN):
        try:
            ImageFont.truetype(name, LETTER)
        except OSError:
            continue
        return name
    return None


@cache
def _font() -> Any:
    face = _face()
    return ImageFont.truetype(face, LETTER) if face else ImageFont.load_default(LETTER)
