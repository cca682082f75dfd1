"""Inside a head, in a real browser: the numbers on screen are those of the run, and can be guessed first."""

import io
import json
import re
from functools import partial

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import (
    PHONE,
    choose,
    expect_no_scrolling_sideways,
    korean,
    open_export,
    save,
    say,
    settle,
    unfold_controls,
)
from tests.helpers.drawn import formula, last_number, marks, said
from viz.figures.labels import readable
from viz.figures.numbers import in_formula
from viz.pages.inside import Inside

SENTENCE = "My neighbour sold his boat because it was too small."
STEPS = Inside.options("step")[:9]
WHERE = {"s": SENTENCE, "kind": "encoder", "layer": 1, "head": 2, "row": 3, "column": 4}


@pytest.fixture
def inside(open_page):
    return partial(open_page, "inside", **WHERE)


@pytest.fixture(scope="module")
def arrays(translator):
    """The numbers of the chosen cell, straight from a run, and the sums a student would form."""
    trace, kind, layer, head, row, column = translator.trace(SENTENCE), "encoder", 1, 2, 3, 4
    query, key = trace.query[kind][layer, head, row], trace.key[kind][layer, head]
    x = trace.stream["encoder"]["encoder.layers.0.after_feed_forward"][row]
    output = trace.points["encoder.layers.1.self_attention.output"][row]
    return {
        "trace": trace,
        "x": x,
        "query": query,
        "key": key[column],
        "value": trace.value[kind][layer, head, column],
        "terms": query * key[column],
        "products": key @ query,
        "scores": trace.scores[kind][layer, head, row],
        "weights": trace.attention[kind][layer, head, row],
        "values": trace.value[kind][layer, head],
        "mixed": trace.mixed[kind][layer, :, row],
        "written": trace.head_output[kind][layer, :, row],
        "output": output,
        "total": x + output,
        "after": trace.stream["encoder"]["encoder.layers.1.after_attention"][row],
    }


def wait_for_step(page: Page, step: str) -> None:
    expect(page.get_by_text(say(f"step.{step}.title"))).to_be_visible()
    settle(page)


def numbers(drawn: list[dict], name: str) -> np.ndarray:
    (found,) = (mark["values"] for mark in drawn if mark.get("name") == name and mark["shape"] == "cells")
    return np.array(found)


def bar(drawn: list[dict], name: str) -> float:
    (tip,) = (mark["tip"] for mark in drawn if mark.get("name") == name and "tip" in mark)
    return last_number(tip)


def test_every_number_of_every_step_is_the_runs_own(inside, arrays):
    page = inside(step="input")
    expected = {
        "input": {},
        "project": {"q": "query", "k": "key", "v": "value"},
        "product": {"q": "query", "k": "key"},
        "mix": {"z": None},
        "output": {"o": "output"},
        "add": {"x": "x", "o": "output", "x + o": "total", "y": "after"},
    }
    for place, step in enumerate(STEPS):
        if place:
            page.locator(f'.st-key-strip [data-name="{step}"]').click()
        wait_for_step(page, step)
        expect(page).to_have_url(re.compile(f"step={step}" if step != "product" else "page=inside"))
        drawn = marks(page, "step_picture")
        for name, array in expected.get(step, {}).items():
            value = arrays["mixed"][2] if array is None else arrays[array]
            np.testing.assert_allclose(numbers(drawn, name), value, rtol=1e-4, atol=1e-5)
        if step == "input":
            blocks = [mark["values"] for mark in drawn if mark["shape"] == "cells"]
            np.testing.assert_allclose(blocks[0], arrays["x"], rtol=1e-4, atol=1e-5)
        if step == "product":
            terms = [float(mark["tip"].rsplit("= ", 1)[1]) for mark in drawn if "tip" in mark]
            np.testing.assert_allclose(terms, arrays["terms"], rtol=1e-4, atol=1e-5)
            assert in_formula(float(arrays["terms"].sum())) in formula(page)
        if step == "scale":
            for j, (product, score) in enumerate(zip(arrays["products"], arrays["scores"], strict=True)):
                np.testing.assert_allclose(bar(drawn, f"product.{j}"), product, rtol=1e-3, atol=1e-4)
                np.testing.assert_allclose(bar(drawn, f"score.{j}"), score, rtol=1e-3, atol=1e-4)
        if step == "softmax":
            shown = [bar(drawn, f"weight.{j}") for j in range(len(arrays["weights"]))]
            np.testing.assert_allclose(shown, arrays["weights"], rtol=1e-4, atol=1e-6)
            np.testing.assert_allclose(sum(shown), 1, atol=1e-4)
            assert f"={in_formula(float(arrays['weights'][4]))}" in formula(page)
        if step == "mix":
            names = [readable(piece, say) for piece in arrays["trace"].source.pieces]
            weighted = arrays["weights"][:, None] * arrays["values"]
            np.testing.assert_allclose(numbers(drawn, f"α·v ({names[4]})"), weighted[4], rtol=1e-4, atol=1e-6)
        if step == "output":
            np.testing.assert_allclose(numbers(drawn, "W_O, 3"), arrays["written"][2], rtol=1e-4, atol=1e-5)
        if step == "add":
            assert f"={in_formula(float(arrays['after'][0]))}" in formula(page)


def test_arrow_keys_step_but_not_while_somebody_types(inside):
    page = inside(step="product")
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    wait_for_step(page, "scale")
    page.keyboard.press("PageUp")
    wait_for_step(page, "product")
    page.locator(".st-key-sentence input").focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    expect(page.get_by_text(say("step.product.title"))).to_be_visible()
    page.locator("h1").click()
    for _ in range(5):  # faster than the page can follow
        page.keyboard.press("ArrowRight")
    wait_for_step(page, STEPS[STEPS.index("product") + 5])


def test_guess_first_hides_the_number_reads_a_guess_and_grades_it(inside, arrays):
    page = inside(step="softmax", guess="on")
    answer = in_formula(float(arrays["weights"][4]))
    assert "=?" in formula(page) and f"={answer}" not in formula(page)
    expect(page.locator(".st-key-heatmap")).to_have_count(0)
    assert not [mark for mark in marks(page, "step_picture") if mark.get("name") == "weight.4"]
    box = page.locator(".st-key-guess_text input")
    box.fill("a lot")
    page.locator(".st-key-guess_check button").click()
    expect(page.get_by_text(say("guess.unreadable"))).to_be_visible()
    expect(box).to_have_value("a lot")
    box.fill(answer.replace(".", ","))
    box.press("Enter")
    expect(page.get_by_text(say("guess.right", guess=answer, answer=answer))).to_be_visible()
    settle(page)
    assert f"={answer}" in formula(page)
    np.testing.assert_allclose(
        bar(marks(page, "step_picture"), "weight.4"), arrays["weights"][4], rtol=1e-4, atol=1e-6
    )


def test_the_slider_shows_how_the_softmax_saturates(inside, arrays):
    page = inside(until=".st-key-saturation_entropy svg", step="why", key_width=8)
    for what in ("entropy", "gradient"):
        assert len(said(page, f"saturation_{what}", say("saturation.unscaled") + "@")) == 10
    query = arrays["query"][:8]
    key = arrays["trace"].key["encoder"][1, 2][:, :8]
    drawn = marks(page, "saturation_row")
    for name, root in (("scaled", np.sqrt(8)), ("unscaled", 1)):
        powers = np.exp(key @ query / root)
        shown = [bar(drawn, f"{name}.{j}") for j in range(len(powers))]
        np.testing.assert_allclose(shown, powers / powers.sum(), rtol=1e-3, atol=1e-6)
    slider = page.locator(".st-key-key_width").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    settle(page)
    expect(page).to_have_url(re.compile("key_width=16"))


def test_it_fits_a_telephone_in_the_dark_in_korean(inside):
    page = inside(screen=PHONE, step="mix")
    unfold_controls(page)
    for step in ("output", "why", "rows", "softmax"):
        choose(page, "step", re.sub(" +", " ", korean(f"step.{step}")))
        expect(page.get_by_text(korean(f"step.{step}.title"))).to_be_visible()
        settle(page)
        expect_no_scrolling_sideways(page)
        words = page.locator(".st-key-panel").inner_text()
        assert not re.search(r"\b(the|weights|divided|mean|spread|head)\b", words), words


def test_presenting_leaves_one_panel_steps_by_keys_and_escape_leaves(inside):
    page = inside(step="product")
    page.locator(".st-key-start_presenting button").first.click()
    settle(page)
    expect(page).to_have_url(re.compile("present=on"))
    for hidden in ("brand", "sentence_row", "translation_row", "controls", "strip", "export"):
        expect(page.locator(f".st-key-{hidden}")).to_be_hidden()
    expect(page.locator(".st-key-step_picture svg")).to_be_visible()
    large = page.locator(".st-key-step_picture svg").bounding_box()["width"]
    assert large > 500
    page.keyboard.press("PageDown")
    wait_for_step(page, "scale")
    page.keyboard.press("Escape")
    expect(page.locator(".st-key-sentence_row")).to_be_visible()
    expect(page).not_to_have_url(re.compile("present"))
    phone = inside(screen={"width": 390, "height": 844}, present="on")
    phone.locator(".st-key-stop_presenting button:visible").click()  # where there is no Escape key
    expect(phone.locator(".st-key-sentence_row")).to_be_visible()


def test_the_handout_and_the_numbers_come_home(inside, arrays, open_file, tmp_path):
    page = inside(step="add")
    dialog = open_export(page)
    files = {label: save(dialog, label, tmp_path) for label in ("NPZ", "JSON")}
    files["HTML"] = save(dialog, "HTML", tmp_path, 1)  # the first is the view as a page of its own
    with np.load(io.BytesIO(files["NPZ"].read_bytes()), allow_pickle=False) as file:
        np.testing.assert_allclose(file["weights"], arrays["weights"], atol=1e-6)
        np.testing.assert_allclose(file["after"], arrays["after"], atol=1e-6)
    assert json.loads(files["JSON"].read_text("utf-8"))["row"] == 3
    alone = open_file(files["HTML"])
    expect(alone.get_by_text(SENTENCE)).to_be_visible()
    expect(alone.locator("section svg")).to_have_count(len(STEPS))
    answers = alone.locator("ol li").all_text_contents()
    assert any(answer.endswith(f": {in_formula(float(arrays['weights'][4]))}") for answer in answers)


def test_a_long_sentence_says_what_to_do(open_page):
    page = open_page("inside", s="very " * 140 + "long", until=".stAlert")
    expect(page.get_by_text(say("inside.long"))).to_be_visible()
