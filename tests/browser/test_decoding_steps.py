"""Decoding, step by step, as a visitor sees it: numbers, keys, playing, and choosing another word."""

import numpy as np
import pytest
from playwright.sync_api import expect

from model import load
from tests.helpers.browser import PHONE, expect_in_link, expect_no_scrolling_sideways, say, settle, until

TEXT = "The boy didn't buy the shirt because it was too small."


@pytest.fixture(scope="module")
def translator():
    return load("en-fr")


def tips(page, view: str, name: str) -> list[str]:
    """What the marks whose name begins so say."""
    return page.locator(f".st-key-{view} .drawing").first.evaluate(
        "(view, name) => view.shown.marks.filter((mark) => mark.tip && mark.name?.startsWith(name))"
        ".map((mark) => mark.tip)",
        name,
    )


def offered(page) -> dict[str, float]:
    return {
        name: float(p) for name, p in (tip.rsplit(": ", 1) for tip in tips(page, "decoding_next", "next."))
    }


def expect_step(page, translator, ids, step: int) -> None:
    """The bars are the model's distribution after these tokens."""
    row = np.exp(translator.distributions(TEXT, ids)[step])

    def drawn() -> None:
        shown = sorted(offered(page).values(), reverse=True)
        np.testing.assert_allclose(shown[:9], np.sort(row)[::-1][:9], atol=1e-4)

    until(page, drawn)


def test_every_step_shows_the_models_own_numbers_and_keys_step(open_page, translator):
    page = open_page("decoding", s=TEXT, at=3)
    ids = translator.translate(TEXT).ids
    expect_step(page, translator, ids, 3)
    page.keyboard.press("ArrowRight")
    settle(page)
    expect_in_link(page, "at=4")
    expect_step(page, translator, ids, 4)
    trace = translator.trace(TEXT)
    said = tips(page, "decoding_heads", "cross.2.1")
    best = trace.attention["cross"][2, 1, 4].max()
    until(page, lambda: np.testing.assert_allclose(float(said[0].rsplit("(", 1)[1][:-1]), best, atol=1e-4))


def test_another_word_is_written_and_taken_back(open_page, translator):
    page = open_page("decoding", s=TEXT)
    plain = translator.translate(TEXT)
    rows = np.exp(translator.distributions(TEXT, plain.ids))
    step = int(np.sort(rows)[:, -2].argmax())  # where it opens
    rival = int(np.argsort(-rows[step])[1])
    page.locator(f'.st-key-decoding_next [data-name="next.{rival}"]').click()
    settle(page)
    expect_in_link(page, f"forced={step}.{rival}")
    forced = translator.translate(TEXT, prefix=(*plain.ids[:step], rival))
    assert forced.ids != plain.ids
    expect_step(page, translator, forced.ids, step)
    page.locator(".st-key-take_back button").click()
    settle(page)
    expect_step(page, translator, plain.ids, step)


def test_a_rare_token_is_chosen_by_its_name(open_page, translator):
    page = open_page("decoding", s=TEXT, at=1)
    row = page.locator(".st-key-decoding_next [data-name^='next.']").nth(8).bounding_box()
    page.mouse.click(row["x"] + 0.2 * row["width"], row["y"] + row["height"] / 2)  # where its name stands
    settle(page)
    rare = int(np.argsort(-translator.distributions(TEXT, translator.translate(TEXT).ids)[1])[8])
    expect_in_link(page, f"forced=1.{rare}")


def test_a_word_of_5000_letters_gets_one_sentence_and_stays(open_page):
    page = open_page("decoding", s=TEXT, at=1)
    box = page.locator(".st-key-own_word input")
    for letter in "a고":
        box.fill(letter * 5000)
        box.press("Enter")
        settle(page)
        warning = page.locator(".st-key-panel [data-testid=stAlert]")
        expect(warning).to_be_visible()
        assert len(warning.text_content()) < 250
        expect(box).to_have_value(letter * 5000)


def test_it_plays_to_the_end_and_can_be_paused(open_page):
    page = open_page("decoding", s="She sings.", at=0)
    page.get_by_role("button", name=say("decoding.steps.play")).click()
    expect(page.get_by_role("button", name=say("decoding.steps.pause"))).to_be_visible()
    expect_in_link(page, "at=1")
    expect_in_link(page, "at=2")
    page.get_by_role("button", name=say("decoding.steps.pause")).click()
    expect(page.get_by_role("button", name=say("decoding.steps.play"))).to_be_visible()


def test_a_long_sentence_stays_usable_on_a_telephone(open_page):
    text = " ".join(["The old man and his dog walk along the river every morning,"] * 9) + " they say."
    page = open_page("decoding", s=text, screen=PHONE)
    expect_no_scrolling_sideways(page)
    expect(page.locator(".st-key-decoding_map canvas")).to_be_visible()
