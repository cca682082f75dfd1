"""What only a browser can show: the picture itself, what hovering reads, and the screen's edges."""

import re
import tomllib

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.helpers.browser import (
    choose,
    expect_weights,
    hover,
    row_labels,
    say,
    show,
    translation,
    weights,
    write,
)
from tests.helpers.paths import ROOT
from viz.figures.labels import readable
from viz.state.session import EXAMPLE
from viz.text import translate

THEME = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"]
OTHER = "My brother works in a big bank."
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
    korean = translate("ko")
    expect(page.get_by_role("heading", name=korean("look.title"))).to_be_visible()
    expect(row_labels(page).first).to_have_text(korean("piece.start"))
    expect(translation(page)).to_have_text(written)
    expect_weights(page, picture)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_of_either_scheme_shows_everything(open_app, scheme):
    page = open_app(width=390, height=844, scheme=scheme, locale="ko-KR")
    expect(page.get_by_role("heading", name=translate("ko")("look.title"))).to_be_visible()
    for element in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
        assert page.evaluate(f"{element}.scrollWidth <= {element}.clientWidth")
    for label in (*row_labels(page).all(), page.locator(".st-key-heatmap canvas")):
        box = label.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, label.text_content()

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
