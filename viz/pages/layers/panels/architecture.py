"""The architecture with every shape, and what the chosen box does."""

from functools import partial

import streamlit as st

from model.inspect.sublayers import PARTS
from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.pages.layers import formulas, numbers
from viz.pages.layers.figures import diagram
from viz.pages.layers.panels.here import Here, pick
from viz.state import runs
from viz.state.language import say


def architecture(now: Here) -> Drawing:
    config = runs.translator().config
    shape = diagram.Shape(
        config.layers, len(now.trace.source.ids), len(now.trace.target.read),
        config.width, config.hidden, config.heads, config.vocabulary, config.decoder_layers,
    )  # fmt: skip
    lengths = {}
    if now.kept:
        found = numbers.added(now.stream, now.steps, now.row)
        lengths = {"embedding": found.before[0]} | dict(
            zip(map(diagram.name, now.places), found.after, strict=True)
        )
    parts = {stack: tuple(parts) for stack, parts in PARTS.items()}
    return diagram.architecture(shape, parts, now.place, lengths, say)


def show_architecture(now: Here) -> Drawing:
    """The diagram, and what the chosen box does."""
    drawn, config = architecture(now), runs.translator().config
    drawing.show(drawn, key="diagram", on_pick=partial(pick, "diagram"))
    said = {"heads": config.heads, "width": config.width, "hidden": config.hidden, "layer": now.layer + 1}
    count = numbers.parameters(now.part, config.width, config.hidden)
    job = f"{now.stack}_{now.part}" if now.part == "attention" else now.part
    formula, size = f"${formulas.sublayer(now.part, config)}$", say("does.parameters", count=f"{count:,}")
    st.caption(f"{say(f'does.{job}', **said)} {formula}. {size}")
    return drawn
