"""A run on a page of the app, inside a notebook: the same views, scripts and words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from model.network.kinds import KINDS
from viz.components.head_grid import Block, payload
from viz.export import standalone
from viz.export.standalone import Sheet
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.notebook import figures
from viz.notebook.asked import Asked, asked
from viz.notebook.shown import Shown
from viz.notebook.stacked import stacked
from viz.notebook.words import grid_in_words, in_words
from viz.pages.all_heads.numbers import MEASURES, measures
from viz.pages.inside import WAY
from viz.pages.inside.figures import small, strip
from viz.pages.inside.formulas import formula
from viz.pages.inside.numbers import cell
from viz.state.picture import sides

if TYPE_CHECKING:
    from model import Trace

# Of a cell's steps those that a still picture shows: the others are vectors of the whole width.
STILL = ("product", "scale", "mask", "softmax", "mix")


def show(trace: Trace, page: str = "look", **chosen: Any) -> Shown:
    """A run on one page of the app; PAGES has the names.

    `chosen` may be kind, layer, head (one or several), row, column, reading, units, special, weighting,
    colour, combine, language and translator, which some pages need; layers and heads are numbered from 0.
    """
    if page not in PAGES:
        raise ValueError(f"a page is one of {', '.join(PAGES)}, not {page!r}")
    return PAGES[page](asked(trace, **chosen))


def _look(now: Asked) -> Shown:
    say, here, shown = now.say, now.here, now.shown
    seen = "seen.encoder" if here.kind == "encoder" else f"seen.{here.kind}.{here.reading}"
    page = standalone.page(
        shown, say, title=now.named, explanation=say(seen), layer=here.layer,
        row=shown.row_of(here.row), column=shown.column_of(here.column),
        scale=say(f"heatmap.{here.weighting}"), colour=here.colour, **_told(now),
    )  # fmt: skip
    drawn = stacked([figures.drawn("head_view", now), figures.drawn("heatmap", now)], now.named)
    return Shown(in_words(now), drawn, page)


def _all_heads(now: Asked) -> Shown:
    say = now.say
    page = standalone.grid_page(
        payload(_blocks(now), now.here, "entropy", say), say,
        title=say("all_heads.title"), explanation=say("all_heads.seen"), **_told(now),
    )  # fmt: skip
    return Shown(grid_in_words(now), figures.drawn("grid", now), page)


def _blocks(now: Asked) -> list[Block]:
    """Every head of every kind, with what each measure says of it."""
    measured = {name: measures(now.trace, name) for name in MEASURES}
    made = []
    for kind in KINDS:
        looking, looked_at = sides(now.trace, kind, now.here.reading)
        named = "source" if kind == "encoder" else f"{kind}.{now.here.reading}"
        queries, keys = ([readable(piece, now.say) for piece in side.pieces] for side in (looking, looked_at))
        made.append(
            Block(
                kind, now.trace.attention[kind], now.trace.mask[kind], queries, keys,
                now.say(f"all_heads.rows.{named}"),
                {name: by_kind[kind] for name, by_kind in measured.items()},
            )
        )  # fmt: skip
    return made


def _inside(now: Asked) -> Shown:
    """All steps of one cell; the strip on top leads from one to the next."""
    now = figures.between_pieces(now)
    say, here = now.say, now.here
    found = cell(now.trace, here.kind, here.layer, now.head, *now.cell)
    whose = now.looking.said(found.row, say)
    sheets = []
    for step in WAY:
        written = formula(step, found, say("formula.more")).plain
        said = " ".join(filter(None, (written, whose, say(f"step.{step}.seen"))))
        sheets.append(Sheet(step, figures.drawing(f"step.{step}", now), say(f"step.{step}.title"), said))
    listed = [(step, say(f"step.{step}"), small(step, found, False)) for step in WAY]
    menu = strip(listed, (), "product", say("inside.strip"))
    return _of(now, sheets, say("inside.title"), menu, f"{now.named}. {say('inside.what')}", STILL)


def _sheets(page: str, names: Sequence[str], explained: str) -> Callable[[Asked], Shown]:
    """A page that shows some figures under each other."""

    def made(now: Asked) -> Shown:
        sheets = [Sheet(name, figures.drawing(name, now), now.say(f"export.{name}")) for name in names]
        return _of(now, sheets, now.say(f"{page}.title"), None, now.say(explained))

    return made


def _of(
    now: Asked, sheets: Sequence[Sheet], title: str, menu: Drawing | None, explained: str,
    still: Sequence[str] = (),
) -> Shown:  # fmt: skip
    """`still` are the sheets of the drawing that says the same; all of them where none are named."""
    page = standalone.drawings_page(
        sheets, now.say, menu=menu, title=title, explanation=explained, **_told(now)
    )
    kept = [sheet for sheet in sheets if not still or sheet.name in still]
    drawn = stacked([sheet.drawing.svg() for sheet in kept], title, [sheet.heading for sheet in kept])
    words = "\n".join([title, *(f"{sheet.heading}: {sheet.text}".removesuffix(": ") for sheet in sheets)])
    return Shown(f"{in_words(now, rows=False)}\n{words}", drawn, page)


def _told(now: Asked) -> dict[str, str]:
    return {"sentence": now.sentence, "translation": now.translation}


PAGES: Mapping[str, Callable[[Asked], Shown]] = {
    "look": _look,
    "all_heads": _all_heads,
    "inside": _inside,
    "positions": _sheets(
        "positions", ("positions_vectors", "positions_row", "positions_terms", "positions_sizes"),
        "positions.terms.said",
    ),
    "layers": _sheets("layers", ("added", "norm", "path", "units", "unit_bars"), "added.explained"),
    "decoding": _sheets(
        "decoding", ("decoding_strip", "decoding_next", "decoding_heads", "beam_tree"),
        "decoding.steps.explained",
    ),
    "atlas": _sheets(
        "atlas", ("named_encoder", "named_decoder", "named_cross", "named_effects", "matrix"),
        "notebook.atlas",
    ),
}  # fmt: skip
