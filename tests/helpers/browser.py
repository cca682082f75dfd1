"""What a visitor does with the app and what a test reads off it, in a real browser."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from playwright.sync_api import Locator, Page, expect

from tests.helpers.payload import numbers_of_map
from viz.text import translate

say, korean = translate("en"), translate("ko")
PHONE = {"width": 390, "height": 844, "scheme": "dark", "locale": "ko-KR"}
# What a page draws once it is there.
DRAWN = {
    None: ".st-key-heatmap canvas",
    "home": ".st-key-architecture .drawing[data-painted]",
    "all_heads": ".head-grid .cell",
    "inside": ".st-key-step_picture svg",
    "layers": ".st-key-diagram .drawing[data-painted]",
    "positions": ".st-key-panel .drawing, .st-key-panel canvas",
    "decoding": ".st-key-panel .drawing[data-painted]",
    "training": ".st-key-panel",
    "why": ".st-key-panel .drawing[data-painted]",
    "atlas": ".st-key-panel",
    "experiment": ".st-key-panel",
}


def type_sentence(page: Page, text: str) -> None:
    """Without waiting for the answer."""
    box = page.locator(".st-key-sentence input")
    box.fill(text)
    box.press("Enter")


def write(page: Page, text: str) -> None:
    type_sentence(page, text)
    settle(page)


def choose(page: Page, key: str, option: str) -> None:
    page.locator(f".st-key-{key}").get_by_role("radio", name=option, exact=True).click()
    settle(page)


def unfold_controls(page: Page) -> None:
    """On a telephone they are in a sheet."""
    page.locator(".st-key-drawer label").click()


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


def weights(page: Page, key: str = "heatmap") -> np.ndarray:
    """What is drawn, NaN where nobody may look; nothing while there is no picture."""
    shown = page.locator(f".st-key-{key} .heat-map").first.evaluate(
        "map => map.dataset.painted && [map.shown.header, [...map.shown.numbers]]"
    )
    return numbers_of_map(*shown) if shown else np.array([])


def expect_weights(page: Page, expected: np.ndarray, key: str = "heatmap", off: float = 1e-5) -> None:
    """Wait for the picture of these weights: it is drawn a moment after the server's answer."""

    def shown() -> None:
        np.testing.assert_allclose(weights(page, key), expected, rtol=0, atol=off)

    until(page, shown)


def until(page: Page, true: Callable[[], None]) -> None:
    """Views are drawn a moment after the server's answer: try for a while."""
    deadline = time.monotonic() + 30
    while True:
        try:
            return true()
        except (AssertionError, KeyError, ValueError):
            if time.monotonic() > deadline:
                raise
            page.wait_for_timeout(30)


def middle_of_cell(grid: Locator, row: int, column: int, shape: tuple[int, int]) -> tuple[float, float]:
    """Where this cell of a picture of so many rows and columns is, once the picture is on screen."""
    grid.scroll_into_view_if_needed()
    box, (rows, columns) = grid.bounding_box(), shape
    return (
        box["x"] + box["width"] * (column + 0.5) / columns,
        box["y"] + box["height"] * (row + 0.5) / rows,
    )


def click_cell(page: Page, row: int, column: int, key: str = "heatmap") -> None:
    grid = page.locator(f".st-key-{key} canvas")
    page.mouse.click(*middle_of_cell(grid, row, column, weights(page, key).shape))
    settle(page)


def hover(page: Page, row: int, column: int, words: str = "") -> str:
    """Point at a cell and read the label that appears; anew if the map was drawn again just then."""
    grid, label = page.locator(".st-key-heatmap canvas"), page.locator(".st-key-heatmap .tip")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        page.mouse.move(*middle_of_cell(grid, row, column, weights(page).shape))
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


def act_until_visible(act: Callable[[], None], wanted: Locator, visible: bool = True) -> None:
    """A busy machine may lose a click, or move the page under the pointer: a person would click again."""
    for _ in range(3):
        act()
        with suppress(AssertionError):
            expect(wanted).to_be_visible(visible=visible, timeout=10_000)
            return
    expect(wanted).to_be_visible(visible=visible)


def act_until_gone(act: Callable[[], None], unwanted: Locator) -> None:
    act_until_visible(act, unwanted, visible=False)


def expect_in_link(page: Page, *parameters: str) -> None:
    for parameter in parameters:
        expect(page).to_have_url(re.compile(rf"[?&]{parameter}(&|$)"))


def expect_no_scrolling_sideways(page: Page, note: str = "") -> None:
    for element in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
        assert page.evaluate(f"{element}.scrollWidth <= {element}.clientWidth"), note


def expect_within_screen(page: Page, parts: Locator) -> None:
    """Nothing of them is beyond the left or the right edge."""
    expect(parts.first).to_be_visible()
    for part in parts.all():
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"], part.text_content()


def open_export(page: Page) -> Locator:
    """The dialog that offers what is on screen as files."""
    page.locator(".st-key-export button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


def save(dialog: Locator, label: str, folder: Path, place: int = 0) -> Path:
    """The file that a button of the dialog gives; where several have this label, by their order."""
    with dialog.page.expect_download() as waiting:
        dialog.get_by_role("button", name=label, exact=True).nth(place).click()
    file = folder / waiting.value.suggested_filename
    waiting.value.save_as(file)
    return file


def note_problems(page: Page, problems: list[str], local: tuple[str, ...]) -> None:
    """Keep every error that the page logs, and every address that it asks for but these."""
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("console", lambda line: line.type == "error" and problems.append(line.text))
    page.on("request", lambda asked: asked.url.startswith(local) or problems.append(asked.url))
