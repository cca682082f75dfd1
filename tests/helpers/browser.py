"""What a visitor does with the app and what a test reads off it, in a real browser."""

import time

import numpy as np
from playwright.sync_api import Page, expect

from viz.components.payload import FORBIDDEN, SCALE
from viz.text import translate

say = translate("en")


def write(page: Page, text: str) -> None:
    box = page.locator(".st-key-sentence input")
    box.fill(text)
    box.press("Enter")
    settle(page)


def choose(page: Page, key: str, option: str) -> None:
    page.locator(f".st-key-{key}").get_by_role("radio", name=option, exact=True).click()
    settle(page)


def choose_head(page: Page, head: int) -> None:
    """This head and no other; on a busy machine a click may fall between two runs of the page and be lost."""
    button = page.locator(".st-key-head").get_by_role("button", name=str(head), exact=True)
    for _ in range(3):
        if button.get_attribute("aria-pressed") != "true":
            button.click()
            page.wait_for_timeout(200)  # until the server has heard of it
        settle(page)
    expect(button).to_have_attribute("aria-pressed", "true")


def show(page: Page, kind: str, layer: int, head: int) -> None:
    choose(page, "kind", say(f"kind.{kind}"))
    choose(page, "layer", str(layer))
    choose_head(page, head)


def translation(page: Page):
    return page.locator(".st-key-translation .ink")


def weights(page: Page) -> np.ndarray:
    """What is drawn, NaN where nobody may look; nothing while there is no picture."""
    shown = page.locator(".st-key-heatmap .heat-map").first.evaluate(
        "map => map.dataset.painted && [map.shown.header, [...map.shown.numbers]]"
    )
    if not shown:
        return np.array([])
    header, numbers = shown
    drawn = np.array(numbers, float).reshape(len(header["queries"]), len(header["keys"]))
    least, most = header["least"], header["most"]
    return np.where(drawn == FORBIDDEN, np.nan, least + drawn / SCALE * (most - least))


def expect_weights(page: Page, expected: np.ndarray) -> None:
    """Wait for the picture of these weights: Plotly draws a moment after the server's answer."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        shown = weights(page)
        if shown.shape == expected.shape and np.allclose(shown, expected, 0, 1e-5, equal_nan=True):
            return
        page.wait_for_timeout(20)
    np.testing.assert_allclose(shown, expected, atol=1e-5)


def hover(page: Page, row: int, column: int, words: str = "") -> str:
    """Point at a cell and read the label that appears; anew if the map was drawn again just then."""
    grid, label = page.locator(".st-key-heatmap canvas"), page.locator(".st-key-heatmap .tip")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        grid.scroll_into_view_if_needed()
        box, (rows, columns) = grid.bounding_box(), weights(page).shape
        x = box["x"] + box["width"] * (column + 0.5) / columns
        page.mouse.move(x, box["y"] + box["height"] * (row + 0.5) / rows)
        try:
            expect(label).to_contain_text(words + ": ", timeout=2_000)
            return label.text_content()
        except AssertionError:
            page.mouse.move(1, 1)
    raise AssertionError(f"no label says {words!r}")


def row_labels(page: Page):
    return page.locator(".st-key-heatmap .rows span")


def settle(page: Page) -> None:
    """Wait until the server has answered the last thing done; it takes a moment until it hears of it."""
    page.wait_for_timeout(40)
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
