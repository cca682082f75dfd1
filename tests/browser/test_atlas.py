"""The Atlas in a real browser: the map, a card, exemplars, a painted detector, the film, a bad file."""

import json
import re

import numpy as np
from playwright.sync_api import Page, expect

from model.atlas.roles import LEAST
from model.checkpoint import ATLASES, find
from model.training.film import read_film
from tests.helpers.browser import (
    PHONE,
    act_until_visible,
    choose,
    click_cell,
    expect_no_scrolling_sideways,
    korean,
    say,
    settle,
    unfold_controls,
)
from tests.helpers.drawn import said, tips
from tests.helpers.named import nameless_head
from viz.pages.atlas import Atlas
from viz.pages.atlas.numbers import film as films
from viz.state.atlas import card


def expect_measured(page: Page, atlas: dict, kind: str, measure: str) -> None:
    """The map of this kind shows what was measured of every head."""
    shown = said(page, f"atlas_{kind}")
    for entry in (entry for entry in atlas["heads"] if entry["kind"] == kind):
        value = shown[f"{kind}.{entry['layer']}.{entry['head']}"]
        np.testing.assert_allclose(value, entry["measures"][measure]["value"], rtol=1e-4)


def test_the_map_and_the_card_show_the_file(open_page, atlas):
    page = open_page(
        "atlas", until=".st-key-atlas_cross svg", chart="map", by="entropy", kind="encoder", layer=1, head=2
    )
    for kind in ("encoder", "decoder", "cross"):
        expect_measured(page, atlas, kind, "entropy")
    page.locator('.st-key-atlas_cross [data-name="cross.0.3"]').click()
    settle(page)
    expect(page).to_have_url(re.compile("kind=cross&layer=0&head=3"))
    expect(page.get_by_role("heading", name="cross 1·4")).to_be_visible()
    entry = next(
        each for each in atlas["heads"] if (each["kind"], each["layer"], each["head"]) == ("cross", 0, 3)
    )
    told = tips(page, "atlas_card")[f"measure.{say('atlas.measure.confidence')}"]
    expected = entry["measures"]["confidence"]
    assert told.startswith(f"{expected['value']:.4g} ") and f"n = {expected['n']}" in told
    page.locator(".st-key-probe_start button").click()
    expect(page.locator(".st-key-exemplar_100 svg")).to_be_visible(timeout=120_000)
    settle(page)
    assert page.locator('[class*="st-key-exemplar_"] svg').count() >= 3
    page.locator(".st-key-panel").get_by_role("link", name=say("inside.short")).click()
    expect(page.get_by_role("heading", name=say("inside.title"))).to_be_visible()
    settle(page)
    expect(page).to_have_url(re.compile("kind=cross&layer=0&head=3"))


def test_a_detector_opens_on_a_rule_that_some_head_obeys(open_page):
    """Nobody has to ask and wait: the first sentences are run at once, the rest on demand."""
    page = open_page("atlas", until=".st-key-detector svg", chart="detector")
    best = max(said(page, "detector").values())
    assert best > 0.6
    expect(page.locator(".st-key-rule_offset input")).not_to_have_value(re.compile("[-−]5"))
    choose(page, "rule", say("rule.relation"))
    expect(page.locator(".st-key-rule_relation")).to_be_visible()
    assert max(said(page, "detector").values()) > 0.6


def test_a_painted_detector_ranks_the_heads_of_this_sentence(open_page, translator):
    text = "My cat sleeps."
    page = open_page(
        "atlas", until=".st-key-paint canvas", chart="detector", rule="painted", kind="encoder", s=text
    )
    attention = translator.trace(text).attention["encoder"]
    act_until_visible(lambda: click_cell(page, 1, 0, "paint"), page.locator(".st-key-detector svg"))
    settle(page)
    shown = list(said(page, "detector").values())
    expected = np.sort(attention[..., 1, 0].ravel())[::-1][: len(shown)]
    np.testing.assert_allclose(shown, expected, rtol=1e-3, atol=1e-5)


def test_look_tells_what_the_head_is_known_for(open_page, atlas):
    """Over the corpus, beside what this one sentence shows."""
    known = next(each for each in atlas["evidence"] if not each["measure"].startswith("aer."))
    blank = card(atlas, *nameless_head(atlas))
    for head in (known, blank):
        page = open_page(**{name: head[name] for name in ("kind", "layer", "head")})
        told = page.locator(".st-key-panel").inner_text()
        count = atlas["sentences"]["measured"]
        if head is known:
            assert f"{known['value']:.2f}, above the best simple rule ({known['baseline']:.2f})" in told
        else:
            assert say("look.no_role", count=count) in told


def test_the_grammars_sentences_have_an_atlas_of_their_own(open_page, translator):
    page = open_page("atlas", until=".st-key-atlas_cross svg", chart="map", by="entropy")
    choose(page, "over", say("over.grammar"))
    settle(page)
    expect(page).to_have_url(re.compile("over=grammar"))
    expect(page.locator(".st-key-question")).to_contain_text(say("over.grammar.long"))
    other = json.loads((find(translator.name) / ATLASES["grammar"]).read_text("utf-8"))
    expect_measured(page, other, "cross", "entropy")


def test_the_film_is_scrubbed_from_random_to_trained(open_page, translator):
    film = read_film(find(translator.name) / "film.npz")
    courses = films.courses(film, translator)
    page = open_page("atlas", until=".st-key-film_cross svg", chart="film", moment=0, by="aer.predicted")
    for moment in (0, len(film["steps"]) - 1):
        if moment:
            slider = page.locator(".st-key-moment").get_by_role("slider")
            slider.focus()
            slider.press("End")
            settle(page)
            expect(page).to_have_url(re.compile(f"moment={moment}"))
        for text in film["translations"][moment].tolist()[:3]:
            if text.strip():
                expect(page.locator("table.said")).to_contain_text(text)
        shown = said(page, "film_cross")
        for (layer, head), value in np.ndenumerate(courses["cross"]["aer.predicted"][moment]):
            np.testing.assert_allclose(shown[f"cross.{layer}.{head}"], value, rtol=1e-3, atol=1e-4)


def test_the_film_says_when_each_specialist_appears(open_page, translator, atlas):
    film = read_film(find(translator.name) / "film.npz")
    found = films.specialists(atlas, films.courses(film, translator))
    page = open_page("atlas", until=".st-key-film_when svg", chart="film")
    shown = tips(page, "film_when")
    assert shown
    for each in found:
        name = f"{each.measure}.{each.kind}.{each.layer}.{each.head}"
        if name in shown:
            assert f"{film['steps'][each.moment]:,}" in shown[name]
    assert any(name.startswith("aer.") for name in shown)
    name = next(name for name in shown if name.startswith("aer.predicted."))
    page.locator(f'.st-key-film_when [data-name="{name}"]').click()
    settle(page)
    layer, head = name.rsplit(".", 2)[1:]
    expect(page).to_have_url(re.compile(f"layer={layer}&head={head}"))


def test_a_corpus_of_ones_own_is_measured_and_a_bad_one_refused(open_page, tmp_path):
    page = open_page("atlas", until=".st-key-corpus_text textarea", chart="corpus")
    expect(page.locator(".st-key-corpus_file")).to_contain_text(re.compile(r"(?<!\d)1\s?MB"))
    bad = tmp_path / "bad.conllu"
    bad.write_text("# text = Hi\n1\tHi\n\n", "utf-8")
    page.locator(".st-key-corpus_file input[type=file]").set_input_files(bad)
    expect(page.get_by_text("bad.conllu").first).to_be_visible()
    settle(page)
    page.locator(".st-key-corpus_start button").click()
    expect(page.get_by_text(say("corpus.refused"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"bad\.conllu, line 2"))).to_be_visible()
    page = open_page("atlas", until=".st-key-corpus_text textarea", chart="corpus")
    page.locator(".st-key-corpus_text textarea").fill(
        "The dog sleeps.\nMy sister sings.\nWe read books.\nIt rains."
    )
    page.locator(".st-key-corpus_text textarea").press("Control+Enter")
    settle(page)
    page.locator(".st-key-corpus_start button").click()
    expect(page.locator(".st-key-corpus_forget button")).to_be_visible(timeout=120_000)
    choose(page, "chart", say("chart.map"))
    about = say("atlas.what.short", count=4, corpus=say("corpus.own"), least=LEAST)
    expect(page.locator(".st-key-question")).to_contain_text(about)
    expect(page.get_by_text(say("card.untested.all"))).to_be_visible()
    expect(page.get_by_text(say("card.no_role"))).to_have_count(0)


def test_every_chart_fits_a_telephone_in_the_dark_in_korean(open_page):
    page = open_page("atlas", screen=PHONE)
    unfold_controls(page)
    for chart in Atlas.options("chart"):
        choose(page, "chart", korean(f"chart.{chart}"))
        settle(page)
        expect_no_scrolling_sideways(page, chart)
        if chart not in (
            "named",
            "film",
            "table",
        ):  # French and English sentences, and a table drawn on a canvas
            words = page.locator(".st-key-panel").inner_text()
            assert not re.search(r"\b(the|heads?|measures?|layer|baseline)\b", words, re.IGNORECASE), words
