"""Positions in a browser: what they do in a run of the model, and the page on any screen."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from model.inspect import edits, metrics
from model.text.tokenizer import Tokens
from tests.helpers.browser import (
    PHONE,
    choose,
    click_cell,
    expect_in_link,
    expect_no_scrolling_sideways,
    expect_weights,
    korean,
    say,
    settle,
    unfold_controls,
    until,
)
from tests.helpers.drawn import measured, named, said
from viz.figures.labels import readable
from viz.pages.positions import Positions

TEXT = "My sister likes the old bridge in the garden."
LAST = {  # what each panel draws last
    "table": "positions_products", "waves": "positions_wave_8", "shift": "positions_clock_8",
    "kinds": "positions_rotary", "terms": "positions_sizes", "shuffle": "positions_off",
}  # fmt: skip


def test_the_parts_of_a_score_are_the_models_and_add_up(open_page, translator):
    trace, head = translator.trace(TEXT), translator.config.heads - 1
    for kind, row in (("encoder", 2), ("decoder", 3)):
        page = open_page("positions", s=TEXT, positions="terms", kind=kind, head=head, row=row)
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
        expect_weights(page, np.where(mask, scores, np.nan), "positions_scores", 1e-3)
        terms = metrics.score_terms(words, places, query, query_bias, key, key_bias)
        worst = abs(np.sum(terms, 0) - scores).max()
        assert measured(page) == [pytest.approx(worst, rel=0.06, abs=5e-7)]
        assert worst < 1e-4
    click_cell(page, 5, 1, "positions_scores")
    expect_in_link(page, "row=5")
    until(page, lambda: np.testing.assert_equal(len(said(page, "positions_terms")), 7 * 6))
    choose(page, "kind", say("kind.cross"))
    expect(page.get_by_text(say("positions.terms.cross"))).to_be_visible()


def test_shuffled_words_move_as_far_as_the_model_says(open_page, translator):
    page, trace = open_page("positions", s=TEXT, positions="shuffle"), translator.trace(TEXT)
    path = f"encoder.layers.{translator.config.layers - 1}.after_feed_forward"

    def run(*changes: edits.Edit):
        return translator.trace(TEXT, trace.target.predicted_ids, changes, keep=[path])

    def after() -> list[str]:
        written = named(page, "positions_words")
        return [written[f"after@{place}"]["text"] for place in range(len(trace.source.pieces))]

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
        mean, long, largest = measured(page)
        assert mean == pytest.approx(np.mean(moves), abs=0.01) and long == pytest.approx(length, abs=0.01)
        assert largest == pytest.approx(abs(changes["off"]).max(), rel=0.06) and largest < 1e-4
        if seed == 0:
            page.get_by_role("button", name=say("positions.shuffle.again")).click()
            settle(page)
            expect_in_link(page, "seed=1")


def test_arrow_keys_step_through_the_panels_and_a_link_opens_each(open_page):
    page = open_page("positions", s=TEXT)
    page.locator("h1").click()
    for panel in Positions.options("positions")[1:]:
        page.keyboard.press("ArrowRight")
        settle(page)
        expect_in_link(page, f"positions={panel}")
        chosen = page.locator(".st-key-positions").get_by_role(
            "radio", name=say(f"positions.{panel}"), exact=True
        )
        expect(chosen).to_be_checked()
    page = open_page("positions", s=TEXT, positions="shift", present="on")
    expect(page.locator(".st-key-controls")).to_be_hidden()
    expect(page.locator(".st-key-positions_clock_0 .drawing")).to_be_visible()
    expect(page.locator("h1")).to_have_text(say("positions.title"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_screen_shows_every_panel_in_korean(open_page, scheme):
    page = open_page("positions", s=TEXT, screen=PHONE | {"scheme": scheme})
    unfold_controls(page)
    for panel in Positions.options("positions"):
        choose(page, "positions", korean(f"positions.{panel}"))
        expect(page.locator(f".st-key-{LAST[panel]} [data-painted]")).to_be_visible()
        expect_no_scrolling_sideways(page, panel)
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
