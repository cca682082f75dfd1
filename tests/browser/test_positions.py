"""Positions in a browser: every number on it is worked out again here, from the model's own arrays."""

import re
import time
from collections.abc import Callable

import numpy as np
import pytest
import torch
from playwright.sync_api import Page, expect

from model.inspect import edits, metrics
from model.text.tokenizer import Tokens
from tests.helpers.browser import choose, settle
from viz.components.payload import SCALE
from viz.figures.labels import readable
from viz.pages.positions import Positions
from viz.text import translate

say = translate("en")
TEXT = "My sister likes the old bridge in the garden."
LINK = f"/?page=positions&s={TEXT}&positions="
LAST = {  # what each panel draws last
    "table": "positions_products", "waves": "positions_wave_8", "shift": "positions_clock_8",
    "kinds": "positions_rotary", "terms": "positions_sizes", "shuffle": "positions_off",
}  # fmt: skip
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@pytest.fixture
def open_page(open_app):
    def visit(panel: str, more: str = "", **screen) -> Page:
        return open_app(LINK + panel + more, until=".st-key-panel .drawing, .st-key-panel canvas", **screen)

    return visit


def until(page: Page, true: Callable[[], None]) -> None:
    """Views are drawn a moment after the server's answer: try for a while."""
    deadline = time.monotonic() + 20
    while True:
        try:
            return true()
        except (AssertionError, KeyError, ValueError):
            if time.monotonic() > deadline:
                raise
            page.wait_for_timeout(30)


def marks(page: Page, name: str) -> list[dict]:
    return page.locator(f".st-key-{name} .drawing").evaluate("drawing => drawing.shown")["marks"]


def said(page: Page, name: str) -> dict[str, float]:
    """The number that each named shape says when it is pointed at."""
    return {
        mark["name"]: float(mark["tip"].rpartition(": ")[2])
        for mark in marks(page, name)
        if "tip" in mark and "name" in mark
    }


def numbers(page: Page, name: str) -> np.ndarray:
    header, values = page.locator(f".st-key-{name} .heat-map").evaluate(
        "map => [map.shown.header, [...map.shown.numbers]]"
    )
    shape = len(header["queries"]), len(header["keys"])
    share = np.array(values, float).reshape(shape) / SCALE
    return header["least"] + share * (header["most"] - header["least"])


def formulas(page: Page) -> list[str]:
    return page.locator(".st-key-panel .katex annotation").all_text_contents()


def bold(page: Page) -> list[float]:
    """The measured numbers in the sentences of a panel."""
    texts = page.locator(".st-key-panel [data-testid=stMarkdownContainer] strong").all_text_contents()
    found = []
    for text in texts:
        if number := re.fullmatch(r"(-?[\d.]+)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text):
            found.append(float(number[1]) * 10.0 ** int((number[2] or "0").translate(RAISED)))
    return found


def waves(places: int, width: int, base: float) -> np.ndarray:
    """The paper's formula, written out."""
    table = np.empty((places, width))
    for pair in range(width // 2):
        angle = np.arange(places) / base ** (2 * pair / width)
        table[:, 2 * pair], table[:, 2 * pair + 1] = np.sin(angle), np.cos(angle)
    return table


def click_cell(page: Page, name: str, row: int, column: int) -> None:
    canvas = page.locator(f".st-key-{name} canvas")
    canvas.scroll_into_view_if_needed()
    box, (rows, columns) = canvas.bounding_box(), numbers(page, name).shape
    page.mouse.click(
        box["x"] + box["width"] * (column + 0.5) / columns, box["y"] + box["height"] * (row + 0.5) / rows
    )
    settle(page)


def has(page: Page, parameter: str) -> None:
    expect(page).to_have_url(re.compile(rf"[?&]{parameter}(&|$)"))


def test_the_table_and_what_its_cursors_compare(open_page, translator):
    page = open_page("table", "&places=32&wave_width=16&base=100&first=3&second=11")
    table = waves(32, 16, 100)

    def shows(first: int, second: int) -> None:
        np.testing.assert_allclose(numbers(page, "positions_table"), table, atol=5e-5)
        np.testing.assert_allclose(numbers(page, "positions_products"), table @ table.T, atol=5e-4)
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
    click_cell(page, "positions_table", 20, 5)
    has(page, "first=20")
    until(page, lambda: shows(20, 11))
    click_cell(page, "positions_products", 7, 30)
    has(page, "second=30")
    until(page, lambda: shows(7, 30))
    page.locator(".st-key-second").get_by_role("slider").press("ArrowLeft")
    until(page, lambda: shows(7, 29))
    assert say("positions.table.lab", width=translator.config.width, base="10,000") in page.content()
    # Fewer positions: the cursors come along. More than the model has: it says so.
    page.locator(".st-key-places").get_by_role("slider").press("ArrowLeft")
    settle(page)
    has(page, "second=15")
    for _ in range(6):
        page.locator(".st-key-places").get_by_role("slider").press("ArrowRight")
        settle(page)
    expect(page.get_by_text(f"at most {translator.config.length} positions")).to_be_visible()


def test_waves_have_their_wavelengths_and_shifts_turn_them(open_page):
    page = open_page("waves", "&places=32&wave_width=16&base=1000&first=4&second=9&waves=0,3,7")
    table = waves(32, 16, 1000)
    lengths = [2 * np.pi * 1000 ** (2 * pair / 16) for pair in (0, 3, 7)]
    assert [float(each.rpartition("= ")[2]) for each in formulas(page)] == pytest.approx(lengths, abs=0.006)
    for pair in (0, 3, 7):
        drawn = said(page, f"positions_wave_{pair}")
        for offset, name in enumerate(("positions.sine", "positions.cosine")):
            values = [drawn[f"{say(name)}@{place}"] for place in range(32)]
            np.testing.assert_allclose(values, table[:, 2 * pair + offset], atol=2e-4)
    page.locator(".st-key-waves").get_by_role("button", name="5", exact=True).click()
    settle(page)
    has(page, "waves=0%2C3%2C5%2C7")
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
        hands = {
            mark["name"]: mark["tip"] for mark in marks(page, f"positions_clock_{pair}") if "tip" in mark
        }
        for place in (4, 9):
            tip = list(map(float, re.findall(r"-?\d+\.\d+", hands[f"PE({place})"])))
            np.testing.assert_allclose(tip, table[place, 2 * pair : 2 * pair + 2], atol=1e-4)
    single, worst = table.astype(np.float32).astype(float), 0.0
    for pair in range(8):
        angle = 5 / 1000 ** (2 * pair / 16)
        sine, cosine = single[:, 2 * pair], single[:, 2 * pair + 1]
        on = np.cos(angle) * sine + np.sin(angle) * cosine, np.cos(angle) * cosine - np.sin(angle) * sine
        worst = max(worst, abs(on[0][:-5] - sine[5:]).max(), abs(on[1][:-5] - cosine[5:]).max())
    assert bold(page) == [pytest.approx(worst, rel=0.06)]
    assert worst < 1e-5  # what single precision leaves


def test_other_kinds_of_positions(open_page, translator):
    page = open_page("kinds", "&places=32&wave_width=16")
    table, config = waves(32, 16, 10_000), translator.config
    np.testing.assert_allclose(numbers(page, "positions_sinusoidal"), table @ table.T, atol=5e-4)
    offsets = np.subtract.outer(np.arange(32), np.arange(32))
    turned = sum(2 * np.cos(offsets / 10_000 ** (2 * pair / 16)) for pair in range(8)) / 4
    np.testing.assert_allclose(numbers(page, "positions_rotary"), turned, atol=5e-4)
    if config.positions == "learned":
        learned = translator.model.encoder.embedding.encoding.table.detach().numpy()[:32]
    else:
        torch.manual_seed(0)
        learned = torch.randn(config.length, 16).numpy()[:32] / 4
        expect(
            page.get_by_text(say("positions.kinds.learned.untrained", length=config.length))
        ).to_be_visible()
    np.testing.assert_allclose(numbers(page, "positions_learned"), learned @ learned.T, atol=5e-4)
    angles = np.arange(32)[:, None] / 10_000 ** (np.arange(0, 16, 2) / 16)
    cosine, sine = np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
    ones = np.concatenate([cosine - sine, sine + cosine], -1).astype(float)
    spread = max(np.ptp(np.diagonal(ones @ ones.T / 4, offset)) for offset in range(32))
    (digits, power) = re.search(r"at most ([\d.]+) × 10(\S+)\)", page.content()).groups()
    assert float(digits) * 10.0 ** int(power.translate(RAISED)) == pytest.approx(spread, rel=0.06)


def test_the_parts_of_a_score(open_page, translator):
    trace, head = translator.trace(TEXT), translator.config.heads - 1
    for kind, row in (("encoder", 2), ("decoder", 3)):
        page = open_page("terms", f"&kind={kind}&head={head}&row={row}")
        query, query_bias, key, key_bias = (array[0, head] for array in trace.projections(kind))
        words, places = (trace.stream[kind][f"{kind}.embedding.{name}"] for name in ("tokens", "positions"))
        root, x = np.sqrt(len(query_bias)), words + places
        sides = {"content": words, "position": places}
        parts = {
            f"{one}_{other}": (sides[one] @ query.T) @ (sides[other] @ key.T).T / root
            for one in sides
            for other in sides
        }
        parts["query_bias"] = np.broadcast_to(query_bias @ (x @ key.T).T / root, (len(x), len(x)))
        parts["key_bias"] = np.broadcast_to(
            ((x @ query.T + query_bias) @ key_bias / root)[:, None], (len(x), len(x))
        )
        scores, mask = trace.scores[kind][0, head], trace.mask[kind][0, head]
        seen = np.flatnonzero(mask[row])
        drawn = said(page, "positions_terms")
        for name, part in parts.items():
            shown = [drawn[f"{say(f'positions.terms.{name}')}@{place}"] for place in range(len(seen))]
            np.testing.assert_allclose(shown, part[row, seen], rtol=1e-3, atol=1e-4)
        totals = [drawn[f"total@{place}"] for place in range(len(seen))]
        np.testing.assert_allclose(totals, scores[row, seen], rtol=1e-3, atol=1e-4)
        sizes = said(page, "positions_sizes")
        for name, part in parts.items():
            mean = abs(part[mask]).mean()
            assert sizes[say(f"positions.terms.{name}")] == pytest.approx(mean, rel=1e-3, abs=1e-5)
        np.testing.assert_allclose(
            np.where(mask, numbers(page, "positions_scores"), scores), scores, atol=1e-3
        )
        terms = metrics.score_terms(words, places, query, query_bias, key, key_bias)
        worst = abs(np.sum(terms, 0) - scores).max()
        assert bold(page) == [pytest.approx(worst, rel=0.06, abs=5e-7)]
        assert worst < 1e-4
    click_cell(page, "positions_scores", 5, 1)
    has(page, "row=5")
    until(page, lambda: np.testing.assert_equal(len(said(page, "positions_terms")), 7 * 6))
    choose(page, "kind", say("kind.cross"))
    expect(page.get_by_text(say("positions.terms.cross"))).to_be_visible()


def test_the_shuffle_test(open_page, translator):
    page, trace = open_page("shuffle"), translator.trace(TEXT)
    path = f"encoder.layers.{translator.config.layers - 1}.after_feed_forward"

    def run(*changes: edits.Edit):
        return translator.trace(TEXT, trace.target.predicted_ids, changes, keep=[path])

    def after() -> list[str]:
        written = {mark.get("name"): mark.get("text") for mark in marks(page, "positions_words")}
        return [written[f"after@{place}"] for place in range(len(trace.source.pieces))]

    for seed in (0, 1):
        shuffled = run(edits.Shuffle(seed))
        expected = [readable(piece, say) for piece in shuffled.source.pieces]
        until(page, lambda expected=expected: np.testing.assert_array_equal(after(), expected))
        places = tuple(range(len(trace.source.ids)))
        back = np.argsort(edits.Shuffle(seed).reorder(Tokens(places, places, places)).ids)
        changes = {}
        for name, off in (("on", []), ("off", [edits.PositionsOff("encoder")])):
            changes[name] = run(*off, edits.Shuffle(seed)).points[path][back] - run(*off).points[path]
            lengths = np.linalg.norm(changes[name], axis=-1)

            def moved(name: str = name, lengths: np.ndarray = lengths) -> None:
                drawn = said(page, f"positions_{name}")
                np.testing.assert_allclose(
                    [drawn[f"moved@{place}"] for place in range(len(lengths))], lengths, rtol=1e-3, atol=1e-6
                )

            until(page, moved)
        moves = np.linalg.norm(changes["on"], axis=-1)
        length = np.linalg.norm(run().points[path], axis=-1).mean()
        mean, long, largest = bold(page)
        assert mean == pytest.approx(np.mean(moves), abs=0.01) and long == pytest.approx(length, abs=0.01)
        assert largest == pytest.approx(abs(changes["off"]).max(), rel=0.06) and largest < 1e-4
        if seed == 0:
            page.get_by_role("button", name=say("positions.shuffle.again")).click()
            settle(page)
            has(page, "seed=1")


def test_arrow_keys_step_through_the_panels_and_a_link_opens_each(open_page):
    page = open_page("table")
    page.locator("h1").click()
    for panel in Positions.options("positions")[1:]:
        page.keyboard.press("ArrowRight")
        settle(page)
        has(page, f"positions={panel}")
        chosen = page.locator(".st-key-positions").get_by_role(
            "radio", name=say(f"positions.{panel}"), exact=True
        )
        expect(chosen).to_be_checked()
    page = open_page("shift", "&present=on")
    expect(page.locator(".st-key-controls")).to_be_hidden()
    expect(page.locator(".st-key-positions_clock_0 .drawing")).to_be_visible()
    expect(page.locator("h1")).to_have_text(say("positions.title"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_narrow_screen_in_korean(open_page, scheme):
    page = open_page("table", width=390, height=844, scheme=scheme, locale="ko-KR")
    korean = translate("ko")
    for panel in Positions.options("positions"):
        choose(page, "positions", korean(f"positions.{panel}"))
        expect(page.locator(f".st-key-{LAST[panel]} [data-painted]")).to_be_visible()
        for element in ("document.documentElement", "document.querySelector('[data-testid=stMain]')"):
            assert page.evaluate(f"{element}.scrollWidth <= {element}.clientWidth"), panel
        views = page.locator(".st-key-panel .drawing svg, .st-key-panel canvas, .st-key-panel .katex-display")
        edges = views.evaluate_all(
            "all => all.map((it) => [it.getBoundingClientRect().left, it.getBoundingClientRect().right])"
        )
        assert edges and all(left >= 0 and right <= 391 for left, right in edges), panel
        groups = page.locator(".st-key-panel, .st-key-controls").get_by_test_id("stButtonGroup")
        assert groups.evaluate_all(
            """groups => groups.flatMap((group) => [group, ...group.children])
              .every((part) => part.scrollWidth <= part.clientWidth + 1)"""
        ), panel
        plain = " ".join(re.sub(r"\([^)]*\)", "", text) for text in texts(page))
        assert set(re.findall("[A-Za-z]{4,}", plain)) <= set(re.findall("[A-Za-z]+", TEXT)), panel


def texts(page: Page) -> list[str]:
    """Every word of the panel and its controls, formulas apart."""
    written = page.locator(".st-key-panel, .st-key-controls").evaluate_all(
        """parts => parts.flatMap((part) => {
          const all = [...part.querySelectorAll("p, label, button")];
          return all.filter((each) => !each.querySelector(".katex")).map((each) => each.innerText);
        })"""
    )
    assert written
    for shown in page.locator(".st-key-panel .drawing").evaluate_all("all => all.map((it) => it.shown)"):
        written += [shown["title"], *(mark["text"] for mark in shown["marks"] if "text" in mark)]
    maps = page.locator(".st-key-panel .heat-map").evaluate_all("all => all.map((it) => it.shown.header)")
    for header in maps:
        written += [*header["axes"], *header["text"].values()]
    return written
