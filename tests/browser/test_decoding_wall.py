"""Decoding on a wall, where nobody can scroll: each panel fits the screen, of short and of long sentences."""

import pytest

from tests.helpers.browser import settle
from viz.text import LANGUAGES

SHORT = "The boy didn't buy the shirt because it was too small."
LONG = " ".join(["The old man and his dog walk along the river every morning,"] * 9) + " they say."
WALL = {"width": 1920, "height": 1080}
PANELS = ("steps", "choosing", "beam", "given", "memory")
BEYOND = "main => main.scrollHeight - main.clientHeight"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [SHORT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("panel", PANELS)
def test_nothing_is_below_the_screen(open_page, panel, text, language):
    more = {"drawn": 0} if text == SHORT else {}  # a hundred long translations take a minute
    page = open_page(
        "decoding", decoding=panel, s=text, beam=8, present="on", lang=language, screen=WALL, **more
    )
    settle(page)
    page.wait_for_timeout(300)  # pictures find their size
    assert page.get_by_test_id("stMain").evaluate(BEYOND) <= 0
