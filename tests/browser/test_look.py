"""What only a browser can show: the picture itself, what hovering reads, and the screen's edges."""

import re
import tomllib

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import (
    PHONE,
    choose,
    choose_head,
    expect_no_scrolling_sideways,
    expect_weights,
    expect_within_screen,
    hover,
    korean,
    row_labels,
    say,
    settle,
    show,
    translation,
    weights,
    write,
)
from tests.helpers.paths import ROOT
from viz.figures.labels import readable
from viz.state.picture import sides
from viz.state.session import EXAMPLE

THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
OTHER = "My brother works in a big bank."
SENTENCES = ("My sister bought a red car.", "They have never seen the sea.")
MARKUP = "<b>bold</b> & $x$ *star* :smile:"


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
        words = f"{readable(rows[row], say)} → {readable(columns[column], say)}"
        said, _, number = hover(page, int(row), int(column), words).rpartition(": ")
        assert said == words
        assert float(number) == pytest.approx(pattern[row, column], abs=1e-3)


def read_word(page: Page, row: int, expected: str) -> str:
    """Point at a word that looks, and read what is said; anew if the picture changed just then."""
    status = page.locator(".st-key-head_view .status")
    for _ in range(20):
        page.mouse.move(1, 1)
        page.locator(".st-key-head_view .words.left > *").nth(row).hover()
        page.wait_for_timeout(50)
        if expected in status.text_content():
            break
    return status.text_content()


@pytest.mark.parametrize("text", SENTENCES)
def test_hovering_is_true_for_every_kind_and_both_readings(open_page, translator, text):
    trace = translator.trace(text)
    page = open_page(s=text, kind="encoder", layer=0, head=0)
    for kind, reading, layer, head in [
        ("encoder", None, 0, 0),
        ("decoder", "read", 1, 2),
        ("decoder", "predicted", 1, 2),
        ("cross", "predicted", 2, 1),
        ("cross", "read", 2, 1),
    ]:
        show(page, kind, layer + 1, head + 1)
        if reading:
            choose(page, "reading", say(f"reading.{reading}"))
        pattern, mask = trace.attention[kind][layer, head], trace.mask[kind][layer, head]
        expect_weights(page, np.where(mask, pattern, np.nan))
        row, column = (int(place) for place in np.unravel_index(pattern.argmax(), pattern.shape))
        looking, seen = sides(trace, kind, reading or "read")
        words = f"{readable(looking.pieces[row], say)} → {readable(seen.pieces[column], say)}"
        number = hover(page, row, column, words).rpartition(": ")[2]
        assert float(number) == pytest.approx(pattern[row, column], abs=1e-4)
        status = read_word(page, row, f"{pattern[row, column]:.4f}"[:5])
        shown = re.findall(r"\d\.\d+", status)[-1]
        assert float(shown) == pytest.approx(pattern[row, column], abs=1e-4)


def test_clicking_a_cell_leads_inside_and_the_pair_is_kept_on_the_way_back(open_page):
    page = open_page(s=SENTENCES[0], kind="encoder", layer=0, head=1)
    hover(page, 2, 3)
    page.mouse.down()
    page.mouse.up()
    expect(page.get_by_role("heading", name=say("inside.title"))).to_be_visible()
    settle(page)
    expect(page).to_have_url(re.compile("page=inside.*row=2&column=3"))
    page.get_by_role("link", name=say("look.short")).click()
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    settle(page)
    choose_head(page, 3)
    expect(page).to_have_url(re.compile("head=2&row=2&column=3"))


def test_what_one_types_is_shown_as_typed(open_app, translator):
    page = open_app()
    choose(page, "kind", say("kind.encoder"))
    write(page, MARKUP)
    expect(page.locator(".st-key-sentence input")).to_have_value(MARKUP)
    expect(translation(page)).to_have_text(translator.translate(MARKUP).text)
    pieces = [readable(piece, say) for piece in translator.read(MARKUP).pieces]
    expect(page.locator(".st-key-heatmap .columns span")).to_have_text(pieces)
    expect(row_labels(page)).to_have_text(pieces)
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
    expect(page.get_by_role("heading", name=korean("look.title"))).to_be_visible()
    expect(row_labels(page).first).to_have_text(korean("piece.start"))
    expect(translation(page)).to_have_text(written)
    expect_weights(page, picture)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_of_either_scheme_shows_everything(open_app, scheme):
    page = open_app(**PHONE | {"scheme": scheme})
    expect(page.get_by_role("heading", name=korean("look.title"))).to_be_visible()
    expect_no_scrolling_sideways(page)
    expect_within_screen(page, row_labels(page))
    expect_within_screen(page, page.locator(".st-key-heatmap canvas"))

    theme, frame = THEME[scheme], page.get_by_test_id("stApp")
    background = numbers(frame.evaluate("app => getComputedStyle(app).backgroundColor"))
    assert background == rgb(theme["backgroundColor"])
    # The strongest cell has the scale's last colour, the legend both ends.
    pattern = weights(page)
    row, column = (int(place) for place in np.unravel_index(np.nanargmax(pattern), pattern.shape))
    pixel = page.locator(".st-key-heatmap canvas").evaluate(
        """(canvas, [x, y]) => [...canvas.getContext("2d").getImageData(
             Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data]""",
        [(column + 0.5) / pattern.shape[1], (row + 0.5) / pattern.shape[0]],
    )
    scale = [rgb(colour) for colour in theme["chartSequentialColors"]]
    place = pattern[row, column] * (len(scale) - 1)
    expected = [np.interp(place, range(len(scale)), channel) for channel in zip(*scale, strict=True)]
    assert np.allclose(pixel[:3], expected, atol=3)
    ink = numbers(row_labels(page).first.evaluate("label => getComputedStyle(label).color"))
    assert abs(np.mean(ink) - np.mean(background)) > 80


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def numbers(colour: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", colour)[:3]))
