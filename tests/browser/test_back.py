"""Back and forward in the browser walk through what was seen: pages, choices, sentences."""

import re

from playwright.sync_api import Page, expect

from tests.helpers.browser import choose, expect_in_link, say, settle, translation, write


def go(page: Page, way: str) -> None:
    page.evaluate(f"history.{way}()")
    settle(page)


def entries(page: Page) -> int:
    return page.evaluate("history.length")


def chosen(page: Page, key: str):
    return page.locator(f".st-key-{key}").get_by_role("radio", checked=True)


def follow(page: Page, name: str) -> None:
    page.locator(".st-key-pages").get_by_role("link", name=say(f"{name}.short"), exact=True).click()
    settle(page)


def test_back_and_forward_walk_through_choices_and_pages(open_app):
    page = open_app()
    expect_in_link(page, "kind=cross")  # the address is written a moment after the page
    first = page.url
    assert entries(page) == 2  # the empty page that every test begins with, and this one
    choose(page, "kind", say("kind.encoder"))
    choose(page, "layer", "3")
    follow(page, "layers")
    expect(page.get_by_role("heading", name=say("layers.title"))).to_be_visible()
    expect_in_link(page, "page=layers")
    assert entries(page) == 5  # each of the three is one step

    go(page, "back")
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    expect(chosen(page, "layer")).to_have_text("3")
    go(page, "back")
    expect(chosen(page, "layer")).not_to_have_text("3")
    expect(chosen(page, "kind")).to_have_text(say("kind.encoder"))
    go(page, "back")
    expect(chosen(page, "kind")).to_have_text(say("kind.cross"))
    assert page.url == first
    go(page, "forward")
    expect(chosen(page, "kind")).to_have_text(say("kind.encoder"))
    go(page, "forward")
    go(page, "forward")
    expect(page.get_by_role("heading", name=say("layers.title"))).to_be_visible()
    assert entries(page) == 5


def test_back_brings_the_sentence_and_the_language_back_and_undo_undoes_it(open_page):
    page = open_page(s="She sings.", lang="en")
    before = translation(page).text_content()
    write(page, "He sleeps.")
    expect(translation(page)).not_to_have_text(before)
    expect_in_link(page, r"s=He\+sleeps\.")  # whoever is faster than the page takes both as one step
    choose(page, "language", say("language.ko"))
    expect_in_link(page, "lang=ko")
    go(page, "back")
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    go(page, "back")
    expect(translation(page)).to_have_text(before)
    page.locator(".st-key-undo button").click()
    settle(page)
    expect(translation(page)).not_to_have_text(before)


def test_a_view_opened_by_a_link_is_one_step_and_pages_opened_by_a_click_are_too(open_page):
    page = open_page("all_heads", s="She sings.")
    assert entries(page) == 2
    page.locator(".head-grid .cell").nth(5).click()
    expect(page.get_by_role("heading", name=say("look.title"))).to_be_visible()
    settle(page)
    assert entries(page) == 3
    go(page, "back")
    expect(page.get_by_role("heading", name=say("all_heads.title"))).to_be_visible()


def test_keys_pressed_one_after_the_other_are_one_step(open_page):
    page = open_page("layers", s="She sings.")
    begun = entries(page)
    for _ in range(3):
        page.keyboard.press("ArrowRight", delay=60)
    expect_in_link(page, "layers=units")
    assert entries(page) == begun + 1
    go(page, "back")
    expect(page).not_to_have_url(re.compile("[?&]layers="))
