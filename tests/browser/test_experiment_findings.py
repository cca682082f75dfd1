"""What experiments find, in a browser: every number is of runs that are made again here, one by one."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from model.inspect.edits import Scale
from model.network.kinds import KINDS
from tests.helpers.browser import choose, say, settle
from tests.helpers.drawn import last_number, said
from viz.pages.experiment.numbers.importance import rank_correlation

SENTENCE = "The teacher who lives next door has two cats."


@pytest.fixture(scope="module")
def before(translator):
    return translator.trace(SENTENCE)


def test_the_ranking_is_of_runs_made_one_by_one(open_page, translator, before):
    page = open_page("experiment", s=SENTENCE, test="find")
    page.locator(".st-key-find_start button").click()
    expect(page.locator(".st-key-ranking svg")).to_be_visible(timeout=60_000)
    settle(page)
    ranked = said(page, "ranking")
    assert len(ranked) == 15
    for name, value in list(ranked.items())[:4]:
        kind, layer, head = name.split(".")
        edit = Scale(KINDS[kind].format(layer), int(head), 0.0)
        alone = translator.trace(SENTENCE, target=before.target.predicted_ids, edits=[edit])
        np.testing.assert_allclose(value, (before.log_probs - alone.log_probs).sum(), rtol=1e-3, atol=1e-3)
    kind, layer, head = next(iter(ranked)).split(".")
    page.locator('.st-key-ranking [role="button"]').first.click()
    settle(page)
    expect(page).to_have_url(re.compile(f"kind={kind}&layer={layer}&head={head}"))
    page.locator(".st-key-pairs_start button").click()
    expect(page.get_by_text(re.compile("of 190 pairs"))).to_be_visible(timeout=90_000)


def test_contrast_pruning_and_using_say_what_they_found(open_page, translator, before):
    page = open_page("experiment", s=SENTENCE, test="contrast", kind="cross", row=1)
    page.locator(".st-key-contrast_start button").click()
    expect(page.locator(".st-key-contrast_words svg")).to_be_visible(timeout=60_000)
    settle(page)
    top = before.top.log_probs[-1, 1]
    base = float(page.get_by_text(re.compile(r"^log p\(")).inner_text().rsplit("= ", 1)[1])
    np.testing.assert_allclose(base, top[0] - top[1], atol=6e-3)
    effects = said(page, "contrast_words", "word.").values()
    rest = page.get_by_text(re.compile("not explained")).nth(1).inner_text()
    np.testing.assert_allclose(last_number(rest), base - sum(effects), atol=1.2e-2)
    choose(page, "test", say("test.using"))
    expect(page.locator(".st-key-edges svg")).to_be_visible()
    layer, head = before.attention["cross"].shape[0] - 1, 0
    where = {"kind": "cross", "layer": layer, "head": head, "row": 2}
    page = open_page("experiment", s=SENTENCE, test="using", **where, until=".st-key-edges svg")
    shown = list(said(page, "edges", "weight.").values())
    np.testing.assert_allclose(shown, before.attention["cross"][layer, head, 2], rtol=1e-3, atol=1e-5)
    effect = list(said(page, "edges", "effect.").values())  # with its sign, as it is drawn
    agree = f"{rank_correlation(np.array(shown), np.array(effect)):.2f}"
    expect(page.locator(".st-key-panel [data-testid=stText]").first).to_contain_text(f"effect {agree}")
    expect(page.get_by_text(say("using.caveat"))).to_be_visible()
    choose(page, "test", say("test.prune"))
    for key in ("find_start", "prune_start"):  # what somebody has asked before is there at once
        start, drawing = page.locator(f".st-key-{key} button"), page.locator(".st-key-pruning svg")
        later = page.locator(".st-key-prune_start button")
        expect(start.or_(later).or_(drawing).first).to_be_visible()
        if start.is_visible():
            start.click()
            expect(start).to_be_hidden(timeout=90_000)
    expect(page.locator(".st-key-pruning svg")).to_be_visible(timeout=90_000)
    whole = next(iter(said(page, "pruning", say("prune.chosen") + "@").values()))
    np.testing.assert_allclose(whole, before.log_probs.sum(), rtol=1e-3)
