"""Choosing as a visitor sees it: numbers, sliders, clicks, and a hundred draws as a tree."""

import re

import numpy as np
import torch
from playwright.sync_api import Page, expect

from model.decoding.search import Sampling, chances
from tests.helpers.browser import (
    PHONE,
    act_until_visible,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_within_screen,
    say,
    settle,
    until,
)
from tests.helpers.drawn import formula, marks, named, tips
from viz.figures.labels import readable

TEXT = "The boy didn't buy the shirt because it was too small."


def shares(tip: str) -> tuple[float, float]:
    """Before and after, as a row says them."""
    before, after = re.findall(r"([\d.]+)%", tip.rpartition(":")[2])
    return float(before) / 100, float(after) / 100


def expect_rows(page: Page, translator, ids, step: int, sampling: Sampling) -> None:
    """Every row on screen is the model's distribution, and what the engine makes of it."""
    row = translator.distributions(TEXT, ids)[step]
    before, after = np.exp(row), chances(torch.tensor(row), sampling).numpy()

    def drawn() -> None:
        rows = {name.removeprefix("row."): tip for name, tip in tips(page, "choosing_bars").items()}
        others = shares(rows.pop("others"))
        best = np.argsort(-row)[: len(rows)]
        assert [int(id) for id in rows] == best.tolist()
        for id, tip in rows.items():
            np.testing.assert_allclose(shares(tip), (before[int(id)], after[int(id)]), atol=1e-4)
            assert readable(translator.tokenizer.choices([int(id)])[0], say) in tip
            assert ("cut by" in tip) == (after[int(id)] == 0)
        rest = 1 - before[best].sum(), 1 - after[best].sum()
        np.testing.assert_allclose(others, rest, atol=1e-4)

    until(page, drawn)
    top, lengths = int(row.argmax()), named(page, "choosing_bars")
    longer = lengths[f"after.{top}"]["wide"] / lengths[f"before.{top}"]["wide"]
    np.testing.assert_allclose(longer, after[top] / before[top], rtol=0.01)


def test_it_opens_where_the_second_best_was_likeliest(open_page, translator):
    page = open_page("decoding", decoding="choosing", s=TEXT)
    ids = translator.translate(TEXT).ids
    log_probs = translator.distributions(TEXT, ids)
    chance = np.exp(log_probs)
    entropy = -(chance * np.where(chance > 0, log_probs, 0)).sum(-1)
    step = int(np.sort(chance)[:, -2].argmax())
    expect_rows(page, translator, ids, step, Sampling())
    sharing = int((np.cumsum(np.sort(chance[step])[::-1]) < 0.9).sum()) + 1
    said = page.locator(".st-key-panel [data-testid=stText]").first
    expect(said).to_contain_text(f"At step {step + 1},")
    expect(said).to_contain_text(f"about {np.exp(entropy[step]):.1f} tokens' worth of choice")
    expect(said).to_contain_text(f"lies on {sharing} of")
    assert named(page, "choosing_bars")[f"row.{ids[step]}"]["on"]
    expect_no_scrolling_sideways(page)


def test_settings_of_a_link_are_the_engines(open_page, translator):
    page = open_page("decoding", decoding="choosing", s=TEXT, at=5, temperature=50, top_k=5)
    ids = translator.translate(TEXT).ids
    sampling = Sampling(0.5, 5)
    expect_rows(page, translator, ids, 5, sampling)
    row = translator.distributions(TEXT, ids)[5]
    kept = np.sort(row)[::-1][:5].astype(float)
    above, below = np.exp(kept[0] / 0.5), np.exp(kept / 0.5).sum()
    written = formula(page)
    assert f"{kept[0]:.3f}/0.5" in written and f"{above:.3f}" in written and f"{below:.3f}" in written
    assert f"{above / below:.3f}" in written and "|K|=5" in written
    page.keyboard.press("ArrowRight")
    expect_in_link(page, "at=6", "temperature=50", "top_k=5")
    expect_rows(page, translator, ids, 6, sampling)
    page.locator(".st-key-usual_choice button").click()
    expect_rows(page, translator, ids, 6, Sampling())


def test_a_slider_moves_with_the_keyboard(open_page, translator):
    page = open_page("decoding", decoding="choosing", s=TEXT, at=5)
    slider = page.locator(".st-key-temperature").get_by_role("slider")
    slider.focus()
    slider.press("ArrowLeft")
    expect_in_link(page, "temperature=90")
    expect_rows(page, translator, translator.translate(TEXT).ids, 5, Sampling(0.9))


def test_a_clicked_token_is_written(open_page, translator):
    page = open_page("decoding", decoding="choosing", s=TEXT, at=5)
    plain = translator.translate(TEXT).ids
    second = int(np.argsort(-translator.distributions(TEXT, plain)[5])[1])
    page.locator(f".st-key-choosing_bars [data-name='row.{second}']").click()
    expect_in_link(page, f"forced=5.{second}", "at=5")
    until(page, lambda: _on(page, second))
    act_until_visible(
        lambda: page.locator(".st-key-let_go button").click(),
        page.locator(f".st-key-choosing_bars [data-name='row.{plain[5]}'][aria-pressed=true]"),
    )


def _on(page: Page, id: int) -> None:
    assert named(page, "choosing_bars")[f"row.{id}"]["on"]


def test_a_hundred_draws_are_those_of_their_seeds(open_page, translator):
    page = open_page("decoding", decoding="choosing", s=TEXT, temperature=80, top_k=20)
    tree = page.locator(".st-key-choosing_draws .drawing[data-painted]")
    act_until_visible(lambda: page.locator(".st-key-draw button").click(), tree)
    settle(page)
    expect_in_link(page, r"drawn=\d+")
    seed = int(re.search(r"drawn=(\d+)", page.url)[1])
    drawn = translator.draw(TEXT, Sampling(0.8, 20, seed=100 * seed), 100)
    counts = {text: [each.text for each in drawn].count(text) for text in {each.text for each in drawn}}
    scores = {each.text: sum(each.log_probs) for each in drawn}
    shown = [mark["tip"] for mark in marks(page, "choosing_draws") if "pick" in mark]
    assert shown
    for tip in shown:
        count, text, log_prob = re.fullmatch(r"(\d+)× “(.*)”, log p = (.*)", tip).groups()
        assert int(count) == counts[text]
        assert abs(float(log_prob.replace("−", "-")) - scores[text]) < 1e-4
    folded = [mark for mark in marks(page, "choosing_draws") if mark.get("name", "").startswith("folded.")]
    rest = sum(int(re.match(r"\d+", mark["tip"])[0]) for mark in folded)
    assert sum(int(tip.split("×")[0]) for tip in shown) + rest == 100
    said = page.locator(".st-key-panel [data-testid=stText]").nth(1)
    expect(said).to_contain_text(f"100 draws gave {len(counts)} different translations")
    greedy = translator.translate(TEXT)
    expect(said).to_contain_text(f"The greedy one came {counts.get(greedy.text, 0)}% of the time")

    other = next(
        mark for mark in marks(page, "choosing_draws") if "pick" in mark and greedy.text not in mark["tip"]
    )
    page.locator(f".st-key-choosing_draws [data-name='{other['name']}']").click()
    settle(page)
    text = re.search("“(.*)”", other["tip"])[1]
    ids = next(each.ids for each in drawn if each.text == text)
    step = next(step for step, (one, two) in enumerate(zip(ids, greedy.ids, strict=False)) if one != two)
    expect_in_link(page, f"at={step}")
    until(page, lambda: _on(page, ids[step]))


def test_on_a_telephone_everything_has_room(open_page):
    page = open_page("decoding", decoding="choosing", s=TEXT, top_p=60, drawn=2, screen=PHONE)
    expect(page.locator(".st-key-choosing_draws .drawing[data-painted]")).to_be_visible()
    settle(page)
    expect_no_scrolling_sideways(page)
    expect_within_screen(
        page, page.locator(".st-key-choosing_bars svg text, .st-key-choosing_draws svg text")
    )
