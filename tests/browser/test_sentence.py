"""The sentence box in a browser: examples, text of other scripts, and rude text that stays text."""

import pytest
from playwright.sync_api import expect

from tests.helpers.browser import (
    expect_in_link,
    expect_weights,
    korean,
    say,
    settle,
    translation,
    weights,
    write,
)
from viz.state.examples import EXAMPLES
from viz.state.session import EXAMPLE

RUDE = {
    "emoji": "🦊🦊🦊",
    "control": "a\x07b\x1b[31m\u202etxt",
    "right to left": "مرحبا بالعالم",
    "Hangul": "나는 학교에 갑니다.",
    "combining": "e\u0301\u0300\u0302 Z\u0351\u0352a\u0353lgo",
    "script": "<script>alert(document.domain)</script>",
    "image": '"><img src=x onerror=alert(1)>',
    "formula": "It costs $x$ or $$\\int$$ more.",
    "markdown": "# **Title** [link](javascript:alert(1)) `code` :red[red]",
}


def test_a_scene_is_one_click_and_tells_its_sentence_until_one_looks_elsewhere(open_app, translator):
    page = open_app()
    page.get_by_role("button", name=say("examples.label")).click()
    cards = page.locator("[class*=st-key-scene_]")
    expect(cards.first).to_be_visible()
    expect(cards.locator(".thumbnail .lines").first).to_be_visible()  # one shows the lines of a head
    card = page.locator(".st-key-scene_head-1")
    told = card.locator("[data-testid=stCaptionContainer]").text_content()
    card.click(position={"x": 20, "y": 20})  # anywhere on it
    expect(page.locator(".st-key-panel .ink.after mark").first).to_be_visible()
    settle(page)
    expect(cards.first).not_to_be_visible()
    expect(page.locator("p.scene")).to_have_text(told)
    sentence = page.locator(".st-key-sentence input").input_value()
    assert sentence != EXAMPLE
    expect_in_link(page, "scene=head-1", "page=experiment", "row=\\d+")
    page.reload()
    expect(page.locator("p.scene")).to_have_text(told)
    settle(page)
    page.locator(".st-key-layer").get_by_role("radio", name="1", exact=True).click()
    settle(page)
    expect(page.locator("p.scene")).to_have_count(0)
    expect(page.locator(".st-key-sentence input")).to_have_value(sentence)


def test_rude_text_is_shown_as_typed_and_nothing_executes(open_app, translator):
    page = open_app()
    page.on("dialog", lambda dialog: pytest.fail(f"something executed: {dialog.message}"))
    for text in RUDE.values():
        write(page, text)
        expect(page.locator(".st-key-sentence input")).to_have_value(text)
        expect(page.get_by_test_id("stException")).to_have_count(0)
        written = translator.translate(text).text
        if written:
            expect(translation(page)).to_have_text(written)
        expect(page.locator(".st-key-heatmap canvas")).to_be_visible()
    before = weights(page)
    for text in ("", "word " * 4_000):
        write(page, text)
        expect(page.get_by_role("alert").first).to_be_visible()
        expect(page.locator(".st-key-sentence input")).to_have_value(text)
        expect_weights(page, before)


def test_a_sentence_longer_than_its_box_is_readable_as_a_whole(open_page):
    for width, text, fits in ((1280, EXAMPLE, True), (1280, EXAMPLES["long"], False), (390, EXAMPLE, False)):
        page = open_page(s=text, screen={"width": width, "height": 844})
        box, whole = page.locator(".st-key-sentence input"), page.locator(".whole")
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth") == fits
        expect(whole).to_be_visible(visible=not fits)
        expect(whole).to_have_text(text)


def test_the_picture_stays_on_the_screen_under_a_text_of_any_length(open_page):
    page = open_page(screen={"width": 1440, "height": 900}, s=EXAMPLE)
    write(page, "word " * 1000)
    expect(page.locator(".stAlert")).to_be_in_viewport()
    expect(page.locator(".st-key-heatmap canvas")).to_be_in_viewport()


def test_korean_gets_a_note_with_an_example_to_click(open_app, translator):
    page = open_app(locale="ko-KR")
    write(page, RUDE["Hangul"])
    expect(page.get_by_text(korean("sentence.foreign", language=korean("name.en")))).to_be_visible()
    page.locator(".st-key-foreign_example button").click()
    settle(page)
    expect(page.locator(".st-key-sentence input")).to_have_value(EXAMPLE)
    expect(page.locator(".st-key-foreign_example")).to_have_count(0)
