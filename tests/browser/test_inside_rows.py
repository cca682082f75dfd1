"""Inside a head, in a real browser: whose numbers these are, and which row a question opens on."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import open_export, save, say
from tests.helpers.drawn import last_number, marks
from viz.figures.labels import readable
from viz.state.session import EXAMPLE

ROW = 2


@pytest.fixture(scope="module")
def target(translator) -> tuple[list[str], list[str]]:
    found = translator.trace(EXAMPLE).target
    return tuple([readable(piece, say) for piece in pieces] for pieces in (found.read, found.predicted))


def written(page: Page, key: str = "step_picture") -> list[str]:
    return [mark["text"] for mark in marks(page, key) if mark["shape"] == "text"]


@pytest.mark.parametrize(
    ("kind", "reading"), [("decoder", "predicted"), ("cross", "predicted"), ("cross", "read")]
)
def test_the_vectors_of_a_row_are_of_the_word_that_it_read(open_page, translator, target, kind, reading):
    read, predicted = (pieces[ROW] for pieces in target)
    where = {"kind": kind, "layer": 1, "head": 2, "row": ROW, "column": 1, "reading": reading}
    page = open_page("inside", step="input", **where)
    assert say("step.input.row", word=read, width=translator.config.width) in written(page)
    whose = say("inside.shifted", read=read, predicted=predicted)
    expect(page.locator(".st-key-panel").get_by_text(whose)).to_be_visible()
    for step, label in (("project", f"“{read}”"), ("product", f"q ({read})")):
        page.locator(f'.st-key-strip [data-name="{step}"]').click()
        expect(page.get_by_text(say(f"step.{step}.title"))).to_be_visible()
        assert label in written(page)[0], written(page)
        assert not any(predicted in each for each in written(page)[:1])
    expect(page.locator(".st-key-row_place input")).to_have_value(f"{ROW + 1} · {read} → {predicted}")


def test_a_handout_says_whose_vectors_these_are(open_page, open_file, target, tmp_path):
    read, predicted = (pieces[ROW] for pieces in target)
    page = open_page("inside", kind="cross", layer=1, head=2, row=ROW, column=1)
    alone = open_file(save(open_export(page), "HTML", tmp_path, 1))
    whose = say("inside.shifted", read=read, predicted=predicted)
    assert whose in alone.locator("section").first.inner_text()
    assert f"q ({read})" in alone.locator("section svg").nth(2).text_content()


def test_in_the_encoder_a_row_has_no_two_names(open_page):
    page = open_page("inside", kind="encoder", layer=1, head=2, row=1, column=2)
    beginning = re.split("“", say("inside.shifted", read="", predicted=""))[0]
    expect(page.locator(".st-key-panel").get_by_text(beginning)).to_have_count(0)
    expect(page.locator(".st-key-row_place input")).not_to_have_value(re.compile("→"))


def test_why_opens_on_a_row_that_shows_it(open_page):
    """Divided, the row still chooses among several; not divided, it has settled on one."""
    page = open_page("inside", step="why", until=".st-key-saturation_row svg")
    tips = {mark["name"]: mark["tip"] for mark in marks(page, "saturation_row") if "tip" in mark}
    most = {
        way: max(last_number(tip) for name, tip in tips.items() if name.startswith(f"{way}."))
        for way in ("scaled", "unscaled")
    }
    assert most["scaled"] < 0.5 and most["unscaled"] > 0.8, most
    said = page.locator(".st-key-panel").inner_text()
    assert f"{most['scaled']:.2f}" in said and f"{most['unscaled']:.2f}" in said
