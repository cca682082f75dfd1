"""A newcomer sees a picture, one sentence about it and what to do next, all on the first screen."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.helpers.browser import expect_no_scrolling_sideways, settle, until

SCREENS = {"laptop": (1440, 900), "projector": (1920, 1080), "telephone": (390, 844)}
LOCALES = {"en": "en-US", "ko": "ko-KR"}
PICTURE, SENTENCE = ".st-key-head_view .lines", ".st-key-opening .told p"
NEXT = ".st-key-opening [data-testid=stBaseButton-primary]"
ENOUGH = 120  # pixels of a picture: less is no picture


def expect_on_first_screen(page: Page, part: Locator, least: float | None = None) -> None:
    """All of it, or at least so much, without scrolling, and nothing lies over it."""
    box = part.bounding_box()
    seen = min(box["y"] + box["height"], page.viewport_size["height"]) - box["y"]
    assert box["y"] >= 0 and box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    assert seen >= min(box["height"], least or box["height"]), part
    middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + min(seen, least or seen) / 2}
    assert part.evaluate(
        """(part, { x, y }) => {
          let at = document.elementFromPoint(x, y);
          while (at?.shadowRoot?.elementFromPoint(x, y)) at = at.shadowRoot.elementFromPoint(x, y);
          return part.contains(at);
        }""",
        middle,
    ), f"something lies over {part}"


def expect_led(page: Page) -> None:
    """A picture, its sentence, the next thing to do: where one looks first."""
    expect(page.locator(NEXT)).to_be_visible()
    until(page, lambda: expect_on_first_screen(page, page.locator(PICTURE), ENOUGH))
    for part in (SENTENCE, NEXT):
        until(page, lambda part=part: expect_on_first_screen(page, page.locator(part)))
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    expect_no_scrolling_sideways(page)


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("screen", SCREENS)
def test_the_first_screen_has_a_picture_a_sentence_and_what_to_do_next(open_app, screen, language):
    width, height = SCREENS[screen]
    page = open_app("/", width=width, height=height, locale=LOCALES[language])
    expect_led(page)
    if screen != "telephone":
        until(page, lambda: expect_on_first_screen(page, page.locator(PICTURE)))


def test_every_step_is_on_the_first_screen_of_a_telephone(open_app):
    width, height = SCREENS["telephone"]
    page = open_app("/", width=width, height=height, locale=LOCALES["ko"], scheme="dark")
    for _ in range(5):
        page.locator(NEXT).click()
        settle(page)
        expect_led(page)
