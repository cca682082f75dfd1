"""Overview in a browser: figure 1 is of this run, and every part of it leads to where it is shown."""

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.helpers.browser import (
    PHONE,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    korean,
    say,
    settle,
    until,
    write,
)
from tests.helpers.drawn import marks, named
from viz.figures.labels import readable

TEXT = "The boy didn't buy the shirt because it was too small."
WORD = 3


@pytest.fixture(scope="module")
def trace(translator):
    return translator.trace(TEXT)


def part(page, name: str):
    return page.locator(f'.st-key-architecture [data-name="{name}"]')


def expect_written(page, row: int, chances: np.ndarray) -> None:
    def shown() -> None:
        found = named(page, "architecture")
        assert found[f"read.{row}"]["on"]
        assert found["writes"]["text"].endswith(f" {chances[row]:.3f}")

    until(page, shown)


def test_tokens_probabilities_and_maps_are_those_of_the_run(open_page, trace, translator):
    page = open_page("home", s=TEXT, writes=WORD, kind="cross", layer=1, head=2)
    found, chances = named(page, "architecture"), np.exp(trace.log_probs)
    written = {mark["text"] for mark in marks(page, "architecture") if mark["shape"] == "text"}
    assert {readable(piece, say) for piece in (*trace.source.pieces, *trace.target.read)} <= written
    top = np.exp(trace.top.log_probs[-1, WORD, :4])
    assert [found[f"chance.{place}"]["text"] for place in range(4)] == [f"{chance:.3f}" for chance in top]
    expect_written(page, WORD, chances)
    levels = np.array([list(bytes.fromhex(row)) for row in found["map.cross"]["rows"]])
    np.testing.assert_allclose(levels / 255, trace.attention["cross"][1, 2], atol=0.002)
    assert found["whose.cross"]["text"] == "cross 2·3"
    assert f"{translator.config.layers} ×" in written
    box = page.locator(".st-key-architecture .drawing").bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]


def test_stepping_writes_the_next_word_and_something_flows_up(open_page, trace):
    page = open_page("home", s=TEXT, writes=WORD)
    chances = np.exp(trace.log_probs)
    page.get_by_role("heading", name=say("home.title")).click()
    page.keyboard.press("ArrowRight")
    expect_written(page, WORD + 1, chances)
    expect(page.locator(".st-key-architecture .flow").first).to_be_attached()
    expect_in_link(page, f"writes={WORD + 1}")
    part(page, "step.before").click()
    expect_written(page, WORD, chances)
    token = part(page, "read.7")
    token.focus()
    page.keyboard.press("Enter")
    expect_written(page, 7, chances)
    write(page, "She was tired.")
    until(page, lambda: _shown(page, "tired"))


def _shown(page, word: str) -> None:
    assert word in {mark.get("text") for mark in marks(page, "architecture")}


def test_nothing_moves_for_those_who_asked_for_that(open_page):
    page = open_page("home", s=TEXT, writes=WORD)
    page.emulate_media(reduced_motion="reduce")
    part(page, "step.after").click()
    until(page, lambda: _on(page, WORD + 1))
    assert page.locator(".st-key-architecture .flow").count() == 0


def _on(page, row: int) -> None:
    assert named(page, "architecture")[f"read.{row}"]["on"]


@pytest.mark.parametrize(
    ("name", "title", "link"),
    [
        ("attention.cross", "look", ("kind=cross", f"row={WORD}")),
        ("attention.encoder", "look", ("kind=encoder",)),
        ("heads.decoder", "all_heads", ("kind=decoder",)),
        ("inside.cross", "inside", ("kind=cross",)),
        ("positions.encoder", "positions", ()),
        ("norm.decoder.cross", "layers", ("layers=norm", "part=cross")),
        ("feed_forward.encoder", "layers", ("layers=units", "part=feed_forward")),
        ("linear", "layers", ("layers=vocabulary",)),
        ("softmax", "decoding", (f"at={WORD}",)),
        ("go.training", "training", ()),
        ("go.why", "why", ()),
        ("go.atlas", "atlas", ()),
        ("go.experiment", "experiment", ()),
    ],
)
def test_a_part_leads_to_the_page_that_shows_it(open_page, name, title, link):
    page = open_page("home", s=TEXT, writes=WORD, kind="decoder", layer=1, head=2)
    part(page, name).click()
    expect(page.get_by_role("heading", name=say(f"{title}.title"))).to_be_visible()
    settle(page)
    expect_in_link(page, *link)


def test_pointing_tells_what_a_part_does_and_the_name_leads_home(open_page, trace):
    page = open_page(s=TEXT, kind="cross")
    name = page.get_by_role("link", name=say("here.label", part=say("here.cross")))
    expect(name).to_be_visible()
    choose(page, "kind", say("kind.encoder"))
    page.get_by_role("link", name=say("here.label", part=say("here.encoder"))).click()
    expect(page.get_by_role("heading", name=say("home.title"))).to_be_visible()
    part(page, "attention.encoder").hover()
    tip = page.locator(".st-key-architecture .tip")
    expect(tip).to_contain_text(f"Each of the {len(trace.source.pieces)} tokens looks")


def test_a_telephone_gets_its_own_arrangement(open_page, trace):
    page = open_page("home", s=TEXT, writes=WORD, screen=PHONE)
    expect_no_scrolling_sideways(page)
    found = named(page, "architecture")
    assert found["attention.encoder"]["y"] > found["attention.decoder"]["y"]  # stacked
    assert len([name for name in found if name.startswith("token.")]) == len(trace.source.pieces)
    drawing = page.locator(".st-key-architecture svg").bounding_box()
    assert drawing["width"] > 330  # words are as large as they were drawn
    expect(page.get_by_role("heading", name=korean("home.title"))).to_be_visible()
