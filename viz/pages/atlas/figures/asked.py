"""Where a head looks while one word is decided."""

from collections.abc import Sequence

from viz.figures.charts import bars
from viz.figures.drawing import Drawing

WIDE, HIGH = 300, 18


def looks(words: Sequence[tuple[str, float]], title: str) -> Drawing:
    """The words that get most of the weight, on a scale to one."""
    labels, weights = [word for word, _ in words], [weight for _, weight in words]
    marks = bars(
        weights, labels, y=4, wide=WIDE, high=HIGH, most=1.0, fills=["mark"] * len(words),
        names=[f"look.{place}" for place in range(len(words))],
    )  # fmt: skip
    return Drawing(WIDE, 10 + HIGH * len(words), title, tuple(marks))
