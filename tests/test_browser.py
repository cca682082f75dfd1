"""What only a browser can show: the picture itself, what hovering reads, and the screen's edges."""

import re
import time
import tomllib

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.conftest import ROOT, settle
from viz.figures.labels import readable
from viz.session import EXAMPLE
from viz.text import translate

THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
OTHER = "My brother works in a big bank."
PLOT = "document.querySelector('.st-key-heatmap .js-plotly-plot')"
MARKUP = "<b>bold</b> & $x$ *star* :smile:"

say = translate("en")


def write(page: Page, text: str) -> None:
    box = page.locator(".st-key-sentence input")
    box.fill(text)
    box.press("Enter")
    settle(page)


def choose(page: Page, key: str, option: str) -> None:
    page.locator(f".st-key-{key}").get_by_role("radio", name=option, exact=True).click()
    settle(page)


def show(page: Page, kind: str, layer: int, head: int) -> None:
    choose(page, "kind", say(f"kind.{kind}"))
    choose(page, "layer", str(layer))
    choose(page, "head", str(head))


def translation(page: Page):
    return page.locator(".st-key-translation").get_by_test_id("stText")


def weights(page: Page) -> np.ndarray:
    """What Plotly holds behind the picture; nothing while it is drawing anew."""
    finite = "weight => Number.isFinite(weight) ? weight : null"
    script = f"{PLOT}?._fullData?.[0].z.map(row => Array.from(row, {finite})) ?? []"
    return np.array(page.evaluate(script), dtype=float)


def expect_weights(page: Page, expected: np.ndarray) -> None:
    """Wait for the picture of these weights: Plotly draws a moment after the server's answer."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        shown = weights(page)
        if shown.shape == expected.shape and np.allclose(shown, expected, 0, 1e-5, equal_nan=True):
            return
        page.wait_for_timeout(20)
    np.testing.assert_allclose(shown, expected, atol=1e-5)


def hover(page: Page, row: int, column: int) -> str:
    """Point at a cell and read the label that appears."""
    grid = page.locator(".st-key-heatmap .heatmaplayer image")
    grid.scroll_into_view_if_needed()
    box, (rows, columns) = grid.bounding_box(), weights(page).shape
    page.mouse.move(
        box["x"] + box["width"] * (column + 0.5) / columns,
        box["y"] + box["height"] * (row + 0.5) / rows,
    )
    label = page.locator(".st-key-heatmap .hoverlayer .hovertext")
    expect(label).to_be_visible()
    return label.text_content()


def test_it_opens_translated_and_another_sentence_changes_everything(open_app, translator):
    page = open_app()
    expect(page.locator(".st-key-sentence input")).to_have_value(EXAMPLE)
    expect(translation(page)).to_have_text(translator.translate(EXAMPLE).text)
    show(page, "encoder", 1, 1)
    expect_weights(page, translator.trace(EXAMPLE).attention["encoder"][0, 0])
    write(page, OTHER)
    expect(translation(page)).to_have_text(translator.translate(OTHER).text)
    expect_weights(page, translator.trace(OTHER).attention["encoder"][0, 0])


def test_hovering_reads_the_number_the_model_used(open_app, translator):
    page = open_app()
    trace = translator.trace(EXAMPLE)
    layer, head = trace.attention["encoder"].shape[0] - 1, 1
    for kind, rows, columns in [
        ("encoder", trace.source.pieces, trace.source.pieces),
        ("cross", trace.target.predicted, trace.source.pieces),
    ]:
        show(page, kind, layer + 1, head + 1)
        pattern = trace.attention[kind][layer, head]
        expect_weights(page, pattern)
        row, column = np.unravel_index(pattern.argmax(), pattern.shape)
        words, _, number = hover(page, int(row), int(column)).rpartition(": ")
        assert words == f"{readable(rows[row], say)} → {readable(columns[column], say)}"
        assert float(number) == pytest.approx(pattern[row, column], abs=1e-3)


def test_what_one_types_is_shown_as_typed(open_app, translator):
    page = open_app()
    choose(page, "kind", say("kind.encoder"))
    write(page, MARKUP)
    expect(page.locator(".st-key-sentence input")).to_have_value(MARKUP)
    expect(translation(page)).to_have_text(translator.translate(MARKUP).text)
    pieces = [readable(piece, say) for piece in translator.read(MARKUP).pieces]
    expect(page.locator(".st-key-heatmap .xtick text")).to_have_text(pieces)
    # Rows run downwards and so against the axis.
    expect(page.locator(".st-key-heatmap .ytick text")).to_have_text(pieces[::-1])
    assert f"{pieces[0]} → {pieces[0]}: " in hover(page, 0, 0)


def test_a_blank_sentence_keeps_the_picture_and_says_one_clear_sentence(open_app):
    page = open_app()
    before, written = weights(page), translation(page).text_content()
    write(page, "   ")
    expect(page.get_by_role("alert")).to_have_text(say("sentence.blank"))
    expect(page.locator(".st-key-sentence input")).to_have_value("   ")
    expect(translation(page)).to_have_text(written)
    expect_weights(page, before)


def test_switching_to_korean_changes_the_words_and_nothing_else(open_app, translator):
    page = open_app()
    show(page, "decoder", 1, 2)
    choose(page, "reading", say("reading.read"))
    trace = translator.trace(EXAMPLE)
    picture = np.where(trace.mask["decoder"][0, 1], trace.attention["decoder"][0, 1], np.nan)
    expect_weights(page, picture)
    written = translation(page).text_content()
    choose(page, "language", say("language.ko"))
    korean = translate("ko")
    expect(page.get_by_role("heading", name=korean("look.title"))).to_be_visible()
    expect(page.locator(".st-key-heatmap .ytick text").last).to_have_text(korean("piece.start"))
    expect(translation(page)).to_have_text(written)
    expect_weights(page, picture)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_of_either_scheme_shows_everything(open_app, scheme):
    page = open_app(width=390, height=844, scheme=scheme, locale="ko-KR")
    expect(page.get_by_role("heading", name=translate("ko")("look.title"))).to_be_visible()
    for element in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
        assert page.evaluate(f"{element}.scrollWidth <= {element}.clientWidth")
    for text in page.locator(".st-key-heatmap .main-svg text").all():
        if box := text.bounding_box():
            assert box["x"] >= 0 and box["x"] + box["width"] <= 390, text.text_content()

    theme, frame = THEME[scheme], page.get_by_test_id("stApp")
    background = numbers(frame.evaluate("app => getComputedStyle(app).backgroundColor"))
    assert background == rgb(theme["backgroundColor"])
    scale = [rgb(colour) for _, colour in page.evaluate(f"{PLOT}._fullData[0].colorscale")]
    assert scale == [rgb(colour) for colour in theme["chartSequentialColors"]]
    label = page.locator(".st-key-heatmap .xtick text").first
    ink = numbers(label.evaluate("text => getComputedStyle(text).fill"))
    assert abs(np.mean(ink) - np.mean(background)) > 80


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def numbers(colour: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", colour)[:3]))
