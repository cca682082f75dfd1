"""Positions before any sentence, in a browser: every number is what the paper's formula gives."""

import re

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from tests.helpers.browser import (
    choose,
    click_cell,
    expect_in_link,
    expect_weights,
    say,
    settle,
    until,
    weights,
)
from tests.helpers.drawn import formulas, marks, measured, said, tips, written_out


def waves(places: int, width: int, base: float) -> np.ndarray:
    """The paper's formula, written out."""
    table = np.empty((places, width))
    for pair in range(width // 2):
        angle = np.arange(places) / base ** (2 * pair / width)
        table[:, 2 * pair], table[:, 2 * pair + 1] = np.sin(angle), np.cos(angle)
    return table


def test_the_table_and_its_cursors_show_what_the_formula_gives(open_page, translator):
    page = open_page("positions", places=32, wave_width=16, base=100, first=3, second=11)
    table = waves(32, 16, 100)

    def shows(first: int, second: int) -> None:
        np.testing.assert_allclose(weights(page, "positions_table"), table, atol=5e-5)
        np.testing.assert_allclose(weights(page, "positions_products"), table @ table.T, atol=5e-4)
        vectors = [mark["values"] for mark in marks(page, "positions_vectors") if mark["shape"] == "cells"]
        expected = table[first], table[second], table[first] * table[second]
        np.testing.assert_allclose(vectors, expected, atol=1e-4)
        row = said(page, "positions_row")
        assert len(row) == 32
        for place, value in enumerate(table @ table[first]):
            assert row[f"PE({first}) · PE(pos)@{place}"] == pytest.approx(value, rel=1e-3, abs=1e-3)
        (formula,) = formulas(page)
        terms = [f"({table[first, at]:.3f})({table[second, at]:.3f})" for at in range(2)]
        assert f"= {table[first] @ table[second]:.4f}" in formula and " + ".join(terms) in formula

    until(page, lambda: shows(3, 11))
    click_cell(page, 20, 5, "positions_table")
    expect_in_link(page, "first=20")
    until(page, lambda: shows(20, 11))
    click_cell(page, 7, 30, "positions_products")
    expect_in_link(page, "second=30")
    until(page, lambda: shows(7, 30))
    page.locator(".st-key-second").get_by_role("slider").press("ArrowLeft")
    until(page, lambda: shows(7, 29))
    assert say("positions.table.lab", width=translator.config.width, base="10,000") in page.content()
    # Fewer positions: the cursors come along. More than the model has: it says so.
    page.locator(".st-key-places").get_by_role("slider").press("ArrowLeft")
    settle(page)
    expect_in_link(page, "second=15")
    for _ in range(6):
        page.locator(".st-key-places").get_by_role("slider").press("ArrowRight")
        settle(page)
    expect(page.get_by_text(f"at most {translator.config.length} positions")).to_be_visible()


def test_waves_have_their_wavelengths_and_shifts_turn_them(open_page):
    table, link = waves(32, 16, 1000), {"places": 32, "wave_width": 16, "base": 1000, "first": 4, "second": 9}
    page = open_page("positions", positions="waves", waves="0,3,7", **link)
    lengths = [2 * np.pi * 1000 ** (2 * pair / 16) for pair in (0, 3, 7)]
    assert [float(each.rpartition("= ")[2]) for each in formulas(page)] == pytest.approx(lengths, abs=0.006)
    for pair in (0, 3, 7):
        drawn = said(page, f"positions_wave_{pair}")
        for offset, name in enumerate(("positions.sine", "positions.cosine")):
            values = [drawn[f"{say(name)}@{place}"] for place in range(32)]
            np.testing.assert_allclose(values, table[:, 2 * pair + offset], atol=2e-4)
    page.locator(".st-key-waves").get_by_role("button", name="5", exact=True).click()
    settle(page)
    expect_in_link(page, "waves=0%2C3%2C5%2C7")
    expect(page.locator(".st-key-positions_wave_5 .drawing")).to_be_visible()

    page.keyboard.press("Escape")
    choose(page, "positions", say("positions.shift"))
    expect(page.locator(".st-key-positions_clock_0 .drawing")).to_be_visible()
    for pair, formula in zip((0, 3, 5), formulas(page), strict=True):
        angle = 5 / 1000 ** (2 * pair / 16)
        matrix = np.cos(angle), np.sin(angle), -np.sin(angle), np.cos(angle)
        written = list(map(float, re.findall(r"-?\d+\.\d+", formula)))
        expected = [*matrix, *table[4, 2 * pair : 2 * pair + 2], *table[9, 2 * pair : 2 * pair + 2]]
        np.testing.assert_allclose(written, expected, atol=6e-4)
        hands = tips(page, f"positions_clock_{pair}")
        for place in (4, 9):
            tip = list(map(float, re.findall(r"-?\d+\.\d+", hands[f"PE({place})"])))
            np.testing.assert_allclose(tip, table[place, 2 * pair : 2 * pair + 2], atol=1e-4)
    single, worst = table.astype(np.float32).astype(float), 0.0
    for pair in range(8):
        angle = 5 / 1000 ** (2 * pair / 16)
        sine, cosine = single[:, 2 * pair], single[:, 2 * pair + 1]
        on = np.cos(angle) * sine + np.sin(angle) * cosine, np.cos(angle) * cosine - np.sin(angle) * sine
        worst = max(worst, abs(on[0][:-5] - sine[5:]).max(), abs(on[1][:-5] - cosine[5:]).max())
    assert measured(page) == [pytest.approx(worst, rel=0.06)]
    assert worst < 1e-5  # what single precision leaves


def test_other_kinds_of_positions_show_the_products_of_their_own_formulas(open_page, translator):
    page = open_page("positions", positions="kinds", places=32, wave_width=16)
    table, config = waves(32, 16, 10_000), translator.config
    expect_weights(page, table @ table.T, "positions_sinusoidal", 5e-4)
    offsets = np.subtract.outer(np.arange(32), np.arange(32))
    turned = sum(2 * np.cos(offsets / 10_000 ** (2 * pair / 16)) for pair in range(8)) / 4
    expect_weights(page, turned, "positions_rotary", 5e-4)
    if config.positions == "learned":
        learned = translator.model.encoder.embedding.encoding.table.detach().numpy()[:32]
    else:
        torch.manual_seed(0)
        learned = torch.randn(config.length, 16).numpy()[:32] / 4
        expect(
            page.get_by_text(say("positions.kinds.learned.untrained", length=config.length))
        ).to_be_visible()
    expect_weights(page, learned @ learned.T, "positions_learned", 5e-4)
    angles = np.arange(32)[:, None] / 10_000 ** (np.arange(0, 16, 2) / 16)
    cosine, sine = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    ones = np.concatenate([cosine - sine, sine + cosine], -1).astype(float)
    spread = max(np.ptp(np.diagonal(ones @ ones.T / 4, offset)) for offset in range(32))
    digits, power = re.search(r"at most ([\d.]+) × 10(\S+)\)", page.content()).groups()
    assert written_out(digits, power) == pytest.approx(spread, rel=0.06)
