"""The names of heads in a browser: wherever a head that has one appears, and nowhere else."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from model.inspect.edits_json import to_json
from model.inspect.variants import Head
from model.network.kinds import KINDS
from tests.helpers.browser import PHONE, open_export, save, say, settle, unfold_controls
from tests.helpers.drawn import marks
from tests.helpers.named import link, named_head, nameless_head, words
from viz.state.causal import Where, carriers
from viz.text import translate

LOCALES = {"en-US": translate("en"), "ko-KR": translate("ko")}


@pytest.fixture(params=LOCALES, scope="module")
def locale(request) -> str:
    return request.param


@pytest.fixture
def named(atlas) -> Where:
    return named_head(atlas)


@pytest.fixture
def nameless(atlas, named) -> Where:
    """Of the same layer, where only the name differs."""
    return nameless_head(atlas, beside=named)


def cell(page: Page, head: Where):
    kind, layer, number = head
    heads = page.locator(".block").first.locator(".head").count()
    return page.locator(f".cell[data-block='{list(KINDS).index(kind)}'][data-map='{layer * heads + number}']")


def test_look_names_the_head_and_says_what_breaks_without_it(open_page, atlas, named, nameless, locale):
    speak, screen = LOCALES[locale], {"locale": locale}
    names = words(atlas, named, speak)
    page = open_page(**link(named), screen=screen)
    expect(page.locator(".st-key-caption_heatmap")).to_contain_text(" · ".join(names))
    expect(page.locator(".st-key-named_heads")).to_contain_text(
        speak("head.named", head=named[2] + 1, name=names[0])
    )
    without = speak("look.without", broken="@").partition("@")[0]
    expect(page.locator(".st-key-panel")).to_contain_text(without + names[0])
    page = open_page(**link(nameless), screen=screen)
    expect(page.locator(".st-key-caption_heatmap")).not_to_contain_text(re.compile(r"\s·\s"))
    expect(page.locator(".st-key-panel")).not_to_contain_text(without)


@pytest.mark.parametrize("screen", [PHONE, {}], ids=["telephone", "wide"])
def test_a_name_moves_nothing(open_page, named, nameless, screen):
    """Whether a head or a layer has names: buttons and map stand where they stood."""
    places = []
    for head in (named, nameless, ("encoder", *named[1:]), named):
        page = open_page(**link(head), screen=screen)
        if screen:
            unfold_controls(page)
        buttons = page.locator(".st-key-head").bounding_box()
        canvas = page.locator(".st-key-heatmap canvas").bounding_box()
        controls = page.locator(".st-key-controls").bounding_box()
        places.append((buttons, controls, canvas if head[0] == named[0] else places[0][2]))
    assert all(place == places[0] for place in places)
    line, heads = page.locator(".st-key-named_heads").bounding_box(), places[-1][0]
    assert line["x"] >= heads["x"] and line["x"] + line["width"] <= heads["x"] + heads["width"] + 1
    assert line["y"] + line["height"] <= page.locator(".st-key-head button").first.bounding_box()["y"] + 1


def test_all_heads_writes_names_under_their_maps(open_page, atlas, named, nameless, locale):
    speak = LOCALES[locale]
    first, *others = words(atlas, named, speak)
    page = open_page("all_heads", screen={"locale": locale})
    expect(cell(page, named).locator(".named")).to_have_text(f"{first} +{len(others)}" if others else first)
    expect(page.locator(".cell .named")).to_have_count(len(carriers(atlas)))
    sentence = speak("all_heads.without", names=" · ".join([first, *others]))
    cell(page, named).locator("canvas").hover()
    expect(page.locator(".panel .without")).to_have_text(sentence)
    assert cell(page, named).get_attribute("aria-label").endswith(sentence)
    cell(page, nameless).locator("canvas").hover()
    expect(page.locator(".panel")).to_be_visible()
    expect(page.locator(".panel .without")).to_be_hidden()
    page.get_by_text(speak("all_heads.table")).click()
    row = page.locator("tbody tr").filter(has_text=" · ".join([first, *others]))
    place = speak("all_heads.cell", layer=named[1] + 1, head=named[2] + 1)
    expect(row.filter(has_text=f"{speak(f'kind.{named[0]}')} {place}")).to_have_count(1)


def test_inside_names_the_head_beside_its_map(open_page, atlas, named, nameless, locale):
    names = words(atlas, named, LOCALES[locale])
    page = open_page("inside", **link(named), screen={"locale": locale})
    expect(page.locator(".st-key-map_caption")).to_contain_text(" · ".join(names))
    page = open_page("inside", **link(nameless), screen={"locale": locale})
    expect(page.locator(".st-key-map_caption")).not_to_contain_text(re.compile(r"\s·\s"))


def test_experiment_names_what_is_switched_off(open_page, atlas, named, nameless, locale):
    speak = LOCALES[locale]
    made = to_json([Head(*named).silenced, Head(*nameless).silenced])
    page = open_page("experiment", edits=made, until=".st-key-chip_1", screen={"locale": locale})
    expect(page.locator(".st-key-chip_0")).to_contain_text(f" · {words(atlas, named, speak)[0]}")
    expect(page.locator(".st-key-chip_1")).not_to_contain_text(re.compile(r"\s·\s"))


def test_a_ranking_has_the_first_name_of_each_head(open_page, atlas, locale):
    speak = LOCALES[locale]
    page = open_page("experiment", test="find", screen={"locale": locale})
    start, drawn = page.locator(".st-key-find_start button"), page.locator(".st-key-ranking svg")
    expect(start.or_(drawn).first).to_be_visible()
    if start.is_visible():  # what somebody has asked before is there at once
        start.click()
    expect(drawn).to_be_visible(timeout=90_000)
    settle(page)
    shown = marks(page, "ranking")
    texts = [mark["text"] for mark in shown if mark["shape"] == "text" and mark.get("anchor") == "end"]
    labels = [text for text in texts if "·" in text]  # the ends of the scale stand there as well
    heads = [tuple(mark["pick"]) for mark in shown if "pick" in mark]
    for label, (kind, layer, head) in zip(labels, heads, strict=True):
        place = speak("head.name", kind=speak(f"kind.short.{kind}"), layer=layer + 1, head=head + 1)
        assert label == " · ".join([place, *words(atlas, (kind, layer, head), speak)[:1]])


def test_files_carry_the_names(open_page, open_file, atlas, named, tmp_path):
    name, written = ".".join(map(str, named)), carriers(atlas)[named]
    said = " · ".join(words(atlas, named, say))
    dialog = open_export(open_page(**link(named)))
    assert json.loads(save(dialog, "JSON", tmp_path).read_text("utf-8"))["names"] == {name: written}
    assert said in save(dialog, "CSV", tmp_path).read_text("utf-8-sig").partition("\n")[0]
    expect(open_file(save(dialog, "HTML", tmp_path, 1)).locator("h2").first).to_contain_text(said)
    dialog = open_export(open_page("all_heads"))
    everyone = json.loads(save(dialog, "JSON", tmp_path).read_text("utf-8"))["names"]
    assert everyone[name] == written and len(everyone) == len(carriers(atlas))
    assert ";".join(written) in save(dialog, "CSV", tmp_path).read_text("utf-8")
    assert said in save(dialog, "SVG", tmp_path).read_text("utf-8")
    alone = open_file(save(dialog, "HTML", tmp_path))
    expect(alone.locator(".cell .named")).to_have_count(len(carriers(atlas)))
