"""Heads named by what breaks without them, in a real browser: map, card, matrix, and the way on."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.inspect.variants import Head
from tests.helpers.browser import PHONE, expect_no_scrolling_sideways, korean, say, settle
from tests.helpers.drawn import marks, named, tips
from viz.state import causal


def head_name(head: causal.Where, speak=say) -> str:
    kind, layer, number = head
    return speak("head.name", kind=speak(f"kind.short.{kind}"), layer=layer + 1, head=number + 1)


def words(page: Page) -> str:
    return page.locator(".st-key-panel").inner_text()


@pytest.fixture(scope="module")
def carried(atlas):
    found = causal.carriers(atlas)
    assert found
    return found


@pytest.fixture
def strongest(atlas, carried):
    """The head that takes the largest share of anything, and what."""
    shares = {
        (head, name): each.share
        for head, names in carried.items()
        for each in causal.effects(atlas, head)
        for name in names
        if each.phenomenon == name
    }
    return max(shares, key=shares.__getitem__)


def test_the_atlas_opens_on_the_map_of_names(open_page, atlas, carried):
    page = open_page("atlas", until=".st-key-named_cross svg")
    for kind in ("encoder", "decoder", "cross"):
        told = tips(page, f"named_{kind}")
        for entry in (entry for entry in atlas["heads"] if entry["kind"] == kind):
            where = causal.where(entry)
            tip = told[".".join(map(str, where))]
            assert tip.startswith(head_name(where))
            for name in causal.phenomena(atlas):
                is_named = say(f"phenomenon.{name}") in tip.split(" · ")
                assert is_named == (name in carried.get(where, ())), tip
    # Layer 1 stands on top, as in All heads.
    cells = named(page, "named_cross")
    assert cells["cross.0.0"]["y"] < cells["cross.1.0"]["y"]
    # The card stands beside the map and not below it: its story and the way on are there at once.
    expect(page.locator(".st-key-named_try_0 button")).to_be_in_viewport()


def test_a_click_shows_what_breaks_with_its_interval(open_page, atlas, strongest):
    head, name = strongest
    page = open_page("atlas", until=".st-key-named_cross svg", kind="encoder", layer=0, head=0)
    page.locator(f'.st-key-named_{head[0]} [data-name="{".".join(map(str, head))}"]').click()
    expect(page.get_by_role("heading", name=head_name(head), exact=True)).to_be_visible()
    settle(page)
    told, entry = causal.phenomena(atlas)[name], causal.entry_of(causal.phenomena(atlas)[name], head)
    value = entry["silenced"]
    shown = words(page)
    share = f"{-value['value'] / told['gap']:.0%}"
    assert f"{say(f'phenomenon.{name}')}: without this head" in shown
    assert f"{share} of its lead ({-value['value']:.1f} of {told['gap']:.1f} nats" in shown
    tip = tips(page, "named_effects")[f"pick.{name}"]
    assert f"n = {value['n']}" in tip
    for effect in causal.effects(atlas, head):
        assert f"pick.{effect.phenomenon}" in tips(page, "named_effects")
    bold = {mark["text"] for mark in marks(page, "named_effects") if mark.get("bold")}
    assert bold == {say(f"phenomenon.{each.phenomenon}") for each in causal.effects(atlas, head) if each.role}


def test_a_head_without_evidence_is_called_nothing(open_page, atlas, carried):
    blank = next(causal.where(entry) for entry in atlas["heads"] if causal.where(entry) not in carried)
    kind, layer, number = blank
    page = open_page("atlas", until=".st-key-named_effects svg", kind=kind, layer=layer, head=number)
    assert say("named.no_role", count=len(causal.phenomena(atlas))) in words(page)
    assert "without this head it loses" not in words(page)
    assert page.locator('[class*="st-key-named_try_"]').count() == 0


def test_an_example_is_switched_off_in_experiment(open_page, translator, atlas, strongest):
    head, name = strongest
    example = causal.entry_of(causal.phenomena(atlas)[name], head)["examples"][0]
    kind, layer, number = head
    where = {"kind": kind, "layer": layer, "head": number}
    page = open_page("atlas", until=".st-key-named_try_0", phenomenon=name, **where)
    expect(page.locator(".st-key-named_example_0")).to_contain_text(example["sentence"])
    page.locator(".st-key-named_try_0 button").click()
    expect(page.get_by_role("heading", name=say("experiment.title"))).to_be_visible()
    settle(page)
    after = translator.translate(example["sentence"], [Head(*head).silenced]).text
    assert after == example["after"]
    expect(page.locator(".st-key-sentence input")).to_have_value(example["sentence"])
    expect(page.locator(".st-key-panel")).to_contain_text(after.split()[-1])
    expect(page).to_have_url(re.compile(f"kind={kind}&layer={layer}&head={number}"))


def test_the_matrix_shows_every_share_and_sorts_by_a_click(open_page, atlas):
    page = open_page("atlas", until=".st-key-matrix svg", chart="matrix")
    heads, names, lost = causal.losses(atlas)
    told = tips(page, "matrix")
    shown = [head for head in heads if f"head.{'.'.join(map(str, head))}" in told]
    assert 0 < len(shown) < len(heads)
    for head in shown[:5]:
        for column, name in enumerate(names):
            tip = told[f"{'.'.join(map(str, head))}.{name}"]
            share = float(tip.rpartition(": ")[2].rstrip("%")) / 100
            np.testing.assert_allclose(share, lost[heads.index(head), column], atol=6e-4)
    name = next(iter(causal.carriers(atlas).values()))[0]
    page.locator(f'.st-key-matrix [data-name="sort.{name}"]').click()
    expect(page.locator(".st-key-matrix_heads svg")).to_be_visible()
    settle(page)
    expect(page).to_have_url(re.compile(f"phenomenon={name}"))
    ranked = [key for key in named(page, "matrix") if key.startswith("head.")]
    column = lost[:, names.index(name)]
    values = [column[heads.index((kind, int(layer), int(head)))]
              for _, kind, layer, head in (key.split(".") for key in ranked)]  # fmt: skip
    assert values == sorted(values, reverse=True)
    carriers = [head for head, carried in causal.carriers(atlas).items() if name in carried]
    for head in carriers:
        assert head_name(head) in words(page)


def test_a_picture_is_taken_home(open_page):
    page = open_page("atlas", until=".st-key-named_cross svg")
    page.get_by_role("button", name=say("export.label")).click()
    expect(page.get_by_role("dialog")).to_contain_text(say("export.named_effects"))


def test_names_fit_a_telephone_in_the_dark_in_korean(open_page, carried):
    head = next(iter(carried))
    kind, layer, number = head
    for chart in ("named", "matrix"):
        page = open_page("atlas", screen=PHONE, chart=chart, kind=kind, layer=layer, head=number)
        expect_no_scrolling_sideways(page, chart)
        expect(page.locator(".st-key-panel")).to_contain_text(head_name(head, korean))
        assert not re.search(r"\b(without|heads?|lead|nats|loses)\b", words(page)), words(page)
    assert korean(f"phenomenon.{carried[head][0]}") in tips(page, "matrix")[f"sort.{carried[head][0]}"]
