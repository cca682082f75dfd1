"""What a visitor does with the app, in a real browser: type, pick, link, export, and be rude to it."""

import io
import json
import re
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import (
    choose,
    choose_head,
    expect_weights,
    hover,
    row_labels,
    say,
    settle,
    show,
    translation,
    weights,
    write,
)  # fmt: skip
from viz.figures.labels import readable
from viz.state.examples import EXAMPLES
from viz.state.picture import sides
from viz.state.session import EXAMPLE
from viz.text import translate

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
SENTENCES = ("My sister bought a red car.", "They have never seen the sea.")


def lock(page: Page, side: str, place: int) -> None:
    page.locator(f".st-key-head_view .words.{side} > *").nth(place).click()
    settle(page)


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


def test_an_example_is_one_click(open_app, translator):
    page = open_app()
    page.get_by_role("button", name=say("examples.label")).click()
    page.get_by_role("button", name=EXAMPLES["question"]).click()
    settle(page)
    expect(page.locator(".st-key-sentence input")).to_have_value(EXAMPLES["question"])
    expect(translation(page)).to_have_text(translator.translate(EXAMPLES["question"]).text)
    page.locator(".st-key-undo button").click()
    settle(page)
    expect(page.locator(".st-key-sentence input")).to_have_value(EXAMPLE)


def test_a_link_shows_the_same_view_in_another_browser(open_app, browser, app_url):
    page = open_app()
    write(page, SENTENCES[0])
    show(page, "decoder", 2, 3)
    choose(page, "reading", say("reading.read"))
    choose(page, "language", say("language.ko"))
    lock(page, "left", 2)
    expect(page).to_have_url(re.compile("row=2"))
    drawn, link = weights(page), page.url
    other = browser.new_context(locale="en-US").new_page()
    other.goto(link)
    expect_weights(other, drawn)
    settle(other)
    expect(other.locator(".st-key-sentence input")).to_have_value(SENTENCES[0])
    expect(other.get_by_role("heading", name=translate("ko")("look.title"))).to_be_visible()
    expect(translation(other)).to_have_text(translation(page).text_content())
    expect(row_labels(other).first).to_have_text(translate("ko")("piece.start"))
    assert other.url == link
    other.context.close()


@pytest.mark.parametrize("text", SENTENCES)
def test_hovering_is_true_for_every_kind_and_both_readings(open_app, translator, text):
    trace = translator.trace(text)
    page = open_app("?" + urlencode({"s": text, "kind": "encoder", "layer": 0, "head": 0}))
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


def test_korean_gets_a_note_with_an_example_to_click(open_app, translator):
    page = open_app(locale="ko-KR")
    write(page, RUDE["Hangul"])
    korean = translate("ko")
    expect(page.get_by_text(korean("sentence.foreign", language=korean("name.en")))).to_be_visible()
    page.locator(".st-key-foreign_example button").click()
    settle(page)
    expect(page.locator(".st-key-sentence input")).to_have_value(EXAMPLE)
    expect(page.locator(".st-key-foreign_example")).to_have_count(0)


def test_everything_is_within_reach_of_the_keyboard(open_app, translator):
    page = open_app()
    page.locator(".st-key-sentence input").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(SENTENCES[1])
    page.keyboard.press("Enter")
    settle(page)
    expect(translation(page)).to_have_text(translator.translate(SENTENCES[1]).text)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate("""() => {
              let at = document.activeElement, key = null;
              while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
              for (let up = at; up && !key; up = up.parentElement ?? up.getRootNode().host)
                key = [...up.classList ?? []].find(name => name.startsWith("st-key-"));
              return key;
            }""")
        )
    wanted = {
        "undo",
        "share",
        "about",
        "checks",
        "kind",
        "layer",
        "head",
        "units",
        "head_view",
        "compare",
        "heatmap",
        "export",
    }
    assert {f"st-key-{name}" for name in wanted} <= reached
    page.locator(".st-key-kind [aria-checked=true]").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    settle(page)
    expect(page).to_have_url(re.compile("kind=decoder"))


def test_what_is_exported_holds_what_was_on_screen(open_app, translator, browser, tmp_path):
    page = open_app("?" + urlencode({"s": SENTENCES[0], "kind": "cross", "layer": 1, "head": 2}))
    pattern = translator.trace(SENTENCES[0]).attention["cross"][1, 2]
    page.locator(".st-key-export button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()

    def save(label: str, place: int = 0) -> bytes:
        with page.expect_download() as waiting:
            dialog.get_by_role("button", name=label, exact=True).nth(place).click()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        return file.read_bytes()

    rows = save("CSV").decode("utf-8-sig").splitlines()[1:]
    numbers = np.array([[float(cell) for cell in row.split(",")[-pattern.shape[1] :]] for row in rows])
    np.testing.assert_allclose(numbers, pattern, atol=1e-5)
    np.testing.assert_allclose(json.loads(save("JSON"))["combined"], pattern, atol=1e-5)
    with np.load(io.BytesIO(save("NPZ")), allow_pickle=False) as file:
        np.testing.assert_allclose(file["combined"], pattern, atol=1e-5)
    for place in (0, 1):
        svg = save("SVG", place).decode()
        assert svg.startswith("<svg") or svg.startswith("<?xml")
        assert "<image" not in svg
        assert save("PNG", place).startswith(b"\x89PNG")
    save("HTML")
    (saved,) = tmp_path.glob("*.html")
    context = browser.new_context(offline=True)
    alone = context.new_page()
    problems = []
    alone.on("pageerror", lambda error: problems.append(str(error)))
    alone.on("console", lambda line: line.type == "error" and problems.append(line.text))
    alone.on(
        "request",
        lambda asked: asked.url.startswith(("file:", "data:", "blob:")) or problems.append(asked.url),
    )
    alone.goto(saved.as_uri())
    expect(alone.get_by_text(SENTENCES[0]).first).to_be_visible()
    expect(alone.locator("body")).to_contain_text(f"{pattern.max():.3f}")
    context.close()
    assert not problems


def test_the_link_dialog_says_when_others_cannot_reach_the_app(open_app):
    page = open_app("?" + urlencode({"s": SENTENCES[1]}))
    page.locator(".st-key-share button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(say("share.unreachable"))
    expect(dialog).to_contain_text("s=They+have+never+seen+the+sea.")


def test_the_badge_opens_to_say_what_was_checked(open_app):
    page = open_app()
    page.locator(".st-key-checks button").click()
    expect(page.get_by_text(say("check.heads_recombine"))).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".st-key-about button").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("CC-BY 2.0 FR")


def test_clicking_a_cell_leads_inside_and_the_pair_is_kept_on_the_way_back(open_app):
    page = open_app("?" + urlencode({"s": SENTENCES[0], "kind": "encoder", "layer": 0, "head": 1}))
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
