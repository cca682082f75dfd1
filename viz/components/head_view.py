"""The head view: two columns of words and a line for every weight, one hue a head.

Pointing is answered in the browser, also in the heatmap beside it; a click comes back as a trigger.
"""

from collections.abc import Callable

import numpy as np

from viz.components import payload, source
from viz.components.library import view
from viz.figures.lines import LEAST, apart, row_height, thickest
from viz.figures.numbers import rounded
from viz.figures.palette import THEMES
from viz.state.picture import Picture

MOST_LINES = 2000
MARKUP = """
<div class="head-view" role="figure">
  <div class="legend"></div>
  <p class="status" aria-live="polite"></p>
  <div class="headings"><div class="looking"></div><div class="looked-at"></div></div>
  <div class="body">
    <div class="words left" role="listbox"></div>
    <div class="lines"><canvas class="all"></canvas><canvas class="some"></canvas></div>
    <div class="words right" role="listbox"></div>
  </div>
  <p class="note"></p>
  <details class="table"><summary></summary><div class="scroll" tabindex="0"><table></table></div></details>
</div>
"""
STYLE = source.style("head_view/view.css")

_mount = view("head_view", html=MARKUP, css=STYLE)


def head_view(
    picture: Picture,
    *,
    row: int | None,
    column: int | None,
    layer: int,
    say: Callable[..., str],
    key: str = "head_view",
    on_pick: Callable[[], None] | None = None,
    on_solo: Callable[[], None] | None = None,
) -> object:
    """Show the chosen heads; `row` and `column` are the kept word's places in the picture.

    The result has `pick`, {"row": …, "column": …} for the word that was clicked, both None once
    nothing is kept; and `solo`, the head that was double-clicked.
    """
    return _mount(
        key=key,
        data=packed(picture, row=row, column=column, layer=layer, say=say),
        on_pick_change=on_pick or _nothing,
        on_solo_change=on_solo or _nothing,
    )


def packed(
    picture: Picture,
    *,
    row: int | None,
    column: int | None,
    layer: int,
    say: Callable[..., str],
    table: bool = True,
) -> bytes:
    """All that the browser draws from: words, hues, sentences, one map a head, then that of all."""
    least = faintest(picture.weights, picture.most)
    height = row_height(max(len(picture.queries), len(picture.keys)))
    numbers = ", ".join(str(head + 1) for head in picture.heads)
    words = {name: f"{{{name}}}" for name in ("looking", "seen")}  # filled in by the browser
    header = {
        "heads": picture.heads,
        "hues": {
            name: [theme.heads[head % len(theme.heads)] for head in picture.heads]
            for name, theme in THEMES.items()
        },
        "height": height,
        "apart": apart(len(picture.heads), height),
        "thickest": thickest(height),
        "queries": picture.queries,
        "keys": picture.keys,
        "axes": (say(picture.query_axis), say(picture.key_axis)),
        "row": row,
        "column": column,
        "least": least / picture.most - 1e-5,  # the browser's numbers are rounded
        "text": {
            "label": say("head_view.label", layer=layer + 1, heads=numbers),
            "hint": say("head_view.hint"),
            "head": say("head_view.head", head="{head}"),
            "pair": say("head_view.pair", **words, weight="{weight}"),
            "one": say("head_view.one", **words, weight="{weight}", head="{head}"),
            "forbidden": say("head_view.forbidden", **words),
            "note": _left_out(picture, least, say),
            "table": say("head_view.table") if table else "",
        },
    }
    maps = picture.weights
    if len(picture.heads) > 1:
        maps = np.concatenate([maps, picture.combined[None]])
    return payload.pack(header, maps, picture.mask, picture.most)


def faintest(weights: np.ndarray, most: float) -> float:
    """From which weight on lines are drawn: more than MOST_LINES of them would be fog, and slow."""
    least = LEAST * most
    if np.count_nonzero(weights >= least) <= MOST_LINES:
        return least
    return float(np.partition(weights, -MOST_LINES, axis=None)[-MOST_LINES])


def _left_out(picture: Picture, least: float, say: Callable[..., str]) -> str:
    """How much of the picture is drawn, if not all of it."""
    drawn, total = picture.weights[picture.weights >= least].sum(), picture.weights.sum()
    if drawn >= total:
        return ""
    values = {"least": rounded(least, 2), "share": int(100 * drawn / total)}
    if least > LEAST * picture.most:
        return say("head_view.note.many", **values)
    return say("head_view.note", **values)


def _nothing() -> None:
    """A trigger needs a callback to be known by its name."""
