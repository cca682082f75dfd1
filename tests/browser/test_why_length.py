"""Longer sentences, in a browser: every number is what was measured, or what the networks do just now."""

import json

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.checkpoint import SHIPPED
from model.rivals import FOLDER, RIVALS
from model.rivals.held import held
from model.rivals.lengths import FILE
from model.rivals.rival import Rival, load_rival
from tests.helpers.browser import (
    PHONE,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    open_export,
    say,
    settle,
    until,
)
from tests.helpers.drawn import marks, named, said, tips
from viz.pages.why.numbers.looks import shares, shown_map
from viz.pages.why.panels.length.longer import grown

TEXT = "My brother lost his watch in the garden."
CURVES, WRITTEN, MAPS, ROW = (f"picture_why_{each}" for each in ("length", "written", "maps", "row"))


@pytest.fixture(scope="module")
def rivals() -> dict[str, Rival]:
    return {name: load_rival(name) for name in RIVALS}


@pytest.fixture(scope="module")
def measured() -> dict:
    return json.loads((SHIPPED / FOLDER / FILE).read_text("utf-8"))


@pytest.fixture
def panel(open_page):
    def visit(ready: str = WRITTEN, **link: object) -> Page:
        page = open_page("why", **{"s": TEXT, "five": "asked", **link})
        expect(page.locator(f".st-key-{ready} .drawing[data-painted]")).to_be_visible()
        return page

    return visit


def test_curves_are_what_was_measured_and_rows_what_each_writes(panel, measured, rivals):
    page = panel()
    points = tips(page, CURVES)
    for name, each in measured["models"].items():
        for bucket, (value, low, high) in zip(measured["buckets"], each["bleu"], strict=False):
            tip = points[f"bleu.{name}.{bucket['first']}"]
            assert f"{value:.1f} [{low:.1f}, {high:.1f}], {bucket['sentences']}" in tip
    rows = named(page, WRITTEN)
    for name, rival in rivals.items():
        own = rival.translate(TEXT)
        assert rows[f"row.{name}"]["tip"].endswith(own.text)
        sure = float(rows[f"{name}.sure"]["text"].replace("−", "-"))
        assert sure == pytest.approx(np.mean(own.log_probs), abs=0.006)
    expect_no_scrolling_sideways(page)
    assert page.locator(f".st-key-{CURVES}").bounding_box()["y"] < 420


def test_a_click_chooses_whose_translation_all_read_and_which_piece(panel, measured, rivals):
    page = panel()
    page.locator(f".st-key-{WRITTEN} [data-name='row.additive']").click()
    settle(page)
    expect_in_link(page, "network=additive")
    choose(page, "length_view", say("length_view.looks"))
    ids = rivals["additive"].translate(TEXT).ids
    until(page, lambda: _rows_of(page, len(ids)))
    page.locator(f".st-key-{MAPS} [data-name='transformer.row.2']").click()
    settle(page)
    expect_in_link(page, "length_row=2", "length_view=looks")
    for name in RIVALS[1:]:
        aligned = measured["models"][name]["aligned"]
        expected = shown_map(rivals[name].trace(TEXT, ids).attention, aligned)[2]
        until(page, lambda name=name, expected=expected: _said(page, name, expected))
    until(page, lambda: _said(page, "recurrent", shares(held(rivals["recurrent"], TEXT))))
    dialog = open_export(page)
    expect(dialog.get_by_text(say("export.why_maps")).first).to_be_visible()


def test_all_five_translate_when_somebody_asks(panel, rivals):
    page = panel(CURVES, five="unasked")
    expect(page.locator(f".st-key-{WRITTEN}")).to_have_count(0)
    page.get_by_role("button", name=say("why.length.ask")).click()
    settle(page)
    expect_in_link(page, "five=asked")
    expected = rivals["recurrent"].translate(TEXT).text
    until(page, lambda: _tip(page, expected))


def test_a_longer_sentence_is_one_click_away(panel, rivals):
    page = panel()
    page.locator(".st-key-grown_3 button").first.click()
    expect(page.locator(".st-key-sentence input")).to_have_value(grown(3))
    settle(page)
    expected = rivals["recurrent"].translate(grown(3)).text
    until(page, lambda: _tip(page, expected))
    page.keyboard.press("ArrowRight")
    expect(page.locator(f".st-key-{MAPS} .drawing[data-painted]")).to_be_visible()


def test_on_a_telephone_in_korean_nothing_scrolls_sideways(panel):
    for view, keys in (("quality", (CURVES, WRITTEN)), ("looks", (MAPS, ROW))):
        page = panel(keys[-1], screen=PHONE, length_view=view, s=grown(4))
        expect_no_scrolling_sideways(page, view)
        for key in keys:
            sheet = page.locator(f".st-key-{key} svg").bounding_box()
            assert sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= PHONE["width"], key


def _rows_of(page: Page, count: int) -> None:
    assert sum(mark.get("name", "").startswith("additive.row.") for mark in marks(page, MAPS)) == count


def _said(page: Page, name: str, expected: np.ndarray) -> None:
    cells = [value for key, value in said(page, ROW, f"{name}.").items() if key[-1].isdigit()]
    np.testing.assert_allclose(cells, expected, atol=1.5e-3)


def _tip(page: Page, words: str) -> None:
    assert tips(page, WRITTEN)["row.recurrent"].endswith(words)
