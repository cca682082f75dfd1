"""What stands around every page, in a browser: within reach of the keyboard, and open about its checks."""

from playwright.sync_api import expect

from tests.helpers.browser import expect_in_link, say, settle, translation

SENTENCE = "They have never seen the sea."


def test_everything_is_within_reach_of_the_keyboard(open_app, translator):
    page = open_app()
    page.locator(".st-key-sentence input").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type(SENTENCE)
    page.keyboard.press("Enter")
    settle(page)
    expect(translation(page)).to_have_text(translator.translate(SENTENCE).text)
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
        "undo", "share", "about", "checks", "kind", "layer", "head", "units", "head_view", "compare",
        "heatmap", "export",
    }  # fmt: skip
    assert {f"st-key-{name}" for name in wanted} <= reached
    page.locator(".st-key-kind [aria-checked=true]").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    settle(page)
    expect_in_link(page, "kind=decoder")


def test_the_badge_opens_to_say_what_was_checked(open_app):
    page = open_app()
    page.locator(".st-key-checks button").click()
    expect(page.get_by_text(say("check.heads_recombine"))).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".st-key-about button").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("CC-BY 2.0 FR")
