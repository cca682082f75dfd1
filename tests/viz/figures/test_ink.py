"""The translation in ink is the translation, and nothing that is typed becomes a tag."""

import math
import re
from html import unescape

import pytest

from viz.figures.ink import ink, parts


def text_of(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html))


@pytest.mark.parametrize(
    "text",
    [
        "Where is the station?",
        "<b>bold</b> & <script>alert(1)</script>",
        "naïve café 東京 👩‍👧 5 < 6",
        "I'm.",
    ],
)
def test_the_ink_spells_the_translation(translator, text):
    found = translator.translate(text)
    assert text_of(ink(found.pieces, found.log_probs)) == found.text
    spelled = translator.read(text)
    html = ink(spelled.pieces, [0.0] * len(spelled.pieces))
    assert text_of(html) == text
    assert set(re.findall("<(/?[a-z]+)", html)) == {"span", "/span"}


def test_each_part_tells_its_probability_and_bytes_stand_together():
    pieces, log_probs = ["▁tea", "<0xE2>", "<0x82>", "<0xAC>", "</s>"], [-0.5, -0.1, -0.2, -0.3, -0.9]
    first, second = parts(pieces, log_probs)
    assert (first.text, second.text, second.joined) == ("tea", "€", True)
    assert first.probability == pytest.approx(math.exp(-0.5))
    assert second.probability == pytest.approx(math.exp(-0.6))


def test_half_a_character_at_the_end_is_shown_as_one():
    assert parts(["<0xE2>"], [-1.0])[0].text == "\ufffd"


def test_bytes_that_are_no_character_end_where_the_next_piece_begins():
    pieces = ["▁<", "<0xC3>", "<0xBA>", "<0xBA>", "▁tea", "<0xE2>", "</s>"]
    assert text_of(ink(pieces, [-0.1] * len(pieces))) == "<ú\ufffd tea\ufffd"
