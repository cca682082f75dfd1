"""Layers: every number of the page follows from the run's own arrays, whatever the model and the sentence."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model import checkpoint
from model.inspect.sublayers import PARTS, sublayers
from tests.helpers.app import open_app
from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.figures.labels import readable
from viz.pages.layers import Layers
from viz.pages.layers import numbers as journey
from viz.pages.layers.figures import depth, diagram
from viz.pages.layers.figures import stream as flow
from viz.text import LANGUAGES, translate

TEXT = "My sister likes the old bridge <b>in</b> the garden."
OTHER = "A dog follows the cat."
say = translate("en")
MODELS = [
    {},
    {"positions": "rotary", "activation": "gelu"},
    {"positions": "learned", "layers": 1},
    {"positions": "none", "layers": 5},
]


@pytest.fixture(scope="module", params=MODELS, ids=str)
def tiny(request):
    return tiny_translator(tiny_tokenizer(), **request.param)


@pytest.fixture(scope="module")
def trace(tiny):
    return tiny.trace(TEXT)


def steps_of(tiny, stack):
    return sublayers(stack, tiny.config.layers)


def places_of(tiny, stack):
    return [step[:3] for step in steps_of(tiny, stack)]


@pytest.mark.parametrize("stack", PARTS)
def test_lengths_and_cosines_are_those_of_the_arrays(tiny, trace, stack):
    steps, row = steps_of(tiny, stack), 2
    found = journey.added(trace.stream[stack], steps, row)
    for number, step in enumerate(steps):
        before, output, after = (trace.points[path][row] for path in step[4:])
        assert found.before[number] == pytest.approx(np.sqrt((before**2).sum()), rel=1e-5)
        assert found.added[number] == pytest.approx(np.sqrt((output**2).sum()), rel=1e-5)
        assert found.after[number] == pytest.approx(np.sqrt((after**2).sum()), rel=1e-5)
        expected = before @ output / found.before[number] / found.added[number]
        assert found.cosine[number] == pytest.approx(expected, abs=1e-5)
    assert (abs(found.cosine) <= 1 + 1e-9).all()
    np.testing.assert_allclose(found.before[1:], found.after[:-1])  # what leaves one enters the next
    assert journey.heights(trace.stream[stack], steps).shape[0] == len(steps) + 1


@pytest.mark.parametrize("stack", PARTS)
def test_the_formula_of_the_layer_norm_gives_the_models_own_numbers(tiny, trace, stack):
    for step in steps_of(tiny, stack):
        total, norm = journey.totals(trace.stream[stack], step), trace.norm(step.after)
        for row, dimension in ((0, 0), (len(total) - 1, tiny.config.width - 1)):
            one = journey.one_norm(total[row], norm, dimension)
            assert one.result == pytest.approx(trace.points[step.after][row, dimension], abs=1e-4)
            assert one.weight * (one.x - one.mean) / one.spread + one.bias == pytest.approx(one.result)


def test_spreads_are_means_and_deviations_over_the_width(tiny, trace):
    steps = steps_of(tiny, "decoder")
    found = journey.spreads(trace.stream["decoder"], steps, 1)
    step = steps[-1]
    before = (trace.points[step.before] + trace.points[step.output])[1]
    after = trace.points[step.after][1]
    assert found.mean_before[-1] == pytest.approx(before.mean(), abs=1e-5)
    assert found.spread_before[-1] == pytest.approx(np.sqrt(((before - before.mean()) ** 2).mean()), rel=1e-4)
    assert found.mean_after[-1] == pytest.approx(after.mean(), abs=1e-5)
    assert found.spread_after[-1] == pytest.approx(after.std(), rel=1e-4)


@pytest.mark.parametrize("stack", PARTS)
def test_only_batch_norm_depends_on_who_else_is_in_the_batch(tiny, trace, stack):
    step = steps_of(tiny, stack)[-1]
    here, there = (journey.totals(run.stream[stack], step) for run in (trace, tiny.trace(OTHER)))
    norms = [journey.both_norms(here, there, row, 1e-5) for row in range(len(here))]
    for each in norms:
        np.testing.assert_array_equal(each.layer_alone, each.layer_together)
        assert abs(each.batch_alone - each.batch_together).max() > 1e-3
        assert each.layer_alone.mean() == pytest.approx(0, abs=1e-6)
    # Over the sentence alone, batch norm brings every dimension to mean 0.
    np.testing.assert_allclose(np.mean([each.batch_alone for each in norms], axis=0), 0, atol=1e-6)


def test_the_map_is_flat_square_and_shows_what_it_says():
    dice = np.random.default_rng(1)
    points = dice.standard_normal((6, 5, 12)) * np.linspace(3, 0.1, 12)
    plane = journey.fit_plane(points)
    np.testing.assert_allclose(plane.axes @ plane.axes.T, np.eye(2), atol=1e-9)
    spread = np.linalg.eigvalsh(np.cov(points.reshape(-1, 12).T, bias=True))
    assert plane.share(points) == pytest.approx(spread[-2:].sum() / spread.sum())
    np.testing.assert_allclose(
        plane.axes, journey.fit_plane(points[::-1]).axes, atol=1e-6
    )  # no dice in signs
    flat = plane.centre + plane.place(points) @ plane.axes
    assert plane.share(flat) == pytest.approx(1)
    np.testing.assert_allclose(plane.place(flat), plane.place(points), atol=1e-9)


def test_strongest_units_are_the_largest(tiny, trace):
    hidden = trace.stream["encoder"]["encoder.layers.0.feed_forward.hidden"][1]
    best = journey.strongest(hidden)
    assert len(best) == 10 and sorted(hidden)[-10:] == sorted(hidden[best])
    assert (np.diff(hidden[best]) <= 0).all()


def test_the_last_list_of_the_vocabulary_is_the_models_own_prediction(trace):
    for row, (piece, log_prob) in enumerate(zip(trace.target.predicted_ids, trace.log_probs, strict=True)):
        ranks = journey.ranks(trace.top.ids[:, row], piece)
        assert trace.top.ids[-1, row, ranks[-1] - 1] == piece
        assert trace.top.log_probs[-1, row, ranks[-1] - 1] == pytest.approx(log_prob, abs=1e-4)


def test_parameters_are_counted_as_the_model_has_them(tiny):
    for stack in PARTS:
        for step in steps_of(tiny, stack):
            module = tiny.model.get_submodule(step.where)
            expected = sum(parameter.numel() for parameter in module.parameters())
            assert journey.parameters(step.part, tiny.config.width, tiny.config.hidden) == expected


def test_the_first_token_shown_is_the_last_word():
    assert journey.usual_row(("▁the", "▁cat", ".", "</s>"), (0, 1, 1, -1)) == 1
    assert journey.usual_row(("<s>", "<0xED>", "!"), (-1, 0, 0)) == 0  # no letter at all: the first
    assert journey.usual_row(("</s>",), (-1,)) == 0


def drawings(tiny, trace, stack):
    """Every drawing of the page, of one token."""
    row, places, steps, stream = 1, places_of(tiny, stack), steps_of(tiny, stack), trace.stream[stack]
    config, chosen = tiny.config, places[-1]
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
    yield flow.added(places, journey.added(stream, steps, row)._asdict(), chosen, say)
    yield flow.norms(places, journey.spreads(stream, steps, row)._asdict(), chosen, say)
    points = journey.heights(stream, steps)
    plane = journey.fit_plane(points)
    placed = plane.place(points)
    yield flow.path(placed, placed, row, labels, places, chosen, say)
    hidden = stream[f"{steps[-1].where}.hidden"][row]
    yield depth.units(hidden, say)
    yield depth.unit_bars(journey.strongest(hidden), hidden[journey.strongest(hidden)], say)
    if stack == "decoder":
        ids, log_probs = (array[:, row] for array in trace.top)
        listed = [[readable(piece, say) for piece in tiny.tokenizer.choices(each.tolist())] for each in ids]
        final = trace.target.predicted_ids[row]
        ranks = journey.ranks(ids, final)
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


@pytest.fixture
def tiny_app(tiny, tmp_path, monkeypatch):
    checkpoint.save(tmp_path, tiny.model, tiny.tokenizer)
    checkpoint.seal(tmp_path)
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", str(tmp_path))

    def visit(**link) -> AppTest:
        return open_app("layers", **link)

    return visit


def test_every_panel_of_every_stack_opens_for_any_model_and_sentence(tiny_app):
    for language in LANGUAGES:
        app = tiny_app(lang=language, s="A dog.", row="300")
        assert app.title[0].value == translate(language)("layers.title")
        for stack in PARTS:
            app.segmented_control(key="stack").set_value(stack).run()
            for panel in Layers.options("layers"):
                app.segmented_control(key="layers").set_value(panel).run()
                assert not app.exception, (stack, panel)
                silent = stack == "encoder" and panel == "vocabulary"
                assert len(app.info) == silent
                assert len(app.get("bidi_component")) >= (2 if silent else 3)  # diagram, picture, keys
    app.segmented_control(key="stack").set_value("encoder").run()
    app.segmented_control(key="layers").set_value("vocabulary").run()
    app.button(key="to_decoder").click().run()
    assert app.session_state["kind"] == "decoder" and not app.info


def test_a_sentence_too_long_to_keep_gets_one_clear_sentence(tiny_app):
    app = tiny_app(s="the cat " * 90)
    app.segmented_control(key="stack").set_value("encoder").run()
    assert len(app.selectbox(key="token").options) > 128  # a list, where buttons would fill the screen
    for panel in Layers.options("layers"):
        app.segmented_control(key="layers").set_value(panel).run()
        assert not app.exception
        assert [each.value for each in app.info] == [say("layers.long", most=128)]
