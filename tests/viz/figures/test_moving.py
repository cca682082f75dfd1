"""A film as a GIF: frames are the maps in our colours, blended between moments, with words beside them."""

import io

import numpy as np
import pytest
from PIL import Image

from viz.figures import moving
from viz.figures.moving import BETWEEN, CELL, Frames, gif
from viz.figures.palette import LIGHT
from viz.figures.scales import pixels


@pytest.fixture
def frames() -> Frames:
    """Two rows change places between the first and the last of three moments."""
    one, other = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])
    lines = [["moment", text] for text in ("uyuyuy", "Elle", "Elle ne veut pas.")]
    maps, seen = np.stack([one, one, other]), np.ones((2, 2), bool)
    return Frames(maps, seen, ["a", "⟨end⟩"], ["x", "y"], lines, [0, 0.5, 1])


def colours(image: Image.Image, frames: Frames) -> np.ndarray:
    """What the middle of every cell is painted with, (2, 2, 3)."""
    room, sheet = moving._room(frames), np.asarray(image.convert("RGB")).astype(int)
    rows, columns = (start + CELL // 2 + CELL * np.arange(2) for start in (room.top, room.left))
    return sheet[np.ix_(rows, columns)]


def test_recorded_moments_keep_their_colours_and_what_lies_between_is_blended(frames):
    image = Image.open(io.BytesIO(gif(frames)))
    assert image.n_frames == 2 * BETWEEN + 1
    for moment, weights in enumerate(frames.maps):
        image.seek(moment * BETWEEN)
        assert abs(colours(image, frames) - pixels(weights, LIGHT)).max() <= 2
    image.seek(BETWEEN + BETWEEN // 2)
    assert abs(colours(image, frames) - pixels(np.full((2, 2), 0.5), LIGHT)).max() <= 4


def test_where_nobody_may_look_is_paper(frames):
    image = Image.open(io.BytesIO(gif(frames._replace(seen=np.tril(np.ones((2, 2), bool))))))
    assert colours(image, frames)[0, 1].tolist() == [255, 255, 255]
    assert colours(image, frames)[1, 0].tolist() != [255, 255, 255]


def test_words_change_with_the_moment_and_long_ones_are_cut(frames):
    first, last = (moving._words(frames, moment) for moment in (0, 2))
    assert (first != last).any()
    noise = frames._replace(lines=[["uy" * 300]] * 3)
    assert moving._room(noise).wide < 800


def test_a_machine_without_fonts_writes_letters_that_it_has(monkeypatch):
    monkeypatch.setattr(moving, "_face", lambda: None)
    assert moving._legible("→ été ⟨end⟩") == "> ete <end>"
    assert not moving.writes_hangul()
