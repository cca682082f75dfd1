"""The beam in a browser: its tree says the numbers of the translator's own search, and keys walk in it."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.helpers.browser import (
    PHONE,
    choose,
    expect_in_link,
    expect_no_scrolling_sideways,
    open_export,
    save,
    settle,
    until,
)
from tests.helpers.drawn import named
from viz.pages.decoding.figures.beam import COLUMNS, NARROW_COLUMNS
from viz.pages.decoding.numbers.beam import Tree

TEXT = "The boy didn't buy the shirt because it was too small."
NUMBER = re.compile(r"-?\d+\.\d+")


def numbers_in(words: str) -> list[float]:
    return [float(number) for number in NUMBER.findall(words.replace("−", "-"))]


@pytest.fixture(scope="module")
def tree(translator) -> Tree:
    return Tree(translator.search(TEXT, size=4).nodes)


def open_beam(open_page, **link) -> Page:
    return open_page("decoding", decoding="beam", until=".st-key-picture_beam_ranking .drawing[data-painted]",
                     **({"s": TEXT} | link))  # fmt: skip


def chosen(page: Page) -> int:
    """The node that is framed in the tree."""
    marks = named(page, "picture_beam_tree").items()
    (name,) = (name for name, mark in marks if name.startswith("node.") and mark["on"])
    return int(name.removeprefix("node."))


def expect_chosen(page: Page, place: int) -> None:
    def framed() -> None:
        assert chosen(page) == place

    until(page, framed)


def focused(page: Page) -> str:
    """The mark that has the focus; the view is in a shadow of the page."""
    return page.evaluate(
        "[document, ...Array.from(document.querySelectorAll('.st-key-panel *'), e => e.shadowRoot)]"
        ".map(root => root?.activeElement?.dataset?.name).find(Boolean)"
    )


def test_every_node_says_the_numbers_of_the_search(open_page, tree):
    page = open_beam(open_page)
    marks, seen = named(page, "picture_beam_tree"), 0
    for name, mark in marks.items():
        if not name.startswith("node."):
            continue
        place = int(name.removeprefix("node."))
        node, cut = tree.nodes[place], tree.cut(place)
        expected = [np.exp(node.log_prob), node.log_prob, node.total, *(cut[1:] if cut else ())]
        assert numbers_in(mark["tip"]) == pytest.approx(expected, abs=1e-4)
        seen += 1
    assert seen >= 4 * COLUMNS
    expect_no_scrolling_sideways(page)


def test_the_ranking_divides_the_totals_by_both_divisors(open_page, translator):
    page = open_beam(open_page, beam=8, penalty=120)
    found = translator.search(TEXT, size=8, penalty=1.2)
    rows = named(page, "picture_beam_ranking")
    scores = [sum(each.log_probs) / len(each.ids) ** 1.2 for each in found.hypotheses]
    for place, each in enumerate(found.hypotheses):
        total, length = sum(each.log_probs), len(each.ids)
        divisor = ((5 + length) / 6) ** 1.2
        expected = {"total": total, "length": length, "paper": divisor, "score": each.score,
                    "plain": length**1.2, "plain_score": scores[place]}  # fmt: skip
        shown = {name: float(rows[f"{name}.{place}"]["text"].replace("−", "-")) for name in expected}
        assert shown == pytest.approx(expected, abs=6e-4)
        assert rows[f"plain_rank.{place}"]["text"] == f"{1 + sum(other > scores[place] for other in scores)}."


def test_a_click_chooses_a_node_and_the_link_keeps_it(open_page, tree, translator):
    page = open_beam(open_page)
    place = tree.pruned(4)[0]
    page.locator(f'.st-key-picture_beam_tree [data-name="node.{place}"]').click()
    expect_chosen(page, place)
    settle(page)
    expect_in_link(page, f"node={place}", "at=4")
    expect(page.locator(".st-key-panel")).to_contain_text(f"{tree.cut(place).short:.3f}")
    weights = translator.trace(TEXT, tree.ids(place)).attention["cross"]
    head = page.url.partition("layer=")[2][0], re.search(r"head=(\d+)", page.url)[1]
    expected = weights[int(head[0]), int(head[1]), 4]

    def looks() -> None:
        marks = named(page, "picture_beam_attention").items()
        shown = [numbers_in(mark["tip"])[-1] for name, mark in marks if name.startswith("looks.")]
        np.testing.assert_allclose(shown, expected, atol=1e-4)

    until(page, looks)


def test_arrows_walk_in_the_tree_and_enter_chooses(open_page, tree):
    place = tree.path(len(tree.nodes) - 1)[4]
    page = open_beam(open_page, node=place)
    page.locator(f'.st-key-picture_beam_tree [data-name="node.{place}"]').focus()
    page.keyboard.press("ArrowLeft")
    parent = tree.nodes[place].parent
    assert focused(page) == f"node.{parent}"
    page.keyboard.press("ArrowRight")
    assert focused(page) == f"node.{tree.children[parent][0]}"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect_chosen(page, parent)
    settle(page)
    expect_in_link(page, f"node={parent}", f"at={tree.nodes[parent].step}")  # no arrow has stepped the page


def test_arrows_lead_beyond_the_steps_that_are_drawn(open_page, tree):
    place = tree.path(tree.stayed(COLUMNS)[0])[0]
    page = open_beam(open_page, node=place)
    page.locator(f'.st-key-picture_beam_tree [data-name="node.{place}"]').focus()
    for step in range(1, COLUMNS + 1):
        page.keyboard.press("ArrowRight")
        place = tree.children[place][0]
        until(page, lambda name=f"node.{place}": _expect(focused(page) == name))
        if step == COLUMNS:
            expect_chosen(page, place)
    assert "window" in named(page, "picture_beam_tree")


def _expect(true: bool) -> None:
    assert true


def test_another_beam_is_another_tree_and_both_go_home_as_numbers(open_page, translator, tmp_path):
    page = open_beam(open_page)
    choose(page, "beam", "2")
    found = translator.search(TEXT, size=2)

    def narrower() -> None:
        assert "score.1" in (rows := named(page, "picture_beam_ranking")) and "score.2" not in rows

    until(page, narrower)
    dialog = open_export(page)
    lines = save(dialog, "CSV", tmp_path).read_text("utf-8-sig").splitlines()
    first = next(number for number, each in enumerate(lines) if each.startswith("parent,step,id"))
    rows = [each.split(",") for each in lines[first + 1 : first + 1 + len(found.nodes)]]
    for row, node in zip(rows, found.nodes, strict=True):
        assert [int(each) for each in row[:3]] == [node.parent, node.step, node.id]
        assert [float(each) for each in row[3:5]] == pytest.approx([node.log_prob, node.total], abs=1e-4)
        assert row[5] == node.fate


def test_a_telephone_gets_fewer_steps_and_nothing_scrolls_sideways(open_page, translator):
    page = open_beam(open_page, screen=PHONE, beam=8, lang="ko")
    nodes = translator.search(TEXT, size=8).nodes
    names = (name.partition("node.")[2] for name in named(page, "picture_beam_tree"))
    assert len({nodes[int(name)].step for name in names if name}) == NARROW_COLUMNS
    expect_no_scrolling_sideways(page)
