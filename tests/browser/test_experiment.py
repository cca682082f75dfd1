"""Experiments in a real browser: change the model, read what changed, and nobody else notices."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.inspect.edits import Cell, LiftMask, Scale
from model.inspect.edits_json import to_json
from model.inspect.variants import all_heads
from model.network.kinds import KINDS
from tests.helpers.browser import (
    PHONE,
    click_cell,
    expect_no_scrolling_sideways,
    expect_weights,
    korean,
    say,
    settle,
    show,
    translation,
    type_sentence,
    write,
)
from tests.helpers.drawn import expect_said

SENTENCE = "The teacher who lives next door has two cats."


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


def press_until(page: Page, button: str, done) -> None:
    """Press a button; again where a busy machine lost the click between two runs of the page."""
    for _ in range(3):
        page.locator(button).first.click()
        for _ in range(50):
            settle(page)
            if done():
                return
            page.wait_for_timeout(100)


def test_a_silenced_head_changes_the_translation_as_the_model_says(open_page, translator, before, telling):
    head, written = telling
    page = open_page("experiment", s=SENTENCE)
    show(page, head.kind, head.layer + 1, head.head + 1)
    page.get_by_role("button", name=say("edits.add")).click()
    page.locator(".st-key-make_edit button").click()
    settle(page)
    expect(page.locator(".ink.after")).to_have_text(written)
    expect(page.locator(".ink.before")).to_have_text(before.translation.text)
    assert page.locator(".ink.after mark, .ink.before mark").count() > 0
    changed = translator.trace(SENTENCE, edits=[head.silenced])
    again = translator.trace(SENTENCE, target=before.target.predicted_ids, edits=[head.silenced])
    expect_said(page, "chances", "before.", np.exp(before.log_probs))
    expect_said(page, "chances", "after.", np.exp(changed.log_probs))
    expect_said(page, "cost", "cost.", again.log_probs - before.log_probs)
    pattern, mask = (each[head.kind][head.layer, head.head] for each in (changed.attention, changed.mask))
    expect_weights(page, np.where(mask, pattern, np.nan), "heatmap_after", 1e-4)
    link = page.url
    fresh = open_page("experiment", s=SENTENCE, until=".ink.after", edits=to_json([head.silenced]))
    expect(fresh.locator(".ink.after")).to_have_text(written)
    assert "edits=" in link
    page.bring_to_front()
    page.keyboard.press("Escape")  # the list of changes is still open
    settle(page)
    press_until(page, ".st-key-chip_0 button", lambda: page.locator(".st-key-chip_0").count() == 0)
    expect(page.get_by_text(say("verdict.start"))).to_be_visible()
    expect(page.locator(".ink.after")).to_have_count(0)
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
def test_what_cannot_or_does_not_act_says_so(open_page, before, edits, said):
    page = open_page("experiment", s=SENTENCE, edits=edits)
    expect(
        page.locator(".stMain").get_by_text(re.compile(said if "|" in said else re.escape(said))).first
    ).to_be_visible()
    translation = ".st-key-translation .ink" if edits == "nonsense" else ".ink.after"
    expect(page.locator(translation)).to_have_text(before.translation.text)
    expect(page.locator(".st-key-sentence input")).to_have_value(SENTENCE)


def test_a_clicked_cell_is_the_weight_to_set(open_page, translator, before):
    """Between words on screen, between pieces in the model: the strongest reading of "this cell"."""
    where = {"kind": "encoder", "layer": 0, "head": 1, "units": "words"}
    page = open_page("experiment", s=SENTENCE, **where, until=".st-key-heatmap canvas")
    make = page.locator(".st-key-make_edit button")
    click_cell(page, 1, 2)
    expect(make).to_be_visible()
    settle(page)
    make.click()
    settle(page)
    expect(page.locator(".st-key-chip_0")).to_be_visible()
    edit = Cell(KINDS["encoder"].format(0), 1, 1, 2, 1.0)
    again = translator.trace(SENTENCE, target=before.target.predicted_ids, edits=[edit])
    expect_said(page, "cost", "cost.", again.log_probs - before.log_probs)


def test_it_fits_a_telephone_in_the_dark_in_korean(open_page):
    made = to_json([Scale(KINDS["cross"].format(0), 0, 0.0), LiftMask()])
    page = open_page("experiment", s=SENTENCE, edits=made, until=".ink.after", screen=PHONE)
    expect_no_scrolling_sideways(page)
    expect(page.locator(".stMain")).to_contain_text(korean("edit.lift_mask"))
    words = page.locator(".st-key-panel").inner_text()
    assert not re.search(r"\b(before|after|layer|head|piece|weight)\b", words, re.IGNORECASE), words


def test_opposite_edits_at_once_never_meet(open_page, translator):
    """Two visitors, fifty rounds: each sees the numbers of their own model."""
    head = Scale(KINDS["cross"].format(translator.config.layers - 1), 0, 0.0)
    other = Scale(KINDS["cross"].format(translator.config.layers - 1), 0, 2.0)
    sentences = [
        f"My {relative} has {count} cats." for relative in ("aunt", "uncle") for count in range(2, 7)
    ]
    where = {"s": SENTENCE, "until": ".st-key-cost svg"}
    visitors = [
        (open_page("experiment", **where, edits=to_json([edit]), screen={"locale": locale}), edit)
        for edit, locale in ((head, "en-US"), (other, "ko-KR"))
    ]
    expected = {}
    for number in range(50):
        text = sentences[number % len(sentences)]
        for page, _ in visitors:
            type_sentence(page, text)
        for page, edit in visitors:
            if (text, edit) not in expected:
                first = translator.trace(text)
                changed = translator.trace(text, target=first.target.predicted_ids, edits=[edit])
                expected[text, edit] = changed.log_probs - first.log_probs
            expect_said(page, "cost", "cost.", expected[text, edit])


def test_the_model_is_itself_again_afterwards(open_page, translator):
    made = to_json([Scale(KINDS["encoder"].format(0), 0, 0.0)])
    page = open_page("experiment", s=SENTENCE, edits=made, until=".ink.after")
    page.get_by_role("link", name=say("look.short")).click()
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    write(page, "She sings.")
    expect(translation(page)).to_have_text(translator.translate("She sings.").text)
