"""What is remembered, in a browser: every number on the page is the run's own."""

import re

import pytest
import torch
from playwright.sync_api import Page, expect

from model.decoding.remembered import multiplications
from model.decoding.search import Run
from model.network.config import START
from tests.helpers.browser import PHONE, choose, expect_no_scrolling_sideways, settle, until
from tests.helpers.drawn import formula, marks, named, tips, written_out
from viz.pages.decoding.numbers.memory import rows_of

TEXT = "The small boat waited for us near the bridge."


def says(page: Page) -> str:
    return " ".join(page.locator(".st-key-panel [data-testid=stText]").all_text_contents())


@pytest.fixture
def panel(open_page):
    def visit(**link: object) -> Page:
        page = open_page("decoding", decoding="memory", s=TEXT, **link)
        expect(page.locator(".st-key-picture_memory_rows .drawing[data-painted]")).to_be_visible()
        return page

    return visit


def counts(page: Page) -> dict[str, int]:
    """The numbers beside the grids, by kind and way."""
    found = named(page, "picture_memory")
    return {
        name: int(found[name]["text"].split()[0].replace(",", ""))
        for name in found
        if name.endswith((".computed", ".reused"))
    }


@torch.inference_mode()
def test_cells_numbers_and_bytes_are_the_caches_own(panel, translator):
    step, source = 4, translator.read(TEXT).ids
    ids, model = translator.translate(TEXT).ids, translator.model
    run, full = Run(model, [source], cached=True), Run(model, [source], cached=False)
    apart = 0.0
    for place, id in enumerate([START, *ids[:-1]]):
        one, other = run.step([id]), full.step([id])
        apart = max(apart, float((one - other)[one.isfinite()].abs().max()))
        if place == step:
            numbers = {
                kind: sum(
                    tensor.numel()
                    for owner, pair in run.cache.kept.items()
                    if any(owner is getattr(layer, f"{kind}_attention") for layer in model.decoder.layers)
                    for tensor in pair
                )
                for kind in ("self", "cross")
            }
    page = panel(at=step)
    own, cross = numbers["self"], numbers["cross"]
    assert counts(page) == {
        "self.with.computed": own // (step + 1), "self.with.reused": own - own // (step + 1),
        "self.without.computed": own, "cross.with.computed": 0, "cross.with.reused": cross,
        "cross.without.computed": cross,
    }  # fmt: skip
    assert f"{own * 4 / 1024:.4g} KB" in says(page) and f"{cross * 4 / 1024:.4g} KB" in says(page)
    assert f"{own + cross:,}" in says(page)
    mark, digits, power = re.search(r"([✓✗]).*? ([\d.]+) × 10([⁻⁰-⁹¹²³]+)", says(page)).groups()
    assert mark == "✓" and apart < 1e-4
    assert written_out(digits, power) == pytest.approx(apart, abs=1e-4)
    expect_no_scrolling_sideways(page)
    assert page.locator(".st-key-picture_memory").bounding_box()["y"] < 400


def test_multiplications_are_counted_for_every_step(panel, translator):
    step, source, config = 3, len(translator.read(TEXT).ids), translator.config
    steps = len(translator.translate(TEXT).ids)
    page = panel(at=step)
    found = tips(page, "picture_memory_time")
    for way, cached in (("with", True), ("without", False)):
        for place in range(steps):
            expected = multiplications(config, place, source, cached).total / 1e6
            said = float(found[f"millions.{way}.{place}"].rpartition(": ")[2])
            assert said == pytest.approx(expected, rel=1e-3)
            assert float(found[f"milliseconds.{way}.{place}"].rpartition(": ")[2]) > 0
    totals = [multiplications(config, step, source, cached).total for cached in (True, False)]
    written = [int(number.replace("{,}", "")) for number in re.findall(r"= ([\d{,}]+)", formula(page))]
    assert written == totals


@pytest.mark.parametrize("size", [3, 6])
def test_rows_are_those_of_the_search(panel, translator, size):
    page = panel(at=2)
    choose(page, "beam", str(size))
    rows = rows_of(translator.search(TEXT, size=size).nodes)
    expected = {
        f"from.{step}.{place}.{row}" for step, each in enumerate(rows) for place, row in enumerate(each)
    }

    def drawn() -> None:
        assert {name for name in named(page, "picture_memory_rows") if name.startswith("from.")} == expected

    until(page, drawn)


def test_a_column_leads_to_its_step_and_keys_step_on(panel):
    page = panel(at=1)
    page.locator(".st-key-picture_memory [data-name='step.4']").click()
    settle(page)

    def at(step: int) -> None:
        on = [mark["name"] for mark in marks(page, "picture_memory") if mark.get("on")]
        assert on == [f"step.{step}"]

    until(page, lambda: at(4))
    page.keyboard.press("ArrowRight")
    until(page, lambda: at(5))
    column = page.locator(".st-key-picture_memory [data-name='step.2']")
    column.focus()
    column.press("Enter")
    until(page, lambda: at(2))


def test_on_a_telephone_nothing_scrolls_sideways(panel):
    page = panel(at=3, screen=PHONE)
    expect_no_scrolling_sideways(page)
    sheet = page.locator(".st-key-picture_memory svg").bounding_box()
    assert sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= PHONE["width"]
    assert "self.with.said" in named(page, "picture_memory")
    panel_box = page.locator(".st-key-panel").bounding_box()
    ends = page.locator(".st-key-panel .katex-html .base").evaluate_all(
        "parts => Math.max(...parts.map((part) => part.getBoundingClientRect().right))"
    )
    assert panel_box["x"] < ends <= panel_box["x"] + panel_box["width"]
