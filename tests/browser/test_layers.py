"""Layers in a browser: what clicks and keys choose, on any screen, in any language, and taken home."""

import re

import pytest
from playwright.sync_api import expect

from tests.helpers.browser import (
    PHONE,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_within_screen,
    korean,
    open_export,
    save,
    say,
    settle,
    unfold_controls,
)
from tests.helpers.drawn import explained, finding, named
from viz.figures.labels import readable
from viz.pages.layers import Layers

TEXT = "The small boat waited for us near the bridge."
MARKUP = "<b>boat</b> $x$ *star* :smile:"


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(TEXT)


def test_clicks_and_keys_choose_and_the_link_opens_the_same(open_app, open_page, trace):
    page = open_page("layers", s=TEXT, kind="decoder", layer=0)
    page.locator(".st-key-diagram [data-name='encoder.1.feed_forward']").click()
    settle(page)
    expect_in_link(page, "kind=encoder", "layer=1", "part=feed_forward")
    assert named(page, "diagram")["encoder.1.feed_forward"]["on"]
    tokens = page.locator(".st-key-token button")
    expect(tokens).to_have_text([readable(piece, say) for piece in trace.source.pieces])
    tokens.nth(2).click()
    settle(page)
    expect_in_link(page, "row=2")
    box = page.locator(".st-key-diagram [data-name='decoder.0.cross']")
    box.focus()
    page.keyboard.press("Enter")
    settle(page)
    expect_in_link(page, "kind=cross", "part=cross")
    page.locator(".st-key-picture_added [data-name='decoder.1.attention']").click()
    settle(page)
    expect_in_link(page, "kind=decoder", "layer=1")
    page.get_by_role("heading", name=say("layers.title")).click()
    for panel in Layers.options("layers")[1:3]:
        page.keyboard.press("ArrowRight")
        settle(page)
        expect(page.locator(f".st-key-picture_{panel} .drawing")).to_be_visible()
    before = {key: named(page, key) for key in ("diagram", "picture_path")}
    again = open_app(f"/?{page.url.partition('?')[2]}", until=".st-key-picture_path .drawing[data-painted]")
    assert {key: named(again, key) for key in before} == before


def test_a_narrow_dark_korean_screen_shows_everything_in_korean(open_page, trace):
    page = open_page("layers", s=TEXT, kind="cross", screen=PHONE)
    unfold_controls(page)
    typed = {readable(piece, korean) for piece in (*trace.source.pieces, *trace.target.predicted)}
    for panel in Layers.options("layers"):
        choose(page, "layers", korean(f"layers.{panel}"))
        expect(page.locator(f".st-key-picture_{panel} .drawing[data-painted]")).to_be_visible()
        expect_no_scrolling_sideways(page, panel)
        expect_within_screen(page, page.locator(".drawing svg"))
        texts = [finding(page), explained(page)]
        for sheet in page.locator(".drawing[data-painted]").all():
            shown = sheet.evaluate("d => d.shown")
            texts += [shown["title"], *(mark.get("text", "") for mark in shown["marks"])]
        for text in texts:
            if panel == "vocabulary" or text in typed:
                continue
            plain = re.sub(r"\([^)]*\)|“[^”]*”", "", text)  # terms in brackets, quoted words
            assert not re.search("[A-Za-z]{2,}", plain), text
    expect_within_screen(page, page.locator(".st-key-token button, .st-key-layers button"))


def test_typed_markup_stays_text_and_the_page_can_be_taken_home(open_page, translator, tmp_path):
    page = open_page("layers", s=MARKUP, kind="encoder")
    pieces = [readable(piece, say) for piece in translator.read(MARKUP).pieces]
    expect(page.locator(".st-key-token button")).to_have_text(pieces)
    dialog = open_export(page)
    for picture in ("diagram", "added"):
        expect(dialog.get_by_text(say(f"export.{picture}"), exact=True)).to_be_visible()
    text = save(dialog, "JSON", tmp_path).read_text("utf-8")
    assert '"cosine"' in text and '"stack": "encoder"' in text
    text = save(dialog, "HTML", tmp_path, 1).read_text("utf-8")
    assert text.count("<svg") == 2 and "<b>boat" not in text
