"""Ready-made experiments keep their promise: one click, what it changed, before and after, and a lesson."""

import json

import pytest
from playwright.sync_api import Page, expect

from model import checkpoint
from model.inspect.edits import Cell, Scale
from model.inspect.edits_json import to_json
from model.network.kinds import KINDS
from tests.helpers.browser import expect_in_link, korean, open_export, save, say, settle, until
from tests.helpers.drawn import named
from viz.pages.experiment.numbers.stories import chance, offered

STORIES = json.loads((checkpoint.SHIPPED / "en-fr" / checkpoint.STORIES).read_text("utf-8"))["stories"]
OFFERED = offered(STORIES)
FIRST = OFFERED[0]


def rows_at(page: Page, key: str) -> list[float]:
    return page.locator(f".st-key-{key} .rows span").evaluate_all(
        "spans => spans.map(span => span.getBoundingClientRect().top)"
    )


def test_an_empty_page_invites_to_the_best_and_one_click_shows_it(open_page, open_file, tmp_path):
    page = open_page("experiment", s="The cat sleeps.", until=".st-key-invitation button")
    page.locator(f".st-key-story_{FIRST['name']} button").first.click()
    expect(page.locator(".ink.after")).to_have_text(FIRST["after"])
    expect(page.locator(".ink.before")).to_have_text(FIRST["before"])
    settle(page)
    assert page.locator(".ink.before mark").all_inner_texts() == FIRST["words"]["before"].split(" … ")
    place = {name: FIRST[name] for name in ("kind", "layer", "head", "row") if FIRST[name] is not None}
    expect_in_link(page, *(f"{name}={value}" for name, value in place.items()))
    lesson = page.locator(".st-key-panel strong").first
    for part in FIRST["chance"].values():
        expect(lesson).to_contain_text(chance(part))
    # What is off looks off: its button, and its picture.
    expect(
        page.locator(".st-key-head button", has_text=say("head.off", head=FIRST["head"] + 1))
    ).to_be_visible()
    expect(page.locator(".st-key-caption_heatmap_after")).to_contain_text(say("head.is_off"))
    shade = "view => getComputedStyle(view).filter"
    assert page.locator(".st-key-heatmap_after").evaluate(shade) == "grayscale(1)"
    assert page.locator(".st-key-heatmap").evaluate(shade) == "none"
    dialog = open_export(page)
    for place in range(2):  # a page that lives on without the app, and the handout
        assert FIRST["after"] in open_file(save(dialog, "HTML", tmp_path, place)).locator("body").inner_text()


@pytest.mark.parametrize("story", OFFERED[1:], ids=lambda each: each["name"])
def test_every_button_does_what_it_says(open_page, story):
    page = open_page("experiment", s="The cat sleeps.", until=".st-key-invitation button")
    page.locator(f".st-key-story_{story['name']} button").first.click()
    expect(page.locator(".st-key-panel strong").first).to_be_visible()
    expect(page.locator(".ink.after")).to_have_text(story["after"])
    expect(page.locator(".st-key-sentence input")).to_have_value(story["sentence"])


def test_why_this_word_is_one_click_and_ends_in_words(open_page):
    page = open_page("experiment", s="The cat sleeps.", until=".st-key-story_contrast button")
    page.locator(".st-key-story_contrast button").first.click()
    expect(page.locator(".st-key-contrast_heads svg")).to_be_visible(timeout=60_000)
    conclusion = page.locator(".st-key-panel strong").first
    expect(conclusion).to_contain_text(FIRST["word"]["before"])
    expect(conclusion).to_contain_text(FIRST["word"]["after"])


def test_rows_before_and_after_stand_at_one_height(open_page, translator):
    """Also where the translation after is shorter, longer, or has longer words."""
    story = next(
        each for each in STORIES
        if len(translator.read(each["before"]).ids) != len(translator.read(each["after"]).ids)
    )  # fmt: skip
    view = {"kind": "decoder", "layer": 0, "head": 0, "edits": json.dumps(story["edits"])}
    page = open_page("experiment", s=story["sentence"], **view, until=".st-key-heatmap_after canvas")
    settle(page)

    def level() -> None:
        before, after = rows_at(page, "heatmap"), rows_at(page, "heatmap_after")
        assert len(before) != len(after)
        assert all(abs(one - other) < 0.5 for one, other in zip(before, after, strict=False))

    until(page, level)


def test_compared_maps_stand_at_one_height_with_the_other_translation(open_page, translator):
    other = "My grandmother reads."
    page = open_page("look", s="We like strawberries.", compare=f"sentence:{other}",
                     until=".st-key-heatmap_other canvas")  # fmt: skip
    settle(page)

    def level() -> None:
        one, two = rows_at(page, "heatmap"), rows_at(page, "heatmap_other")
        assert abs(one[0] - two[0]) < 0.5 and abs(one[1] - two[1]) < 0.5

    until(page, level)
    expect(page.locator(".stMain")).to_contain_text(translator.translate(other).text)


def test_noise_is_not_drawn_as_drama(open_page):
    """A head a little louder hardly changes anything, and its bars are short."""
    made = to_json([Scale(KINDS["encoder"].format(0), 0, 1.01)])
    page = open_page("experiment", s="We like this house.", edits=made, until=".st-key-cost svg")
    expect(page.get_by_text(say("verdict.hardly"))).to_be_visible()
    bars = [mark for name, mark in named(page, "cost").items() if name.startswith("cost.")]
    assert bars and max(mark["wide"] for mark in bars) < 40
    assert "scale" in named(page, "cost")


def test_large_changes_are_said_in_words(open_page):
    where = KINDS["cross"].format(3)
    made = to_json([Cell(where, head, row, 0, 1.0) for head in range(8) for row in range(6)])
    page = open_page("experiment", s="We like this house.", edits=made, lang="ko", until=".st-key-cost svg")
    said = page.locator(".st-key-panel [data-testid=stText]").first.inner_text()
    assert "10^" not in said and "×" not in said
    shrunk = korean("verdict.less", times="@").split("@")[0]
    assert shrunk in said or korean("verdict.less.most") in said
