"""Motion that explains: it runs, it ends in the picture drawn without it, and who wants none has none."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import choose, choose_head, say, settle

COUNT = """() => {
  const animate = Element.prototype.animate;
  window.motions = [];
  Element.prototype.animate = function (...values) {
    const motion = animate.apply(this, values);
    window.motions.push(motion);
    return motion;
  };
}"""
ENDED = "window.motions.length && window.motions.every(motion => motion.playState !== 'running')"


def another_head(page: Page, there: bool) -> None:
    choose_head(page, 3 if there else 1)


def sort(page: Page, there: bool) -> None:
    choose(page, "measure", say("measure.entropy" if there else "measure.none"))


def step(page: Page, there: bool) -> None:
    page.locator(".st-key-strip .pick").nth(5 if there else 4).click()
    expect(page.locator(".st-key-step_picture [data-name^=weight]")).to_have_count(14 if there else 0)


def turn(page: Page, there: bool) -> None:
    page.locator(".st-key-first input[type=range]").press("ArrowRight" if there else "ArrowLeft")
    expect(page.locator(f".st-key-positions_clock_8 [data-name='PE({6 if there else 5})']")).to_be_visible()


@pytest.mark.parametrize(
    ("where", "link", "part", "act"),
    [
        (None, {"kind": "encoder", "layer": 1, "head": 0, "row": 3}, "head_view", another_head),
        ("all_heads", {}, "all_heads", sort),
        ("inside", {"kind": "cross", "step": "mask"}, "step_picture", step),
        ("positions", {"positions": "shift", "first": 5, "second": 9}, "positions_clock_8", turn),
    ],
    ids=["lines", "sorted", "steps", "clocks"],
)
def test_a_motion_ends_in_the_picture_that_is_drawn_without_it(open_page, where, link, part, act):
    page = open_page(where, **link)
    page.evaluate(COUNT)

    def shown() -> bytes:
        settle(page)
        page.mouse.move(2, 2)
        page.wait_for_timeout(100)
        return page.locator(f".st-key-{part}").first.screenshot()

    act(page, True)
    page.wait_for_function(ENDED)
    moved = shown()
    act(page, False)
    page.wait_for_function(ENDED)

    page.emulate_media(reduced_motion="reduce")
    page.evaluate("window.motions = []")
    act(page, True)
    assert shown() == moved
    assert page.evaluate("window.motions.length") == 0


def test_only_the_lines_of_a_picked_row_flow(open_page):
    page = open_page(kind="encoder", layer=1, head=0)
    page.wait_for_timeout(700)  # those of the first picture have ended
    page.evaluate(COUNT)
    page.locator(".st-key-head_view .left .word").nth(2).click()
    flowing = "window.motions.map(({ effect }) => effect.target.className).filter(name => !/word/.test(name))"
    assert page.evaluate(flowing) == ["some"]
    settle(page)
    assert page.evaluate(flowing) == ["some"]  # the server's answer shows what is there already


def test_a_softmax_row_fills_up_to_one(open_page, translator):
    page = open_page("inside", kind="encoder", layer=0, head=0, step="softmax")
    shares = page.locator(".st-key-step_picture [data-name^=share]").evaluate_all(
        "bars => bars.map(bar => [Number(bar.getAttribute('x')), Number(bar.getAttribute('width'))])"
    )
    for (left, wide), (following, _) in pairwise(shares):
        assert left + wide == pytest.approx(following, abs=0.11)  # end to end, in tenths of a pixel
    expect(page.locator(".st-key-step_picture [data-name=whole]")).to_have_text("1.000")
    page.evaluate(COUNT)
    choose(page, "layer", "2")
    page.wait_for_function("window.motions.length")
    delays = page.evaluate(
        """window.motions.filter(({ effect }) => effect.target.dataset.name?.startsWith("share"))
           .map(({ effect }) => effect.getComputedTiming().delay)"""
    )
    assert delays == sorted(delays) and delays[-1] > delays[0] == 0
