"""The code of our views reaches a browser once; then only data travels."""

from tests.helpers.browser import choose_head, expect_in_link, settle
from tests.helpers.stage import ORIGIN, stage

CODE = b"class HeatMap"


def test_the_code_of_views_travels_once(open_page):
    page = open_page(kind="cross", layer=3, head=0)
    settle(page)
    frames: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(bytes(frame))))
    page.reload()
    page.wait_for_selector(".st-key-heatmap .heat-map[data-painted]")
    settle(page)
    assert sum(CODE in frame for frame in frames) == 1
    frames.clear()
    choose_head(page, 2)
    expect_in_link(page, "head=1")
    settle(page)
    assert frames and not any(CODE in frame for frame in frames)
    assert sum(map(len, frames)) < 45_000  # of the 60 KB that another head may take


def test_a_view_that_comes_before_its_code_is_drawn_when_the_code_is_there(browser):
    page = stage(browser, "light", "", "<p></p>")
    told = page.evaluate(
        """async (module) => {
          const waiting = (await import(module)).default, told = [], name = "the view's name";
          const early = waiting("early"), gone = waiting("gone");
          gone();
          const view = (given) => (told.push(given), () => told.push(`${given} ended`));
          globalThis.headlightViews = { [name]: view };
          document.dispatchEvent(new Event("headlight-views"));
          document.dispatchEvent(new Event("headlight-views"));
          early();
          waiting("late")();
          return told;
        }""",
        f"{ORIGIN}/waiting.js",
    )
    page.close()
    assert told == ["early", "early ended", "late", "late ended"]
