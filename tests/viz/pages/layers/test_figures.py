"""Layers: every drawing is plain data, stays inside its sheet and shows what it was given."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest

from model.inspect.sublayers import PARTS, sublayers
from viz.figures.labels import readable
from viz.pages.layers import numbers
from viz.pages.layers.figures import depth, diagram
from viz.pages.layers.figures import stream as flow
from viz.text import translate

say = translate("en")


def places_of(tiny, stack):
    return [step[:3] for step in sublayers(stack, tiny.config.layers)]


def drawings(tiny, trace, stack):
    """Every drawing of the page, of one token."""
    row, stream, config = 1, trace.stream[stack], tiny.config
    steps, places = sublayers(stack, config.layers), places_of(tiny, stack)
    chosen = places[-1]
    pieces = trace.source.pieces if stack == "encoder" else trace.target.predicted
    labels = [readable(piece, say) for piece in pieces]
    shape = diagram.Shape(
        config.layers, len(trace.source.ids), len(trace.target.read),
        config.width, config.hidden, config.heads, config.vocabulary,
    )  # fmt: skip
    lengths = {"embedding": 3.0} | {diagram.name(place): 2.0 for place in places}
    parts = {each: tuple(PARTS[each]) for each in PARTS}
    yield diagram.architecture(shape, parts, chosen, lengths, say)
    yield diagram.architecture(shape, parts, chosen, {}, say)
    yield flow.added(places, numbers.added(stream, steps, row)._asdict(), chosen, say)
    yield flow.norms(places, numbers.spreads(stream, steps, row)._asdict(), chosen, say)
    points = numbers.heights(stream, steps)
    plane = numbers.fit_plane(points)
    placed = plane.place(points)
    yield flow.path(placed, placed, row, labels, places, chosen, say)
    hidden = stream[f"{steps[-1].where}.hidden"][row]
    yield depth.units(hidden, say)
    yield depth.unit_bars(numbers.strongest(hidden), hidden[numbers.strongest(hidden)], say)
    if stack == "decoder":
        ids, log_probs = (array[:, row] for array in trace.top)
        listed = [[readable(piece, say) for piece in tiny.tokenizer.choices(each.tolist())] for each in ids]
        final = trace.target.predicted_ids[row]
        ranks = numbers.ranks(ids, final)
        yield depth.vocabulary(listed, np.exp(log_probs), ids, final, "<i>", ranks, say)
    ticks = [(0, "0"), (len(steps), "1")]
    odd = np.array([0.0, np.inf, np.nan, 1e-30, *[1.0] * (len(steps) + 1)])[: len(steps) + 1]
    yield depth.gradients({"trained": np.full(len(steps) + 1, 0.5), "neither": odd}, ticks, 1, say)


@pytest.mark.parametrize("stack", PARTS)
def test_every_drawing_is_plain_data_inside_its_sheet_and_opens_on_its_own(tiny, trace, stack):
    for drawn in drawings(tiny, trace, stack):
        json.dumps(drawn.data(), allow_nan=False)  # what is not plain does not reach the browser
        ElementTree.fromstring(drawn.svg())
        ElementTree.fromstring(drawn.svg(dark=True))
        assert drawn.wide <= 420
        for mark in drawn.marks:
            spots = mark["points"] if mark["shape"] == "line" else [(mark["x"], mark["y"])]
            assert all(-1 <= x <= drawn.wide + 1 and -1 <= y <= drawn.high + 1 for x, y in spots), mark
            assert mark.get("size", 12) >= 5.5 if mark["shape"] == "cells" else mark.get("size", 12) >= 11


def test_the_diagram_has_every_sublayer_once_and_its_boxes_do_not_overlap(tiny, trace):
    drawn = next(drawings(tiny, trace, "decoder"))
    boxes = [mark for mark in drawn.marks if "pick" in mark]
    expected = {diagram.name(place) for stack in PARTS for place in places_of(tiny, stack)}
    assert sorted(box["name"] for box in boxes) == sorted(expected)
    assert [box["name"] for box in boxes if box["on"]] == [diagram.name(places_of(tiny, "decoder")[-1])]
    for stack in PARTS:
        column = sorted(box["y"] for box in boxes if box["pick"][0] == stack)
        assert (np.diff(column) >= boxes[0]["high"]).all()
    said = [mark["text"] for mark in drawn.marks if mark["shape"] == "text"]
    layers, width = tiny.config.layers, tiny.config.width
    assert said.count(f"({len(trace.source.ids)}, {width})") >= layers + 1
    assert said.count(f"({len(trace.target.read)}, {width})") >= layers + 1
    assert f"({len(trace.target.read)}, {tiny.config.vocabulary})" in said


def test_gradients_too_small_for_the_scale_lie_at_its_foot_and_say_their_size():
    values = np.array([0.0, 1e-20, 1e-3, 10.0])
    drawn = depth.gradients({"trained": values}, [(0, "0"), (3, "1")], None, say)
    dots = {mark["name"]: mark for mark in drawn.marks if mark["shape"] == "circle"}
    assert dots["trained@0"]["y"] == dots["trained@1"]["y"] > dots["trained@2"]["y"] > dots["trained@3"]["y"]
    assert dots["trained@1"]["tip"].endswith(": 1e-20")
    assert any(mark.get("text", "").startswith("≤") for mark in drawn.marks)
