"""The head view as data: what reaches the browser, and what is left out of the picture."""

import re

import numpy as np
import pytest

from tests.helpers.pictures import say, sent, some, unpacked
from viz.components.head_view import MARKUP, MOST_LINES, STYLE, faintest
from viz.components.payload import FORBIDDEN, SCALE
from viz.figures.palette import DARK
from viz.state.picture import Side, arrange
from viz.state.selection import Selection
from viz.text import LANGUAGES, translate


def test_one_head_of_forty_pieces_travels_in_a_few_kilobytes():
    data = sent(some(40, 40))
    assert len(data) < 8_000
    assert len(data) + len((STYLE + MARKUP).encode()) < 24_000


@pytest.mark.parametrize("heads", [(3,), (0, 5, 7)])
def test_the_browser_gets_every_weight_and_the_map_of_all(heads):
    picture = some(6, 5, heads, causal=True)
    header, numbers = unpacked(sent(picture, row=2, column=None))
    maps = picture.weights if len(heads) == 1 else [*picture.weights, picture.combined]
    assert header["heads"] == list(heads) and (header["row"], header["column"]) == (2, None)
    assert ((numbers == FORBIDDEN) == ~picture.mask).all()
    np.testing.assert_allclose(numbers / SCALE * picture.mask, maps * picture.mask, atol=1e-5)
    assert header["hues"]["dark"] == [DARK.heads[head] for head in heads]


def test_what_is_left_out_is_said_with_how_much_is_drawn():
    picture = some(12, 12)
    header, _ = unpacked(sent(picture))
    share = picture.weights[picture.weights >= 0.01].sum() / picture.weights.sum()
    assert header["text"]["note"] == say("head_view.note", least="0.01", share=int(100 * share))
    certain = np.eye(3, dtype=np.float32)[None]
    whole = arrange(certain, np.ones((3, 3), bool), *[Side(("a",) * 3, (0, 1, 2), "axis.source.key")] * 2,
                    Selection(), say)  # fmt: skip
    assert unpacked(sent(whole))[0]["text"]["note"] == ""


def test_of_very_many_lines_the_strongest_are_drawn():
    picture = some(70, 70, tuple(range(8)))
    least = faintest(picture.weights, picture.most)
    assert np.count_nonzero(picture.weights >= least) == MOST_LINES
    note = unpacked(sent(picture))[0]["text"]["note"]
    assert f"{least:.2g}" in note and note != say("head_view.note", least=f"{least:.2g}", share=0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_browser_fills_in_has_places_to_fill(language):
    said = unpacked(sent(some(3, 3), say=translate(language)))[0]["text"]
    for name, wanted in {
        "pair": {"looking", "seen", "weight"},
        "one": {"looking", "seen", "weight", "head"},
        "forbidden": {"looking", "seen"},
        "head": {"head"},
    }.items():
        assert set(re.findall(r"\{(\w+)\}", said[name])) == wanted
