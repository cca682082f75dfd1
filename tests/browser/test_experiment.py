"""Experiments in a real browser: change the model, read what changed, and nobody else notices."""

import re
import time
from contextlib import suppress
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.inspect.edits import Cell, LiftMask, Scale
from model.inspect.edits_json import to_json
from model.inspect.trace import KINDS
from model.inspect.variants import all_heads
from tests.helpers.browser import choose, settle, show, write
from viz.text import translate

SENTENCE = "The teacher who lives next door has two cats."
say = translate("en")


@pytest.fixture
def experiment(open_app):
    def visit(until: str = ".st-key-panel", screen: dict | None = None, **more) -> Page:
        return open_app(
            "?" + urlencode({"page": "experiment", "s": SENTENCE} | more), until=until, **(screen or {})
        )

    return visit


@pytest.fixture(scope="module")
def before(translator):
    return translator.trace(SENTENCE)


@pytest.fixture(scope="module")
def telling(translator, before):
    """A head without which the translation is another one, and that translation."""
    for head in all_heads(translator.config):
        written = translator.translate(SENTENCE, edits=[head.silenced]).text
        if written != before.translation.text:
            return head, written
    pytest.fail("no single head changes this translation; choose another sentence")


def numbers(page: Page, key: str, name: str) -> np.ndarray:
    """The values of the bars whose names begin so, in their order."""
    marks = page.locator(f".st-key-{key} .drawing").evaluate("drawing => drawing.shown.marks")
    tips = [mark["tip"] for mark in marks if "tip" in mark and mark["name"].startswith(name)]
    return np.array([float(tip.rsplit(": ", 1)[1]) for tip in tips])


def expect_numbers(page: Page, key: str, name: str, expected: np.ndarray) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        shown = numbers(page, key, name)
        if shown.shape == expected.shape and np.allclose(shown, expected, rtol=1e-3, atol=1e-4):
            return
        page.wait_for_timeout(50)
    np.testing.assert_allclose(shown, expected, rtol=1e-3, atol=1e-4)


def press_until(page: Page, button: str, done) -> None:
    """Press a button; again where a busy machine lost the click between two runs of the page."""
    for _ in range(3):
        page.locator(button).first.click()
        for _ in range(50):
            settle(page)
            if done():
                return
            page.wait_for_timeout(100)


def test_a_silenced_head_changes_the_translation_as_the_model_says(experiment, translator, before, telling):
    head, written = telling
    page = experiment()
    show(page, head.kind, head.layer + 1, head.head + 1)
    page.get_by_role("button", name=say("edits.add")).click()
    page.locator(".st-key-make_edit button").click()
    settle(page)
    expect(page.locator(".ink.after")).to_have_text(written)
    expect(page.locator(".ink.before")).to_have_text(before.translation.text)
    assert page.locator(".ink.after mark, .ink.before mark").count() > 0
    changed = translator.trace(SENTENCE, edits=[head.silenced])
    again = translator.trace(SENTENCE, target=before.target.predicted_ids, edits=[head.silenced])
    expect_numbers(page, "chances", "before.", np.exp(before.log_probs))
    expect_numbers(page, "chances", "after.", np.exp(changed.log_probs))
    expect_numbers(page, "cost", "cost.", again.log_probs - before.log_probs)
    drawn = page.locator(".st-key-heatmap_after .heat-map").evaluate("map => [...map.shown.numbers]")
    expected = changed.attention[head.kind][head.layer, head.head]
    forbidden = ~changed.mask[head.kind][head.layer, head.head]
    np.testing.assert_allclose(np.array(drawn)[~forbidden.ravel()] / 65534, expected[~forbidden], atol=1e-4)
    link = page.url
    fresh = experiment(until=".ink.after", edits=to_json([head.silenced]))
    expect(fresh.locator(".ink.after")).to_have_text(written)
    assert "edits=" in link
    page.bring_to_front()
    page.keyboard.press("Escape")  # the list of changes is still open
    settle(page)
    press_until(page, ".st-key-chip_0 button", lambda: page.locator(".st-key-chip_0").count() == 0)
    expect(page.locator(".ink.after")).to_have_text(before.translation.text)
    expect(page.get_by_text(say("verdict.start"))).to_be_visible()
    press_until(page, ".st-key-undo button", lambda: page.locator(".st-key-chip_0").count() == 1)
    expect(page.locator(".ink.after")).to_have_text(written)


@pytest.mark.parametrize(
    ("edits", "said"),
    [
        ("nonsense", say("link.refused", names="edits")),
        ('[{"edit":"hide","position":99}]', "99|100"),
        ('[{"edit":"scale","where":"encoder.layers.0.self_attention","head":77}]', "78"),
        (to_json([Scale(KINDS["encoder"].format(0), 0, 1.0)]), say("verdict.nothing")),
        (to_json([LiftMask()]), say("edit.lift_mask")),
    ],
)
def test_what_cannot_or_does_not_act_says_so(experiment, before, edits, said):
    page = experiment(edits=edits)
    expect(
        page.locator(".stMain").get_by_text(re.compile(said if "|" in said else re.escape(said))).first
    ).to_be_visible()
    expect(page.locator(".ink.after")).to_have_text(before.translation.text)
    expect(page.locator(".st-key-sentence input")).to_have_value(SENTENCE)


def test_the_ranking_is_of_runs_made_one_by_one(experiment, translator, before):
    page = experiment(test="find")
    page.locator(".st-key-find_start button").click()
    expect(page.locator(".st-key-ranking svg")).to_be_visible(timeout=60_000)
    settle(page)
    marks = page.locator(".st-key-ranking .drawing").evaluate("drawing => drawing.shown.marks")
    named = {mark["name"]: float(mark["tip"].rsplit(": ", 1)[1]) for mark in marks if "tip" in mark}
    assert len(named) == 15
    for name, value in list(named.items())[:4]:
        kind, layer, head = name.split(".")
        edit = Scale(KINDS[kind].format(layer), int(head), 0.0)
        alone = translator.trace(SENTENCE, target=before.target.predicted_ids, edits=[edit])
        np.testing.assert_allclose(value, (before.log_probs - alone.log_probs).sum(), rtol=1e-3, atol=1e-3)
    kind, layer, head = next(iter(named)).split(".")
    page.locator('.st-key-ranking [role="button"]').first.click()
    settle(page)
    expect(page).to_have_url(re.compile(f"kind={kind}&layer={layer}&head={head}"))
    page.locator(".st-key-pairs_start button").click()
    expect(page.get_by_text(re.compile("of 190 pairs"))).to_be_visible(timeout=90_000)


def test_contrast_pruning_and_using_say_what_they_found(experiment, translator, before):
    page = experiment(test="contrast", kind="cross", row=1)
    page.locator(".st-key-contrast_start button").click()
    expect(page.locator(".st-key-contrast_words svg")).to_be_visible(timeout=60_000)
    settle(page)
    top = before.top.log_probs[-1, 1]
    base = float(page.get_by_text(re.compile(r"^log p\(")).inner_text().rsplit("= ", 1)[1])
    np.testing.assert_allclose(base, top[0] - top[1], atol=2e-3)
    effects = numbers(page, "contrast_words", "word.")
    rest = page.get_by_text(re.compile("not explained")).nth(1).inner_text()
    np.testing.assert_allclose(float(rest.rsplit(": ", 1)[1]), base - effects.sum(), atol=5e-3)
    choose(page, "test", say("test.using"))
    expect(page.locator(".st-key-edges svg")).to_be_visible()
    layer, head = before.attention["cross"].shape[0] - 1, 0
    page = experiment(test="using", kind="cross", layer=layer, head=head, row=2, until=".st-key-edges svg")
    np.testing.assert_allclose(
        numbers(page, "edges", "weight."), before.attention["cross"][layer, head, 2], rtol=1e-3, atol=1e-5
    )
    expect(page.get_by_text(say("using.caveat"))).to_be_visible()
    choose(page, "test", say("test.prune"))
    for key in ("find_start", "prune_start"):  # what somebody has asked before is there at once
        start, drawing = page.locator(f".st-key-{key} button"), page.locator(".st-key-pruning svg")
        later = page.locator(".st-key-prune_start button")
        expect(start.or_(later).or_(drawing).first).to_be_visible()
        if start.is_visible():
            start.click()
            expect(start).to_be_hidden(timeout=90_000)
    expect(page.locator(".st-key-pruning svg")).to_be_visible(timeout=90_000)
    marks = page.locator(".st-key-pruning .drawing").evaluate("drawing => drawing.shown.marks")
    whole = [mark["tip"] for mark in marks if mark.get("name", "").startswith(say("prune.chosen") + "@")]
    np.testing.assert_allclose(float(whole[0].rsplit(": ", 1)[1]), before.log_probs.sum(), rtol=1e-3)


def click_cell(page: Page, row: int, column: int) -> None:
    box = page.locator(".st-key-heatmap canvas").bounding_box()
    words = page.locator(".st-key-heatmap .heat-map").evaluate("map => map.shown.header.queries.length")
    across, down = (box[side] * (place + 0.5) / words for side, place in (("width", column), ("height", row)))
    page.mouse.click(box["x"] + across, box["y"] + down)


def test_a_clicked_cell_is_the_weight_to_set(experiment, translator, before):
    """Between words on screen, between pieces in the model: the strongest reading of "this cell"."""
    page = experiment(kind="encoder", layer=0, head=1, units="words", until=".st-key-heatmap canvas")
    make = page.locator(".st-key-make_edit button")
    for _ in range(3):  # a page that still moves takes the map from under the pointer: then find it again
        click_cell(page, 1, 2)
        with suppress(AssertionError):
            expect(make).to_be_visible(timeout=10_000)
            break
    expect(make).to_be_visible()
    settle(page)
    page.locator(".st-key-make_edit button").click()
    settle(page)
    expect(page.locator(".st-key-chip_0")).to_be_visible()
    edit = Cell(KINDS["encoder"].format(0), 1, 1, 2, 1.0)
    again = translator.trace(SENTENCE, target=before.target.predicted_ids, edits=[edit])
    expect_numbers(page, "cost", "cost.", again.log_probs - before.log_probs)


def test_it_fits_a_telephone_in_the_dark_in_korean(experiment):
    korean = translate("ko")
    page = experiment(
        screen={"width": 390, "height": 844, "scheme": "dark", "locale": "ko-KR"},
        until=".ink.after", edits=to_json([Scale(KINDS["cross"].format(0), 0, 0.0), LiftMask()]),
    )  # fmt: skip
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.locator(".stMain")).to_contain_text(korean("edit.lift_mask"))
    words = page.locator(".st-key-panel").inner_text()
    assert not re.search(r"\b(before|after|layer|head|piece|weight)\b", words, re.IGNORECASE), words


def test_opposite_edits_at_once_never_meet(open_app, translator):
    """Two visitors, fifty rounds: each sees the numbers of their own model."""
    head = Scale(KINDS["cross"].format(translator.config.layers - 1), 0, 0.0)
    other = Scale(KINDS["cross"].format(translator.config.layers - 1), 0, 2.0)
    sentences = [
        f"My {relative} has {count} cats." for relative in ("aunt", "uncle") for count in range(2, 7)
    ]
    visitors = [
        (open_app("?" + urlencode({"page": "experiment", "s": SENTENCE, "edits": to_json([edit])}),
                  until=".st-key-cost svg", locale=locale), edit)
        for edit, locale in ((head, "en-US"), (other, "ko-KR"))
    ]  # fmt: skip
    expected = {}
    for number in range(50):
        text = sentences[number % len(sentences)]
        for page, _ in visitors:
            box = page.locator(".st-key-sentence input")
            box.fill(text)
            box.press("Enter")
        for page, edit in visitors:
            if (text, edit) not in expected:
                first = translator.trace(text)
                changed = translator.trace(text, target=first.target.predicted_ids, edits=[edit])
                expected[text, edit] = changed.log_probs - first.log_probs
            expect_numbers(page, "cost", "cost.", expected[text, edit])


def test_the_model_is_itself_again_afterwards(experiment, translator):
    page = experiment(edits=to_json([Scale(KINDS["encoder"].format(0), 0, 0.0)]), until=".ink.after")
    page.get_by_role("link", name=say("look.short")).click()
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    write(page, "She sings.")
    expect(page.locator(".st-key-translation .ink")).to_have_text(translator.translate("She sings.").text)
