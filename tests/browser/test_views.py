"""What holds for every view of ours: it hears a visitor as soon as it is drawn, however slow the machine."""

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import click_cell, expect_in_link, settle, until, weights

# A busy machine takes its time to load a script: each is there two seconds late.
LATE_SCRIPTS = """(() => {
  const make = URL.createObjectURL.bind(URL);
  const late = (blob) => `export { default } from ${JSON.stringify(make(blob))};
    await new Promise((done) => setTimeout(done, 2000));`;
  URL.createObjectURL = (blob) =>
    make(blob.type === "text/javascript" ? new Blob([late(blob)], { type: blob.type }) : blob);
})()"""


@pytest.fixture
def slow_page(browser) -> Page:
    with browser.new_context(locale="en-US", viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.add_init_script(LATE_SCRIPTS)
        yield page


def test_a_view_that_got_new_data_while_its_script_was_loading_hears_a_click(slow_page, app_url):
    """Streamlit ends the calls that newer data overtook, and it does so after the newest was made."""
    slow_page.goto(f"{app_url}/?page=experiment&kind=encoder&layer=0&head=1")
    layers = slow_page.locator(".st-key-layer").get_by_role("radio")
    layers.nth(2).click()
    settle(slow_page)
    expect(slow_page.locator(".st-key-heatmap .heat-map[data-painted]")).to_be_visible()

    def drawn() -> None:
        assert weights(slow_page).size

    until(slow_page, drawn)
    click_cell(slow_page, 1, 2)
    expect_in_link(slow_page, "layer=2", "row=1", "column=2")
