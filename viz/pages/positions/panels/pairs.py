"""Pairs of dimensions: as waves, and as clocks that a shift turns."""

from collections.abc import Iterator

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import Trace
from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.figures.numbers import scientific
from viz.frame.presenter import presenting
from viz.pages.positions import Positions, figures, formulas, numbers
from viz.pages.positions.panels import maps
from viz.state.language import say
from viz.widgets.panel import Panel

MOST_WAVES, CLOCKS, OFFERED = 8, 3, 16


def waves(trace: Trace, chosen: Positions) -> Panel:
    """Some pairs of dimensions as waves, each with its wavelength."""
    _choose_pairs(chosen)
    turns = numbers.turns(chosen.wave_width, chosen.base)
    lengths = numbers.wavelengths(chosen.wave_width, chosen.base)
    names = say("positions.sine"), say("positions.cosine")
    drawings: list[Drawing] = []
    for pair, (said, shown) in zip(chosen.waves, _places(len(chosen.waves)), strict=True):
        with said:
            st.markdown(_pair_title(pair))
            st.latex(formulas.wavelength(pair, chosen.wave_width, chosen.base, lengths[pair]))
        drawn = figures.wave(
            turns[pair], chosen.places, (chosen.first, chosen.second), len(drawings),
            title=_pair_title(pair), x_title=say("positions.axis.position"), names=names,
            size=figures.WALL if presenting() else figures.WAVE,
        )  # fmt: skip
        with shown:
            drawing.show(drawn, key=f"positions_wave_{pair}")
        drawings.append(drawn)
    st.caption(say("positions.waves.said"))
    return Panel(
        {"positions_waves": lambda: _sheet("positions_waves", drawings, chosen).svg()},
        {"pairs": np.array(chosen.waves), "wavelengths": lengths[list(chosen.waves)]},
        said={"positions_waves": say("positions.waves.said")},
    )


def shift(trace: Trace, chosen: Positions) -> Panel:
    """From p to q every pair turns by an angle of its own, wherever p is."""
    with st.container(horizontal=True, gap="medium", key="cursors"):
        maps.cursors(chosen.places)
        _choose_pairs(chosen)
    waves, by = numbers.table(chosen.places, chosen.wave_width, chosen.base), chosen.second - chosen.first
    matrices, pairs = numbers.rotation(by, chosen.wave_width, chosen.base), chosen.waves[:CLOCKS]
    names = f"PE({chosen.first})", f"PE({chosen.second})"
    turns = numbers.turns(chosen.wave_width, chosen.base)
    drawings: list[Drawing] = []
    for hue, (column, pair) in enumerate(zip(st.columns(CLOCKS, gap="medium"), pairs, strict=False)):
        before, after = waves[[chosen.first, chosen.second], 2 * pair : 2 * pair + 2]
        with column:
            st.markdown(_pair_title(pair))
            angles = chosen.first * turns[pair], chosen.second * turns[pair]
            drawings.append(
                figures.clock(before, after, hue, names=names, title=_pair_title(pair), angles=angles)
            )
            drawing.show(drawings[-1], key=f"positions_clock_{pair}")
            st.latex(formulas.turned(matrices[pair], before, after))
    error = scientific(numbers.shift_error(waves, by, chosen.base))
    count = {"pairs": len(matrices), "count": chosen.places - abs(by), "error": error}
    measured, said = (
        say("positions.shift.error", **count),
        say("positions.shift.said", by=f"{by:+d}".replace("-", "−")),
    )
    st.markdown(measured)
    st.caption(said)
    return Panel(
        {"positions_clocks": lambda: _sheet("positions_clocks", drawings, chosen).svg()},
        {"rotations": matrices, "table": waves},
        said={"positions_clocks": f"{said} {measured}"},
    )


def _places(count: int) -> Iterator[tuple[DeltaGenerator, DeltaGenerator]]:
    """Where each wave and its formula stand: three abreast, on a wall one as wide as the wall."""
    if presenting():
        for _ in range(count):
            said, shown = st.columns([1, 3], gap="medium", vertical_alignment="center")
            yield said, shown
        return
    for row in range(0, count, 3):
        for column, _ in zip(st.columns(3, gap="medium"), range(row, count), strict=False):
            yield column, column


def _choose_pairs(chosen: Positions) -> None:
    """Evenly spaced pairs to choose from, and those that are chosen already."""
    before = chosen.waves

    def settle() -> None:
        st.session_state["waves"] = sorted(st.session_state["waves"])[:MOST_WAVES] or list(before)

    offered = sorted({*numbers.sampled(chosen.wave_width // 2, OFFERED).tolist(), *before})
    st.pills(say("waves.label"), offered, selection_mode="multi", key="waves", on_change=settle, wrap=True)


def _pair_title(pair: int) -> str:
    return say("positions.pair", pair=pair, even=2 * pair, odd=2 * pair + 1)


def _sheet(name: str, drawings: list[Drawing], chosen: Positions) -> Drawing:
    return figures.together(
        drawings, say(f"export.{name}"), lambda place: _pair_title(chosen.waves[place]).replace("*", "")
    )
