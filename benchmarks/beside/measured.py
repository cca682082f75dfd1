"""What is measured of one view of one sentence, and the answer to a hover."""

import statistics
from dataclasses import dataclass

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as TooSlow

PATIENCE, QUICK_TO_DRAW, QUICK_TO_ANSWER = 60.0, 5.0, 0.2  # seconds
HOVERS = 5
LAYER = 0


@dataclass
class Measured:
    """One view of one sentence; times in milliseconds, None where it was not waited for."""

    payload: int
    with_libraries: int
    prepared: float | None = None  # BertViz: Python makes the page
    drawn: float | None = None
    translated: float | None = None  # Headlight: the same, and the model translates a new sentence
    hover: float | None = None

    @property
    def usable(self) -> bool:
        waits = (self.drawn, self.translated or 0)
        return (
            None not in (*waits, self.hover)
            and max(waits) <= QUICK_TO_DRAW * 1e3
            and self.hover <= QUICK_TO_ANSWER * 1e3
        )


def hover_time(page: Page, places: Locator) -> float:
    """Milliseconds from moving the mouse to the paint that follows: the median of several places."""
    places.first.wait_for()
    places.first.scroll_into_view_if_needed()
    times = []
    for place in range(HOVERS + 1):
        known = page.evaluate("window.answers.length")
        page.mouse.move(*middle(places.nth(place)))
        page.wait_for_function(f"window.answers.length > {known}", polling=20)
        times.append(page.evaluate(f"window.answers[{known}]"))
    return statistics.median(times[1:])  # the first also brings the mouse into the window


def only_too_slow(error: BrowserError) -> None:
    """A page that takes too long or too much memory has failed; any other error is ours."""
    if not isinstance(error, TooSlow) and "crashed" not in error.message:
        raise error


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    # Of something larger than the screen, a point that is on it.
    return box["x"] + box["width"] / 2, box["y"] + min(box["height"] / 2, 40)
