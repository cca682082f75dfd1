"""Three ways to tell positions apart, as maps of how alike any two of them look."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model import Trace
from viz.figures.numbers import scientific
from viz.pages.positions import Positions, numbers
from viz.pages.positions.panels import maps
from viz.state.language import say
from viz.state.runs import translator
from viz.widgets.panel import Panel

BASE = 10_000
KINDS = ("sinusoidal", "learned", "rotary")


def kinds(trace: Trace, chosen: Positions) -> Panel:
    """Three ways to tell positions apart, as maps of how alike any two of them look."""
    alikes, sentences = _alike(chosen), {}
    for kind, column in zip(KINDS, st.columns(3, gap="medium"), strict=True):
        alike = alikes[kind]
        values: dict[str, object] = {}
        shown, unit = numbers.sampled(len(alike)), "score" if kind == "rotary" else "product"
        with column:
            st.markdown(say(f"positions.kinds.{kind}.title"))
            seen = alike[np.ix_(shown, shown)]
            maps.show_map(f"positions_{kind}", seen, shown, shown, unit=say(f"positions.unit.{unit}"))
            if kind == "learned":
                values = {"length": translator().config.length}
            elif kind == "rotary":
                values = {"spread": scientific(numbers.spread(alike))}
            if kind == "learned" and translator().config.positions != "learned":
                said = say("positions.kinds.learned.untrained", **values)
            else:
                said = say(f"positions.kinds.{kind}.said", **values)
            sentences[f"positions_{kind}"] = maps.on_paper(said, alike)
            st.caption(" ".join([said, *maps.sampling_note(int(shown[1]))]))
    return Panel(
        {f"positions_{kind}": partial(maps.map_svg, f"positions_{kind}", alikes[kind]) for kind in KINDS},
        alikes,
        said=sentences,
    )


def _alike(chosen: Positions) -> dict[str, np.ndarray]:
    model, places, width = translator().model, chosen.places, chosen.wave_width
    # torch cannot tell which kind of positions a module has; the configuration can.
    table: Any = model.encoder.embedding.encoding
    own = table.table if model.config.positions == "learned" else None
    learned = numbers.learned(model.config, width, own)[:places]
    turned = numbers.turned(model.config, places, width)
    return {
        "sinusoidal": numbers.products(numbers.table(places, width, BASE)),
        "learned": numbers.products(learned),
        "rotary": numbers.products(turned) / np.sqrt(width),
    }
