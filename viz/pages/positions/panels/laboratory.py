"""The laboratory of positions: the table of waves, what two positions share, shifts, and other kinds."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import streamlit as st

from model import Trace
from viz.components import drawing
from viz.components.heatmap import heatmap
from viz.export import dialog as export
from viz.export.handout import Section
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.numbers import scientific
from viz.pages.positions import figures, formulas
from viz.pages.positions import numbers as order
from viz.state.selection import NUMBERS, Selection
from viz.state.session import say, select, selection, translator
from viz.widgets.controls import choose, choose_heads

BASE = 10_000  # of every checkpoint's own waves (paper, section 3.5)
MOST_WAVES, CLOCKS, OFFERED = 8, 3, 16
TALL = 280  # pixels of a map
PAPER = 64  # rows and columns of a printed one
KINDS = ("sinusoidal", "learned", "rotary")


class Panel(NamedTuple):
    """What a panel gives to take home: drawings, made when asked for, their sentences, and the numbers."""

    pictures: Mapping[str, Callable[[], str]]
    said: Mapping[str, str]
    arrays: Mapping[str, np.ndarray | float | str]
    sums: Mapping[str, str] = MappingProxyType({})  # the arithmetic of a picture, in one line


def files(trace: Trace, chosen: Selection, panel: Panel) -> export.Files:
    pictures = {name: make() for name, make in panel.pictures.items()}
    sections = [
        Section(say(f"export.{name}"), svg, panel.said[name], panel.sums.get(name, ""))
        for name, svg in pictures.items()
    ]
    title = say("positions.title")
    return export.panel_files("positions", trace, chosen, pictures, panel.arrays, sections, title)


def controls(trace: Trace) -> Selection:
    """The widgets of the chosen panel, and the selection with everything inside the table."""
    panel = selection().order
    if panel in ("table", "waves", "shift", "kinds"):
        _number("wave_width")
        if panel != "kinds":
            _number("base")
        _number("places")
        _fit()
    elif panel == "terms":
        choose("kind")
        choose_heads(trace.attention["encoder"].shape[1])
    return selection()


def table(trace: Trace, chosen: Selection) -> Panel:
    """The table, two positions in it, and how alike they look."""
    waves = order.table(chosen.places, chosen.wave_width, chosen.base)
    alike = order.products(waves)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        _heatmap(
            "order_table", waves, range(chosen.places), range(chosen.wave_width), most=1,
            columns=say("order.axis.dimension"), unit=say("order.unit.value"),
            row=chosen.first, also=(chosen.second,), on_pick=_pick_row,
        )  # fmt: skip
        about = _about_table(chosen)
        st.caption(about)
    with middle:
        with st.container(horizontal=True, gap="medium", key="cursors"):
            _cursors(chosen.places)
        pair = _vectors(chosen, waves)
        drawing.show(pair, key="order_vectors")
        st.latex(formulas.dot_product(waves, chosen.first, chosen.second))
        row = _likeness(chosen, alike)
        drawing.show(row, key="order_row")
    with right:
        shown = order.sampled(chosen.places)
        step = int(shown[1])
        _heatmap(
            "order_products", alike[np.ix_(shown, shown)], shown, shown, unit=say("order.unit.product"),
            row=chosen.first // step, column=chosen.second // step, on_pick=_pick_pair,
        )  # fmt: skip
        distance = abs(chosen.first - chosen.second)
        compared = say("order.compared", distance=distance)
        st.caption(" ".join([compared, *_sampled(step)]))
    sum_ = f"PE({chosen.first}) · PE({chosen.second}) = {alike[chosen.first, chosen.second]:.4f}"
    return Panel(
        {
            "order_table": lambda: _map_svg("order_table", waves, 1, say("order.axis.dimension")),
            "order_vectors": pair.svg,
            "order_row": row.svg,
            "order_products": lambda: _map_svg("order_products", alike),
        },
        {
            "order_table": _on_paper(about, waves),
            "order_vectors": compared,
            "order_row": compared,
            "order_products": _on_paper(compared, alike),
        },
        {"table": waves, "products": alike},
        {"order_vectors": sum_},
    )


def waves(trace: Trace, chosen: Selection) -> Panel:
    """Some pairs of dimensions as waves, each with its wavelength."""
    _choose_pairs(chosen)
    turns = order.turns(chosen.wave_width, chosen.base)
    lengths = order.wavelengths(chosen.wave_width, chosen.base)
    names = say("order.sine"), say("order.cosine")
    drawings = []
    for row in range(0, len(chosen.waves), 3):
        for column, pair in zip(st.columns(3, gap="medium"), chosen.waves[row : row + 3], strict=False):
            with column:
                st.markdown(_pair_title(pair))
                st.latex(formulas.wavelength(pair, chosen.wave_width, chosen.base, lengths[pair]))
                drawn = figures.wave(
                    turns[pair], chosen.places, (chosen.first, chosen.second), len(drawings),
                    title=_pair_title(pair), x_title=say("order.axis.position"), names=names,
                )  # fmt: skip
                drawing.show(drawn, key=f"order_wave_{pair}")
                drawings.append(drawn)
    st.caption(say("order.waves.said"))
    return Panel(
        {"order_waves": lambda: _sheet("order_waves", drawings, chosen).svg()},
        {"order_waves": say("order.waves.said")},
        {"pairs": np.array(chosen.waves), "wavelengths": lengths[list(chosen.waves)]},
    )


def shift(trace: Trace, chosen: Selection) -> Panel:
    """From p to q every pair turns by an angle of its own, wherever p is."""
    with st.container(horizontal=True, gap="medium", key="cursors"):
        _cursors(chosen.places)
        _choose_pairs(chosen)
    waves, by = order.table(chosen.places, chosen.wave_width, chosen.base), chosen.second - chosen.first
    matrices, pairs = order.rotation(by, chosen.wave_width, chosen.base), chosen.waves[:CLOCKS]
    names = f"PE({chosen.first})", f"PE({chosen.second})"
    drawings = []
    for hue, (column, pair) in enumerate(zip(st.columns(CLOCKS, gap="medium"), pairs, strict=False)):
        before, after = waves[[chosen.first, chosen.second], 2 * pair : 2 * pair + 2]
        with column:
            st.markdown(_pair_title(pair))
            drawings.append(figures.clock(before, after, hue, names=names, title=_pair_title(pair)))
            drawing.show(drawings[-1], key=f"order_clock_{pair}")
            st.latex(formulas.turned(matrices[pair], before, after))
    error = scientific(order.shift_error(waves, by, chosen.base))
    count = {"pairs": len(matrices), "count": chosen.places - abs(by), "error": error}
    measured, said = (
        say("order.shift.error", **count),
        say("order.shift.said", by=f"{by:+d}".replace("-", "−")),
    )
    st.markdown(measured)
    st.caption(said)
    return Panel(
        {"order_clocks": lambda: _sheet("order_clocks", drawings, chosen).svg()},
        {"order_clocks": f"{said} {measured}"},
        {"rotations": matrices, "table": waves},
    )


def kinds(trace: Trace, chosen: Selection) -> Panel:
    """Three ways to tell positions apart, as maps of how alike any two of them look."""
    maps, sentences = _alike(chosen), {}
    for kind, column in zip(KINDS, st.columns(3, gap="medium"), strict=True):
        alike, values = maps[kind], {}
        shown, unit = order.sampled(len(alike)), "score" if kind == "rotary" else "product"
        with column:
            st.markdown(say(f"order.kinds.{kind}.title"))
            _heatmap(
                f"order_{kind}", alike[np.ix_(shown, shown)], shown, shown, unit=say(f"order.unit.{unit}")
            )  # fmt: skip
            if kind == "learned":
                values = {"length": translator().config.length}
            elif kind == "rotary":
                values = {"spread": scientific(order.spread(alike))}
            if kind == "learned" and translator().config.positions != "learned":
                said = say("order.kinds.learned.untrained", **values)
            else:
                said = say(f"order.kinds.{kind}.said", **values)
            sentences[f"order_{kind}"] = _on_paper(said, alike)
            st.caption(" ".join([said, *_sampled(int(shown[1]))]))
    return Panel(
        {name: lambda name=name: _map_svg(name, maps[name.removeprefix("order_")]) for name in sentences},
        sentences,
        maps,
    )


def _alike(chosen: Selection) -> dict[str, np.ndarray]:
    model, places, width = translator().model, chosen.places, chosen.wave_width
    own = model.encoder.embedding.encoding.table if model.config.positions == "learned" else None
    learned = order.learned(model.config, width, own)[:places]
    turned = order.turned(model.config, places, width)
    return {
        "sinusoidal": order.products(order.table(places, width, BASE)),
        "learned": order.products(learned),
        "rotary": order.products(turned) / np.sqrt(width),
    }


def _number(name: str) -> None:
    """A slider over the few numbers that make sense here."""
    st.select_slider(say(f"{name}.label"), NUMBERS[name], format_func="{:,}".format, key=name, width=150)


def _fit() -> None:
    """Nothing may be chosen that a smaller table no longer has."""
    chosen = selection()
    pairs = tuple(pair for pair in chosen.waves if pair < chosen.wave_width // 2)[:MOST_WAVES]
    last = chosen.places - 1
    select(waves=pairs or (0,), first=min(chosen.first, last), second=min(chosen.second, last))


def _cursors(places: int) -> None:
    for name in ("first", "second"):
        st.slider(say(f"{name}.label"), 0, places - 1, key=name, width=165)


def _choose_pairs(chosen: Selection) -> None:
    """Evenly spaced pairs to choose from, and those that are chosen already."""
    before = chosen.waves

    def settle() -> None:
        st.session_state["waves"] = sorted(st.session_state["waves"])[:MOST_WAVES] or list(before)

    offered = sorted({*order.sampled(chosen.wave_width // 2, OFFERED).tolist(), *before})
    st.pills(say("waves.label"), offered, selection_mode="multi", key="waves", on_change=settle, wrap=True)


def _pair_title(pair: int) -> str:
    return say("order.pair", pair=pair, even=2 * pair, odd=2 * pair + 1)


def _vectors(chosen: Selection, waves: np.ndarray) -> figures.Drawing:
    first, second = waves[chosen.first], waves[chosen.second]
    one, other = f"PE({chosen.first})", f"PE({chosen.second})"
    return figures.vectors(
        {one: first, other: second, f"{one} ⊙ {other}": first * second}, say("export.order_vectors")
    )


def _likeness(chosen: Selection, alike: np.ndarray) -> figures.Drawing:
    name = f"PE({chosen.first}) · PE(pos)"
    return figures.likeness(
        alike[chosen.first], chosen.first, chosen.second, title=say("export.order_row"),
        x_title=say("order.axis.position"), y_title=name, name=name,
    )  # fmt: skip


def _about_table(chosen: Selection) -> str:
    config = translator().config
    said = [say("order.table.said", base=f"{chosen.base:,}", width=chosen.wave_width)]
    if config.positions != "sinusoidal":
        said.append(say("order.table.other", kind=say(f"order.kind.{config.positions}")))
    elif (chosen.wave_width, chosen.base) == (config.width, BASE):
        said.append(say("order.table.own"))
    else:
        said.append(say("order.table.lab", width=config.width, base=f"{BASE:,}"))
    if chosen.places > config.length:
        said.append(say("order.table.end", length=config.length))
    return " ".join(said)


def _heatmap(
    name: str, numbers: np.ndarray, rows: range | np.ndarray, across: range | np.ndarray, *, unit: str,
    most: float | None = None, columns: str | None = None, row: int | None = None, column: int | None = None,
    also: tuple[int, ...] = (), on_pick: Callable[[], None] | None = None,
) -> None:  # fmt: skip
    """Numbers to both sides of zero by position; no words, so rows can be as low as a pixel."""
    most = float(abs(numbers).max()) if most is None else most
    heatmap(
        numbers, np.ones(numbers.shape, bool), [str(each) for each in rows], [str(each) for each in across],
        say, key=name, label=say(f"export.{name}"), rows=say("order.axis.position"), unit=unit,
        columns=columns or say("order.axis.position"), most=most, least=-most, row=row, column=column,
        also=also, tall=TALL, on_pick=on_pick,
    )  # fmt: skip


def _map_svg(name: str, numbers: np.ndarray, most: float | None = None, columns: str | None = None) -> str:
    """The same on paper, where every row needs room: of many, every second, third, …"""
    rows, across = (order.sampled(count, PAPER) for count in numbers.shape)
    part = numbers[np.ix_(rows, across)]
    most = float(abs(part).max()) if most is None else most
    return heatmap_svg(
        part, [str(each) for each in rows], [str(each) for each in across], most=most, least=-most,
        rows=say("order.axis.position"), columns=columns or say("order.axis.position"),
        title=say(f"export.{name}"), titles=part.size <= 1024,
    )  # fmt: skip


def _on_paper(said: str, numbers: np.ndarray) -> str:
    """What a printed map says: the sentence, and what was left out of the picture."""
    rows, columns = (-(-count // PAPER) for count in numbers.shape)
    if rows == columns == 1:
        return said
    return f"{said} {say('order.paper', rows=rows, columns=columns)}"


def _sheet(name: str, drawings: list[figures.Drawing], chosen: Selection) -> figures.Drawing:
    return figures.together(
        drawings, say(f"export.{name}"), lambda place: _pair_title(chosen.waves[place]).replace("*", "")
    )


def _sampled(step: int) -> list[str]:
    return [say("order.sampled", step=step)] if step > 1 else []


def _pick_row() -> None:
    """A row of the table was clicked: p stands there."""
    picked = st.session_state["order_table"]["pick"] or {}
    if picked.get("row") is not None:
        select(first=picked["row"])


def _pick_pair() -> None:
    """A cell was clicked: p and q stand there."""
    picked = st.session_state["order_products"]["pick"] or {}
    if picked.get("row") is not None:
        shown = order.sampled(selection().places)
        select(first=int(shown[picked["row"]]), second=int(shown[picked["column"]]))
