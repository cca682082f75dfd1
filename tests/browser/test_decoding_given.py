"""Given the right answer, as a visitor sees it: every number is the translator's own, and typing is safe."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import PHONE, expect_in_link, expect_no_scrolling_sideways, settle, until
from tests.helpers.drawn import named, said

TEXT = "The boy didn't buy the shirt because it was too small."
TYPED = "Le garçon n'a pas acheté la veste parce qu'elle était trop grande."
ROWS, NEXT = "given_rows", "given_next_view"


def log_probs(page: Page, begins: str) -> list[float]:
    """What the tokens of a row say, step by step."""
    marks = named(page, ROWS)
    tips = [mark["tip"] for name, mark in marks.items() if name.startswith(f"{begins}.") and "tip" in mark]
    return [float(tip.split("log p = ")[1].split(" ")[0].replace("−", "-")) for tip in tips]


def total(page: Page, row: str) -> float:
    return float(named(page, ROWS)[f"total.{row}"]["text"].rpartition("= ")[2].replace("−", "-"))


def expect_rows(page: Page, translator, text: str, reference: str) -> int:
    """Both rows and their totals; the first step at which they differ."""
    own, right = translator.translate(text), translator.read(reference).ids
    given = translator.distributions(text, right)[np.arange(len(right)), list(right)]

    def drawn() -> None:
        np.testing.assert_allclose(log_probs(page, "right"), given, atol=1e-4)
        np.testing.assert_allclose(log_probs(page, "own"), own.log_probs, atol=1e-4)
        assert total(page, "right") == pytest.approx(translator.score([(text, reference)])[0], abs=1e-4)
        assert total(page, "own") == pytest.approx(sum(own.log_probs), abs=1e-4)

    until(page, drawn)
    return next(step for step, ids in enumerate(zip(own.ids, right, strict=False)) if ids[0] != ids[1])


def expect_next(page: Page, translator, text: str, row: str, ids: tuple[int, ...], step: int) -> None:
    """The bars of a row are the model's distribution once it has read the tokens of that row."""
    chances = np.sort(np.exp(translator.distributions(text, ids)[step]))[::-1][:5]

    def drawn() -> None:
        np.testing.assert_allclose(list(said(page, NEXT, f"{row}.").values())[:5], chances, atol=1e-4)

    until(page, drawn)


def test_both_rows_and_what_follows_are_the_models_own(open_page, translator):
    page = open_page("decoding", decoding="given", s=TEXT, reference=TYPED)
    parts = expect_rows(page, translator, TEXT, TYPED)
    marks = named(page, ROWS)
    left = marks["parting"]["points"][0][0]
    assert marks[f"right.{parts}"]["x"] - 10 < left < marks[f"right.{parts}"]["x"]
    right, own = translator.read(TYPED).ids, translator.translate(TEXT).ids
    page.locator(f'.st-key-{ROWS} [data-name="own.{parts + 1}"]').click()
    settle(page)
    expect_in_link(page, f"at={parts + 1}")
    expect_next(page, translator, TEXT, "right", right, parts + 1)
    expect_next(page, translator, TEXT, "own", own, parts + 1)
    page.locator(".st-key-to_parting button").click()
    settle(page)
    expect(page.locator(".st-key-to_parting")).to_have_count(0)


def test_typing_another_reference_moves_the_rows_and_a_refused_one_does_not(open_page, translator):
    page = open_page("decoding", decoding="given", s=TEXT)
    box = page.locator(".st-key-reference input")
    box.fill(TYPED)
    box.press("Enter")
    settle(page)
    expect_in_link(page, "reference=Le[^&]*")
    expect_rows(page, translator, TEXT, TYPED)
    box.fill("그 소년은 셔츠를 사지 않았다")
    box.press("Enter")
    settle(page)
    expect(page.locator(".st-key-panel [data-testid=stAlert]")).to_be_visible()
    expect(box).to_have_value("그 소년은 셔츠를 사지 않았다")
    expect_rows(page, translator, TEXT, TYPED)


def test_a_long_reference_is_read_and_one_too_long_is_refused_and_stays(open_page, translator):
    page, long = open_page("decoding", decoding="given", s=TEXT), " ".join([TYPED] * 5)
    box = page.locator(".st-key-reference input")
    box.fill(long)
    box.press("Enter")
    settle(page)
    expect_rows_total(page, translator, long)
    box.fill("Le garçon " * 500)
    box.press("Enter")
    settle(page)
    expect(page.locator(".st-key-panel [data-testid=stAlert]")).to_be_visible()
    expect(box).to_have_value("Le garçon " * 500)
    expect_rows_total(page, translator, long)


def expect_rows_total(page: Page, translator, reference: str) -> None:
    def drawn() -> None:
        assert total(page, "right") == pytest.approx(translator.score([(TEXT, reference)])[0], abs=1e-4)

    until(page, drawn)


def test_the_stand_in_is_the_second_best_of_a_beam(open_page, translator):
    text = "I think that my friends will be very happy tonight."
    page = open_page("decoding", decoding="given", s=text)
    own = translator.translate(text).text
    found = [each.text for each in translator.search(text, size=4).hypotheses]
    expect_rows(page, translator, text, next(each for each in found if each != own))


def test_a_long_sentence_stays_usable_on_a_telephone(open_page):
    text = " ".join(["The old man and his dog walk along the river every morning,"] * 9) + " they say."
    page = open_page("decoding", decoding="given", s=text, screen=PHONE)
    expect(page.locator(f".st-key-{NEXT} .drawing[data-painted]")).to_be_visible()
    expect_no_scrolling_sideways(page)
    assert "window" in named(page, ROWS)
