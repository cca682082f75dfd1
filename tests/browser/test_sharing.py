"""A link in a browser: it shows the same view to others, and says when they cannot reach it."""

from playwright.sync_api import expect

from tests.helpers.browser import (
    choose,
    expect_in_link,
    expect_weights,
    korean,
    row_labels,
    say,
    settle,
    show,
    translation,
    weights,
    write,
)

SENTENCE = "They have never seen the sea."


def test_a_link_shows_the_same_view_in_another_browser(open_app, browser, app_url):
    page = open_app()
    write(page, SENTENCE)
    show(page, "decoder", 2, 3)
    choose(page, "reading", say("reading.read"))
    choose(page, "language", say("language.ko"))
    page.locator(".st-key-head_view .words.left > *").nth(2).click()
    settle(page)
    expect_in_link(page, "row=2")
    drawn, link = weights(page), page.url
    other = browser.new_context(locale="en-US").new_page()
    other.goto(link)
    expect_weights(other, drawn)
    settle(other)
    expect(other.locator(".st-key-sentence input")).to_have_value(SENTENCE)
    expect(other.get_by_role("heading", name=korean("look.title"))).to_be_visible()
    expect(translation(other)).to_have_text(translation(page).text_content())
    expect(row_labels(other).first).to_have_text(korean("piece.start"))
    assert other.url == link
    other.context.close()


def test_the_link_dialog_says_when_others_cannot_reach_the_app(open_page):
    page = open_page(s=SENTENCE)
    page.locator(".st-key-share button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(say("share.unreachable"))
    expect(dialog).to_contain_text("s=They+have+never+seen+the+sea.")
