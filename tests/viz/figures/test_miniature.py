"""Where one is: every part of the miniature has a shape, a name in both languages, and room in a row."""

from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from tests.helpers.app import open_app
from viz.figures.miniature import BOXES, HIGH, PARTS, WIDE, key, lit, outline
from viz.frame.style import style
from viz.text import LANGUAGES, translate


def shapes(address: str) -> list[dict]:
    drawn = ElementTree.fromstring(
        unquote(address.removeprefix('url("data:image/svg+xml,').removesuffix('")'))
    )
    return [each.attrib for each in drawn]


def test_every_part_is_a_picture_within_its_sheet_and_has_a_name():
    for part in PARTS:
        for box in shapes(lit(part)):
            assert float(box["x"]) >= 0 and float(box["x"]) + float(box["width"]) <= WIDE
            assert float(box["y"]) >= 0 and float(box["y"]) + float(box["height"]) <= HIGH
        assert all(translate(language)(f"here.{key(part)}") for language in LANGUAGES)
        assert lit(part) in style()
    assert len(shapes(lit("attention"))) == 3 and len(shapes(outline())) == len(BOXES) + 3
    assert len(lit("cross")) < 400


@pytest.mark.parametrize(
    ("page", "link", "part"),
    [
        (None, {"kind": "cross"}, "cross"),
        ("inside", {"kind": "encoder"}, "encoder"),
        ("all_heads", {}, "attention"),
        ("positions", {}, "positions"),
        ("layers", {"layers": "units", "kind": "decoder"}, "decoder.feed_forward"),
        ("layers", {"layers": "vocabulary", "kind": "cross"}, "softmax"),
        ("layers", {"part": "cross", "kind": "cross"}, "cross"),
        ("home", {}, "whole"),
    ],
)
def test_a_page_says_which_part_of_the_model_it_shows(page, link, part):
    say = translate("en")
    app = open_app(page, **link)
    (label, *_) = (each.proto.label for each in app.get("page_link"))
    assert label == f"**{say('app.title')}** *{say('here.label', part=say(f'here.{key(part)}'))}*"
