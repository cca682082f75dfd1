"""One step as a visitor sees it: every number is the model's own, and steps are taken and undone."""

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.inspect.variants import Head
from model.training.one_step.adam import scheduled
from model.training.one_step.gradients import part_of, reached
from model.training.one_step.losses import losses
from model.training.one_step.pair import Pair, predictions
from model.training.one_step.taken import take_steps
from tests.helpers.browser import (
    PHONE,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    open_export,
    save,
    say,
    settle,
    until,
    weights,
)
from tests.helpers.drawn import expect_said, finding, formulas, named, said
from tests.helpers.drawn import tips as tips_of

TEXT, TYPED = "My brother lost his watch.", "Mon frère a perdu son livre."
ROWS, PULLS, GRID, PART, CHANGES = (
    f"step_{name}_view" for name in ("rows", "pulls", "grid", "part", "changes")
)
PAINTED = ".st-key-panel .drawing[data-painted]"
VIEW = {"training": "step", "s": TEXT, "answer": TYPED, "until": PAINTED}


@pytest.fixture(scope="module")
def pair(translator):
    return Pair(translator.read(TEXT).ids, translator.read(TYPED).ids)


def click(page: Page, view: str, name: str) -> None:
    page.locator(f'.st-key-{view} [data-name="{name}"]').click()
    settle(page)


def test_rows_cost_what_the_model_says_and_a_click_shows_where_one_pulls(open_page, translator, pair):
    page = open_page("training", **VIEW)
    costs = losses(predictions(translator.model, pair), pair.target)
    expect_said(page, ROWS, "row.", costs.smoothed)
    click(page, ROWS, "row.5")
    expect_in_link(page, "row=5")
    until(page, lambda: np.testing.assert_allclose(sum(said(page, PULLS, "pull.").values()), 0, atol=1e-3))
    assert f"pull.{pair.target[5]}" in named(page, PULLS)
    box = page.locator(".st-key-answer input")
    box.fill("내 동생은 시계를 잃어버렸다")
    box.press("Enter")
    settle(page)
    expect(page.locator(".st-key-panel [data-testid=stAlert]")).to_be_visible()
    expect(box).to_have_value("내 동생은 시계를 잃어버렸다")
    expect_said(page, ROWS, "row.", costs.smoothed)


def test_the_grid_leads_to_a_weight_and_its_numbers(open_page, translator, pair):
    page = open_page("training", stage="gradients", **VIEW)
    found = reached(translator.model, pair)
    until(page, lambda: tips_of(page, GRID)["decoder.1.2.v"])
    shown = float(tips_of(page, GRID)["decoder.1.2.v"].rpartition(": ")[2])
    assert shown == pytest.approx(found.relative("decoder")[1, 2, 2], rel=0.01)
    click(page, GRID, "decoder.1.2.v")
    expect_in_link(page, "kind=decoder", "layer=1", "head=2", "projection=v")
    page.locator(".st-key-to_weight button").click()
    settle(page)
    expect_in_link(page, "stage=weight")
    part = part_of(translator.model, pair, Head("decoder", 1, 2), "v")
    until(page, lambda: np.testing.assert_equal(weights(page, PART).shape, part.gradients.shape))
    relative = weights(page, PART) / part.gradients
    assert np.median(relative) == pytest.approx(10.0 ** round(np.log10(np.median(relative))), rel=1e-2)
    largest = part.gradients.flat[abs(part.gradients).argmax()]
    slope, adam, _ = formulas(page)
    by_autograd, by_hand = (written(slope, begins) for begins in (r"\partial w}&=", "{2h}&="))
    assert by_autograd == pytest.approx(largest, rel=1e-4) and by_hand == pytest.approx(largest, rel=1e-2)
    rate = scheduled(40, translator.config.width)
    assert float(adam.rpartition("=")[2].split("\\cdot")[0]) == pytest.approx(
        -np.sign(largest) * rate * 1e6, rel=1e-2
    )


def written(formula: str, begins: str) -> float:
    """The number that stands in a formula after these signs."""
    digits = formula.partition(begins)[2].partition(r"\\")[0].removesuffix(r"\end{aligned}")
    return float(digits.replace(r"\cdot10^{", "e").replace("}", ""))


def test_ten_steps_are_taken_and_undone_and_a_large_rate_breaks(open_page, translator, pair):
    page = open_page("training", stage="after", **VIEW)
    page.locator(".st-key-take_many button").click()
    settle(page)
    expect_in_link(page, "taken=10")
    taken = take_steps(translator.model, pair, scheduled(40, translator.config.width), 10)
    expect_change(page, taken.log_probs[10] - taken.log_probs[0])
    assert f"{taken.losses[0]:.4f} → {taken.losses[10]:.4f}" in finding(page)
    page.locator(".st-key-undo_steps button").click()
    settle(page)
    expect_change(page, np.zeros(len(pair.target)))
    choose(page, "rate", "4,000")
    page.locator(".st-key-take_many button").click()
    settle(page)
    until(page, lambda: expect_word(page, "training.step.after.broke"))


def expect_word(page: Page, key: str) -> None:
    assert say(key) in finding(page)


def expect_change(page: Page, change: np.ndarray) -> None:
    def shown() -> None:
        np.testing.assert_allclose(
            list(said(page, CHANGES, "change.").values()), change, rtol=1e-2, atol=2e-3
        )

    until(page, shown)


def test_rows_grid_and_steps_can_be_taken_home(open_page, pair, tmp_path):
    page = open_page("training", **VIEW)
    dialog = open_export(page)
    table = save(dialog, "CSV", tmp_path).read_text("utf-8")
    assert "smoothed_loss" in table and len(pair.target) < len(table.splitlines())
    with np.load(save(dialog, "NPZ", tmp_path), allow_pickle=False) as arrays:
        assert len(arrays["p"]) == len(pair.target)


def test_on_a_telephone_every_view_fits_and_keys_of_a_presenter_step_through_them(open_page):
    for stage in ("loss", "gradients", "weight", "after"):
        page = open_page("training", stage=stage, screen=PHONE, **VIEW)
        expect_no_scrolling_sideways(page, stage)
    wall = open_page("training", present="on", **VIEW)
    wall.keyboard.press("ArrowRight")
    settle(wall)
    expect_in_link(wall, "stage=gradients")
    expect(wall.locator(f".st-key-{GRID} .drawing[data-painted]")).to_be_visible()


def test_a_translation_of_five_thousand_letters_stays_in_its_box(open_page):
    page = open_page("training", **VIEW)
    before, box = tips_of(page, ROWS), page.locator(".st-key-answer input")
    box.fill("chat " * 1000)
    box.press("Enter")
    expect(page.locator(".st-key-panel [data-testid=stAlert]")).to_be_visible()
    expect(box).to_have_value("chat " * 1000)
    assert tips_of(page, ROWS) == before
