"""What a test reads off the drawings and formulas of a page, in a real browser."""

import re

import numpy as np
from playwright.sync_api import Page, expect

from tests.helpers.browser import until

RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def marks(page: Page, key: str) -> list[dict]:
    """Everything on a drawing."""
    sheet = page.locator(f".st-key-{key} .drawing[data-painted]")
    expect(sheet).to_be_visible()
    return sheet.evaluate("drawing => drawing.shown.marks")


def named(page: Page, key: str) -> dict[str, dict]:
    """The marks of a drawing by their names."""
    return {mark["name"]: mark for mark in marks(page, key) if "name" in mark}


def tips(page: Page, key: str) -> dict[str, str]:
    """What each named mark says when it is pointed at."""
    return {name: mark["tip"] for name, mark in named(page, key).items() if "tip" in mark}


def last_number(tip: str) -> float:
    """The number that a tip ends with, behind what it is called."""
    return float(tip.rpartition(": ")[2])


def said(page: Page, key: str, begins: str = "") -> dict[str, float]:
    """The number that each mark says whose name begins so, in their order."""
    return {name: last_number(tip) for name, tip in tips(page, key).items() if name.startswith(begins)}


def expect_said(page: Page, key: str, begins: str, expected: np.ndarray) -> None:
    """Wait until the marks whose names begin so say these numbers."""

    def shown() -> None:
        found = list(said(page, key, begins).values())
        np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4)

    until(page, shown)


def formula(page: Page) -> str:
    """The first formula of the panel, as LaTeX."""
    return page.locator(".st-key-panel .katex annotation").first.text_content()


def formulas(page: Page) -> list[str]:
    """All formulas of the panel, as LaTeX."""
    return page.locator(".st-key-panel .katex annotation").all_text_contents()


def measured(page: Page) -> list[float]:
    """The numbers in bold in the sentences of the panel."""
    texts = page.locator(".st-key-panel [data-testid=stMarkdownContainer] strong").all_text_contents()
    found = (re.fullmatch(r"(-?[\d.]+)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text) for text in texts)
    return [written_out(*number.groups()) for number in found if number]


def written_out(digits: str, power: str | None) -> float:
    """A number that is written as digits and a raised power of ten."""
    return float(digits) * 10.0 ** int((power or "0").translate(RAISED))


def finding(page: Page) -> str:
    """The sentence that says what the panel found."""
    return page.locator(".st-key-panel [data-testid=stText]").text_content()


def explained(page: Page) -> str:
    """The small print of the panel."""
    return page.locator(".st-key-panel [data-testid=stCaptionContainer]").text_content()
