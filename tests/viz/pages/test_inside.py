"""The arithmetic of one weight, recomputed from the arrays of a run; and that what is asked stays hidden."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from model.inspect import metrics
from model.network.kinds import KINDS
from tests.helpers.paths import ROOT
from viz.export.handout import Section, handout
from viz.figures.charts import bars
from viz.figures.drawing import Drawing, cells, line, rect, text
from viz.figures.numbers import in_formula
from viz.pages.inside import WAY, Inside
from viz.pages.inside import figures as steps
from viz.pages.inside.code import code_lines
from viz.pages.inside.formulas import formula
from viz.pages.inside.numbers import all_at_once, cell, of_this_head, row_by_hand, simulated
from viz.pages.inside.panels.guess import read_number, verdict
from viz.text import LANGUAGES, translate

SENTENCE = "The old woman gave her keys to the children."
say = translate("en")


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(SENTENCE)


def some_cells(trace):
    """A few cells of every kind: the first, the last, one in between, and one that is forbidden."""
    for kind, attention in trace.attention.items():
        layers, heads, rows, columns = attention.shape
        places = [
            (0, 0, 0, 0),
            (layers - 1, heads - 1, rows - 1, columns - 1),
            (layers // 2, 1, rows // 2, 1),
        ]
        if kind == "decoder":
            places.append((0, 2, 1, columns - 1))
        yield from ((kind, *place) for place in places)


def test_every_step_follows_from_the_one_before(trace):
    for kind, layer, head, row, column in some_cells(trace):
        found = cell(trace, kind, layer, head, row, column)
        query, key = trace.query[kind][layer, head, row], trace.key[kind][layer, head]
        if found.projected:
            np.testing.assert_allclose(sum(found.projected), query[0], atol=1e-4)
        np.testing.assert_allclose(found.terms.sum(), query @ key[column], atol=1e-4)
        np.testing.assert_allclose(found.products / np.sqrt(len(query)), found.scores, atol=1e-4)
        weights = found.powers / found.powers.sum()
        np.testing.assert_allclose(weights, trace.attention[kind][layer, head, row], atol=1e-5)
        mixed = found.weights @ trace.value[kind][layer, head]
        np.testing.assert_allclose(mixed, trace.mixed[kind][layer, head, row], atol=1e-5)
        np.testing.assert_allclose(found.written.sum(0) + found.output_bias, found.output, atol=1e-4)
        normal = (found.total - found.mean) / found.spread
        np.testing.assert_allclose(normal * found.norm_weight + found.norm_bias, found.after, atol=1e-4)


def test_what_the_row_reads_is_what_the_layer_below_wrote(trace):
    below = trace.stream["decoder"]["decoder.layers.0.after_feed_forward"]
    memory = trace.stream["encoder"][
        f"encoder.layers.{len(trace.attention['encoder']) - 1}.after_feed_forward"
    ]
    np.testing.assert_array_equal(cell(trace, "decoder", 1, 0, 2, 1).stream, below[2])
    np.testing.assert_array_equal(cell(trace, "cross", 1, 0, 2, 3).memory, memory[3])
    after = trace.stream["decoder"]["decoder.layers.1.after_attention"]
    np.testing.assert_array_equal(cell(trace, "cross", 1, 0, 2, 3).stream, after[2])


def worked_out(plain: str) -> float:
    """The last sum of a formula, computed from the numbers as they are written."""
    *_, written, _ = plain.split(" = ")
    written = re.sub(r"\[[^]]*\]", "", written).replace("·10^", "e").replace("·", "*").replace("÷", "/")
    assert re.fullmatch(r"[-+*/().e\d\s−]*", written), written
    return eval(written.replace("−", "-"))  # digits and signs alone: checked in the line above


@pytest.mark.parametrize("step", ["project", "product", "scale", "softmax", "mix", "output", "add"])
def test_the_numbers_in_a_formula_give_its_result(trace, step):
    for place in some_cells(trace):
        found = cell(trace, *place)
        made = formula(step, found, "more")
        off = 0.02 * max(1.0, abs(made.answer)) + 0.002 * len(found.query)
        assert abs(worked_out(made.plain) - made.answer) < off, made.plain
        assert made.plain.endswith(f"= {in_formula(made.answer)}")
        assert made.latex.count(in_formula(made.answer)) >= 1


def test_the_answers_are_the_arrays(trace):
    for kind, layer, head, row, column in some_cells(trace):
        found = cell(trace, kind, layer, head, row, column)
        answers = {step: formula(step, found, "more").answer for step in WAY}
        assert answers["input"] is None
        assert answers["mask"] == trace.mask[kind][layer, head, row].sum()
        expected = {
            "project": trace.query[kind][layer, head, row, 0],
            "scale": trace.scores[kind][layer, head, row, column],
            "softmax": trace.attention[kind][layer, head, row, column],
            "mix": trace.mixed[kind][layer, head, row, 0],
        }
        for step, value in expected.items():
            np.testing.assert_allclose(answers[step], value, atol=1e-6)
        np.testing.assert_allclose(answers["product"], answers["scale"] * found.root, atol=1e-4)


@pytest.mark.parametrize("step", [step for step in WAY if step != "input"])
def test_a_hidden_number_is_neither_written_nor_drawn(trace, step):
    found = cell(trace, "encoder", 0, 1, 3, 2)
    made = formula(step, found, "more", hidden=True)
    assert "?" in made.latex and "?" in made.plain
    if step == "mask":  # what is asked is how many: they are there to be counted
        return
    assert not made.plain.endswith(in_formula(made.answer))
    words = trace.source.pieces
    large = steps.large(step, found, words, words, say, hidden=True).data()
    drawn = json.dumps(large, ensure_ascii=False) + json.dumps(steps.small(step, found, hidden=True))
    for digits in (f"{made.answer:.5g}", f"{made.answer:.3f}"):  # as a whole number, not as part of another
        assert not re.search(rf"(?<![\d.-]){re.escape(digits)}(?!\d)", drawn), step


def test_a_row_by_hand_equals_the_matrix_product_and_the_model(trace):
    for kind in KINDS:
        query, key, value, mask, mixed = (
            each[kind][1, 2] for each in (trace.query, trace.key, trace.value, trace.mask, trace.mixed)
        )
        root = np.sqrt(query.shape[-1])
        by_hand = [
            row_by_hand(q, key.tolist(), value.tolist(), m, root)
            for q, m in zip(query.tolist(), mask, strict=True)
        ]
        np.testing.assert_allclose(by_hand, mixed, atol=1e-5)
        np.testing.assert_allclose(all_at_once(query, key, value, mask, root), mixed, atol=1e-5)


def test_without_scaling_the_softmax_saturates_as_keys_grow():
    widths = [4, 16, 64, 256]
    plain, scaled = ([simulated(width, way) for width in widths] for way in (False, True))
    for measure in ("entropy", "gradient"):
        falling = [getattr(each, measure) for each in plain]
        assert falling == sorted(falling, reverse=True) and falling[-1] < falling[0] / 2
        steady = [getattr(each, measure) for each in scaled]
        assert max(steady) - min(steady) < 0.1


def test_at_its_full_width_a_scaled_head_is_the_model(trace):
    for kind in KINDS:
        query, key, mask = (each[kind][0, 3] for each in (trace.query, trace.key, trace.mask))
        found = of_this_head(query, key, mask, query.shape[-1], scaled=True)
        weights = trace.attention[kind][0, 3]
        np.testing.assert_allclose(found.entropy, metrics.entropy(weights, mask).mean, atol=1e-5)
        np.testing.assert_allclose(found.gradient, metrics.softmax_gradient(weights).mean(), atol=1e-5)


def test_the_softmax_gradient_is_the_norm_of_its_jacobian(trace):
    weights = trace.attention["encoder"][0, 0].astype(np.float64)
    for row, length in zip(weights, metrics.softmax_gradient(weights), strict=True):
        np.testing.assert_allclose(np.linalg.norm(np.diag(row) - np.outer(row, row)), length, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", Inside.options("step"))
def test_the_lines_shown_are_in_the_file_they_name(kind, step):
    for layer in (0, 1):
        for lines in code_lines(step, kind, layer):
            source = (ROOT / lines.file).read_text("utf-8").splitlines()
            shown = lines.code.splitlines()
            there = source[lines.first - 1 : lines.first - 1 + len(shown)]
            assert [line.strip() for line in there] == [line.strip() for line in shown]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("0.62", 0.62),
        (" -1,5 ", -1.5),
        ("−2", -2.0),
        ("", None),
        ("about 3", None),
        ("nan", None),
        ("inf", None),
    ],
)
def test_a_guess_is_read_as_people_write_numbers(typed, read):
    assert read_number(typed) == read


@given(some.floats(-100, 100), some.floats(0, 1))
def test_a_guess_is_judged_by_how_far_it_is_off(answer, share):
    verdicts = ["right", "near", "far"]
    near, far = answer + share * 0.005, answer + 20 + abs(answer)
    assert verdict(near, answer) == "right"
    assert verdict(far, answer) == "far"
    middle = verdict(answer + share * 20, answer)
    assert verdicts.index(verdict(answer + share * 10, answer)) <= verdicts.index(middle)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_is_a_drawing_that_opens_on_its_own(trace, language):
    speak = translate(language)
    found = cell(trace, "cross", 1, 0, 1, 2)
    for step in WAY:
        drawing = steps.large(step, found, trace.target.predicted, trace.source.pieces, speak)
        json.dumps(drawing.data())
        for dark in (False, True):
            drawn = ElementTree.fromstring(drawing.svg(dark))
            assert float(drawn.attrib["width"]) <= 420  # a telephone can show it


def test_a_drawing_keeps_markup_as_text():
    rude = '<script>alert(1)</script> & "x"'
    marks = [text(rude, 0, 0), rect(0, 0, 1, 1, "scale:0.5", tip=rude), cells([1, -1], 0, 0, 5, name=rude)]
    drawing = Drawing(10, 10, rude, (*marks, line([(0, 0), (1, 1)], arrow=True)))
    assert "<script" not in drawing.svg()
    ElementTree.fromstring(drawing.svg())


@given(some.lists(some.floats(-1e3, 1e3), min_size=2, max_size=8).filter(lambda values: any(values)))
def test_bars_are_as_long_as_their_numbers(values):
    drawn = [mark for mark in bars(values, [str(n) for n in range(len(values))]) if mark["shape"] == "rect"]
    longest = max(mark["wide"] for mark in drawn)
    for mark, value in zip(drawn, values, strict=True):
        assert abs(mark["wide"] - longest * abs(value) / max(map(abs, values))) < 1.0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_handout_is_one_harmless_file_with_its_answers_at_the_end(language):
    rude = "<b>Hi</b> & <script>alert(1)</script>"
    sections = [
        Section("one", "<svg></svg>", "text", "1 + 1 = ?", "how much?", "2"),
        Section("two", "", rude),
    ]
    page = handout(translate(language), title=rude, sentence=rude, translation=rude, sections=sections)
    assert "<script" not in page and "<b>" not in page
    assert page.index("one: 2") > page.index("1 + 1 = ?")
    ElementTree.fromstring(page.removeprefix("<!doctype html>"))
