"""What memory is worth: measured once on novels that no model has read, drawn from the checkpoint's file."""

import numpy as np
import streamlit as st

from viz.components import drawing
from viz.figures.drawing import Drawing
from viz.figures.numbers import count, fixed, percent, roughly, signed
from viz.frame.presenter import presenting
from viz.pages.why import Why
from viz.pages.why.figures.memory import worth as figures
from viz.pages.why.numbers import memory as numbers
from viz.state import recalled
from viz.state.language import say
from viz.state.session import chosen
from viz.text import verbatim
from viz.widgets.panel import Panel

PICTURES = ("why_memory_place", "why_memory_distance", "why_memory_length")


def show() -> Panel:
    found, shape, layer = recalled.measured(), recalled.reader().config, chosen(Why).memory_layer
    places = numbers.by_place(found)
    distances = {way: np.array(each[layer]) for way, each in found["distance"].items()}
    length = numbers.curve(found["length"])
    drawn: dict[str, Drawing] = {
        "why_memory_place": figures.by_place(places, say),
        "why_memory_distance": figures.by_distance(distances, shape.segment, say),
        "why_memory_length": figures.by_length(found["length"]["kept"], length, shape.memory, say),
    }
    said = {
        "why_memory_place": _place_said(places, found),
        "why_memory_distance": _distance_said(distances, shape.segment, layer),
        "why_memory_length": _length_said(found, length, shape.memory),
    }
    finding = _finding(found)
    st.text(finding)
    for name, column in zip(PICTURES, st.columns(3, gap="medium"), strict=True):
        with column:
            st.caption(say(f"export.{name}"))
            drawing.show(drawn[name], key=f"picture_{name}")
            st.text(said[name])
    explained = _explained(found)
    if not presenting():
        st.caption(verbatim(explained))
    arrays = {
        **{f"{part}_{way}": getattr(one, part) for way, one in places.items() for part in one._fields},
        **{f"distance_{way}": each for way, each in distances.items()},
        "kept": np.array(found["length"]["kept"]),
        **{f"length_{part}": each for part, each in length._asdict().items()},
    }  # fmt: skip
    return Panel(drawn, arrays, finding, explained, said=said)


def _finding(found: dict) -> str:
    """With memory and without, over everything; whether the difference is clear, its interval decides."""
    overall, dearer = found["overall"], found["dearer"]["none"]
    told = {way: fixed(each["mean"], 2) for way, each in overall.items()}
    verdict = numbers.clear(dearer)
    apart, low, high = (dearer[part] for part in ("mean", "low", "high"))
    if verdict == "cheaper":  # "less" is said, so that sizes follow
        apart, low, high = -apart, -high, -low
    pieces = found["counted"] * len(found["position"]["memory"]["mean"])
    ends = {"apart": signed(apart), "low": signed(low), "high": signed(high)}
    return say(f"why.memory.worth.{verdict}", **told, **ends, n=count(pieces))


def _place_said(places: dict[str, numbers.Curve], found: dict) -> str:
    """At which place of a segment memory matters, and what is left of it at the last."""
    first, last = (signed(float(places["none"].mean[at] - places["memory"].mean[at])) for at in (0, -1))
    place = say("why.memory.place.said", first=first, last=last)
    verdict = numbers.clear(found["dearer"]["absolute"])
    apart = fixed(abs(found["dearer"]["absolute"]["mean"]), 2)
    return f"{place} {say(f'why.memory.absolute.{verdict}', apart=apart)}"


def _distance_said(distances: dict[str, np.ndarray], segment: int, layer: int) -> str:
    """An echo of the last segment, where there is one; else how much nearness counts."""
    where = {"segment": segment, "layer": layer + 1}
    relative, absolute = (numbers.echo(distances[way], segment) for way in ("memory", "absolute"))
    if absolute > max(1.2, relative):
        return say("why.memory.echo", **where, absolute=_times(absolute), relative=_times(relative))
    relative, absolute = (numbers.nearest(distances[way]) for way in ("memory", "absolute"))
    key = "why.memory.echo.none" if absolute < relative else "why.memory.echo.near"
    shares = {"absolute": percent(absolute, 0), "relative": percent(relative, 0)}
    return say(key, **where, near=numbers.NEAR, **shares)


def _times(factor: float) -> str:
    """One digit after the point, as long as a second one would be read."""
    return fixed(factor, 1) if factor < 10 else roughly(factor)


def _length_said(found: dict, length: numbers.Curve, learned: int) -> str:
    """Where more memory stops to help; it learned with a certain length and may be given another."""
    kept = found["length"]["kept"]
    best = int(length.mean.argmin())
    if not kept[best]:
        return say("why.memory.length.none", learned=learned, none=fixed(length.mean[0], 2))
    return say(
        "why.memory.length.said", none=fixed(length.mean[0], 2), kept=kept[best],
        best=fixed(length.mean[best], 2), learned=learned,
    )  # fmt: skip


def _explained(found: dict) -> str:
    trained = found["trained"]
    main = trained["memory"]
    return say(
        "why.memory.worth.explained", passages=count(found["passages"]), counted=count(found["counted"]),
        parameters=count(main["parameters"]), steps=count(main["steps"]), read=count(main["pieces"]),
    )  # fmt: skip
