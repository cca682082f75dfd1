"""What the comparison with BertViz measures of a view, sentences of any length, and the answer to a hover."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as TooSlow

from model import Trace, Translator

PATIENCE, QUICK_TO_DRAW, QUICK_TO_ANSWER = 60.0, 5.0, 0.2  # seconds
HOVERS = 5
TEXT = [
    "We have lived in this small house near the river for ten years.",
    "My brother works in the city, but he comes home every weekend.",
    "On Sunday morning we walk along the water and talk about the week.",
    "Then my mother makes soup, and everyone sits down at the big table.",
    "The children play in the garden until it gets dark outside.",
    "Sometimes it rains, so they read books by the window instead.",
    "Last summer we painted the kitchen blue because she likes the sea.",
    "Our neighbours have an old dog that sleeps under the apple tree.",
    "In winter the road is often closed, and the bus does not come.",
    "Then we stay at home, drink tea and listen to the radio.",
]


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


Measure = Callable[[Trace, Sequence[str]], Measured]


def sentence(translator: Translator, pieces: int, first: int = 0) -> str:
    """Everyday words, starting at the `first` sentence, as many as fit into `pieces`."""
    words = [word for text in islice(cycle(TEXT), first, first + 60) for word in text.split()]
    count = next(n for n in range(1, len(words)) if len(_pieces(translator, words[: n + 1])) > pieces)
    return " ".join(words[:count])


def _pieces(translator: Translator, words: Sequence[str]) -> tuple[int, ...]:
    return translator.read(" ".join(words)).ids


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


def best(values: Sequence[float]) -> float | None:
    """On a noisy machine the best round says most about the work itself."""
    return min(values, default=None)
