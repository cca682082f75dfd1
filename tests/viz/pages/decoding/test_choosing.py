"""Choosing: what is drawn from is the engine's own distribution, and the tree holds every draw once."""

from collections import Counter

import numpy as np
import pytest
import torch

from model.decoding.search import Hypothesis, Sampling, chances
from tests.helpers.app import open_app
from viz.pages.decoding.figures import choosing as figures
from viz.pages.decoding.figures import draws as trees
from viz.pages.decoding.formulas.choosing import Filled, softmax
from viz.pages.decoding.numbers.choosing import Chances, Choice, choice
from viz.pages.decoding.numbers.draws import Branch, Leaf, leaves, parting, tally, tree
from viz.state.decodings import chances_of
from viz.text import LANGUAGES, translate

TEXT = "The old man reads a book."
COUNT = 100
say = translate("en")
SETTINGS = [
    Sampling(), Sampling(0.5), Sampling(2.0), Sampling(top_k=3), Sampling(top_p=0.6),
    Sampling(0.7, 20, 0.8), Sampling(0.01), Sampling(1e-6, 5),
]  # fmt: skip


@pytest.fixture(scope="module")
def rows(translator) -> tuple[tuple[int, ...], np.ndarray]:
    ids = translator.translate(TEXT).ids
    return ids, translator.distributions(TEXT, ids)


@pytest.fixture(scope="module")
def drawn(translator) -> list[Hypothesis]:
    return translator.draw(TEXT, Sampling(1.2, seed=7), COUNT)


def made(log_probs: np.ndarray, sampling: Sampling, written: int, count: int = 15) -> Choice:
    ways = Sampling(sampling.temperature), Sampling(sampling.temperature, sampling.top_k), sampling
    return choice(log_probs, Chances(*(chances_of(log_probs, way) for way in ways)), written, count)


@pytest.mark.parametrize("sampling", SETTINGS, ids=str)
def test_rows_before_and_after_sum_to_one_and_are_the_engines(rows, sampling):
    for id, row in zip(*rows, strict=True):
        found = made(row, sampling, id)
        assert sum(found.before) + found.rest[0] == pytest.approx(1, abs=1e-9)
        assert sum(found.after) + found.rest[1] == pytest.approx(1, abs=1e-9)
        engine = chances(torch.tensor(row), sampling).numpy()
        np.testing.assert_array_equal(found.after, engine[list(found.ids)])
        np.testing.assert_allclose(found.before, np.exp(row[list(found.ids)]), rtol=1e-6)
        assert found.ids[found.written] == id
        assert found.others + len(found.ids) == len(row)


def test_without_settings_nothing_changes(rows):
    for id, row in zip(*rows, strict=True):
        found = made(row, Sampling(), id)
        np.testing.assert_allclose(found.after, found.before, atol=1e-4)  # but for what is never written
        assert not any(found.cut) and found.kept == np.isfinite(row).sum()
        assert found.spread[1].worth == pytest.approx(found.spread[0].worth, rel=1e-2)


def test_next_to_temperature_zero_the_likeliest_has_all(rows):
    for id, row in zip(*rows, strict=True):
        found = made(row, Sampling(1e-6), id)
        assert found.after[0] == 1 and found.spread[1] == (1.0, 1)
        assert not any(found.cut)  # too small to be drawn, but nobody cut them


def test_what_is_cut_has_nothing_left_and_stays_in_the_drawing(rows):
    ids, log_probs = rows
    for sampling, reason in ((Sampling(top_k=4), "top_k"), (Sampling(2.0, top_p=0.2), "top_p")):
        for id, row in zip(ids, log_probs, strict=True):
            found = made(row, sampling, id)
            cut = [place for place, why in enumerate(found.cut) if why]
            assert cut == [place for place, after in enumerate(found.after) if not after]
            assert {found.cut[place] for place in cut} <= {reason}
            assert found.kept == np.count_nonzero(chances_of(row, sampling))
            sheet = figures.bars(found, [str(id) for id in found.ids], say)
            for drawing in (sheet, sheet.narrow):
                names = {mark.get("name") for mark in drawing.marks}
                for place, id in enumerate(found.ids):
                    assert f"row.{id}" in names and f"before.{id}" in names
                    assert (f"after.{id}" in names) == (place not in cut)
    assert made(log_probs[0], Sampling(top_k=4), ids[0]).kept == 4


def test_the_reason_is_the_first_that_cuts():
    found = made(np.log(np.array([0.5, 0.3, 0.15, 0.05])), Sampling(top_k=3, top_p=0.6), 0)
    assert found.cut == ("", "", "top_p", "top_k")
    assert found.after == pytest.approx((0.625, 0.375, 0, 0))


def test_a_written_token_is_among_the_rows_however_unlikely(rows):
    _, log_probs = rows
    unlikely = int(log_probs[0].argsort()[100])
    found = made(log_probs[0], Sampling(), unlikely, 8)
    assert found.ids[found.written] == unlikely and found.written == 7 and len(found.ids) == 8


def test_the_formula_holds_the_numbers_of_its_token():
    written = softmax(Filled(np.log(0.5), 0.5, 0.25 / 0.38, 3))
    assert "0.250" in written and "0.380" in written and "0.658" in written and "|K|=3" in written
    assert "e^{-0.693/0.5}" in written
    assert "nan" not in softmax(Filled(-3.0, 1e-6, 1.0, 7998)) and "=1" in softmax(Filled(-3.0, 1e-6, 1.0, 9))


def test_draws_repeat_and_each_has_its_seed(translator, drawn):
    again = translator.draw(TEXT, Sampling(1.2, seed=7), COUNT)
    assert [each.ids for each in again] == [each.ids for each in drawn]
    for number in (0, 42, 99):
        assert translator.translate(TEXT, sampling=Sampling(1.2, seed=7 + number)).ids == drawn[number].ids
    parts = [
        each
        for part in range(0, COUNT, 25)
        for each in translator.draw(TEXT, Sampling(1.2, seed=7 + part), 25)
    ]
    assert [each.ids for each in parts] == [each.ids for each in drawn]


def test_the_likeliest_alone_is_greedy(translator):
    greedy = translator.translate(TEXT)
    found = leaves(translator.draw(TEXT, Sampling(top_k=1), 20))
    assert [(leaf.ids, leaf.count) for leaf in found] == [(greedy.ids, 20)]
    assert tally(found, greedy.text) == (20, 1, 20, greedy.text, 20)
    assert found[0].log_prob == pytest.approx(greedy.score, abs=1e-4)
    assert tree(found).ends and tree(found).count == 20


def every(branch: Branch) -> list[Branch]:
    return [branch, *(further for child in branch.children for further in every(child))]


def held(branch: Branch) -> Counter[tuple[int, ...]]:
    """All draws in it."""
    found = Counter({leaf.ids: leaf.count for leaf in branch.folded})
    if branch.ends:
        found[branch.ids] += branch.count
    for child in branch.children:
        found += held(child)
    return found


def invented(*texts: str) -> list[Leaf]:
    """A translation a text, each letter a token."""
    counts = Counter(texts)
    return [
        Leaf((*map(ord, text), 2), text, (*text, "</s>"), -1.0 * len(text), count)
        for text, count in counts.most_common()
    ]


@pytest.mark.parametrize("temperature", [0.3, 0.8, 1.0, 1.5, 3.0])
def test_every_branching_adds_up_and_the_tree_holds_every_draw_once(translator, temperature):
    found = leaves(translator.draw(TEXT, Sampling(temperature), COUNT))
    root = tree(found)
    assert root.count == COUNT and root.rows <= 25 and root.levels <= 7
    assert held(root) == Counter({leaf.ids: leaf.count for leaf in found})
    for branch in every(root):
        rest = sum(child.count for child in branch.children) + sum(leaf.count for leaf in branch.folded)
        assert branch.ends or rest == branch.count
        assert all(child.ids[: branch.end] == branch.ids for child in branch.children)
        assert [child.count for child in branch.children] == sorted(
            (child.count for child in branch.children), reverse=True
        )


def test_what_begins_alike_is_one_branch_until_it_parts():
    root = tree(invented(*["abcx"] * 5, *["abcy"] * 3, "abz"))
    assert (root.start, root.end, root.count) == (0, 2, 9)
    assert [("".join(child.pieces), child.count) for child in root.children] == [("c", 8), ("z</s>", 1)]
    assert [child.count for child in root.children[0].children] == [5, 3]


def test_those_that_leave_on_the_way_are_folded_where_it_ends():
    root = tree(invented(*["abc"] * 9, "ax", "aby", "abz"), rows=2)
    assert "".join(root.pieces) == "abc" and root.count == 12
    assert [(child.ends, child.count) for child in root.children] == [(True, 9)]
    assert {leaf.text for leaf in root.folded} == {"ax", "aby", "abz"}


def test_where_all_differ_some_are_shown():
    root = tree(invented(*(chr(letter) * 3 for letter in range(97, 197))))
    assert len(root.children) == 11 and len(root.folded) == 89 and all(child.ends for child in root.children)


def test_two_translations_part_at_the_first_difference():
    assert (
        parting((4, 5, 2), (4, 6, 2)) == 1 and parting((4, 2), (4, 5, 2)) == 1 and parting((4,), (4,)) is None
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_tree_says_its_counts_and_stays_on_its_sheet(translator, drawn, language):
    found, greedy = leaves(drawn), translator.translate(TEXT)
    root = tree(found)
    sheet = trees.tree(root, greedy.ids, [leaf.ids for leaf in found], translate(language))
    for drawing in (sheet, sheet.narrow):
        counts = [int(mark["text"]) for mark in drawing.marks if mark.get("name", "").startswith("count.")]
        expected = [branch.count for branch in every(root) if branch.children or branch.ends]
        folded = [sum(leaf.count for leaf in branch.folded) for branch in every(root) if branch.folded]
        assert sorted(counts) == sorted(expected + folded)
        boxes = [mark for mark in drawing.marks if mark["shape"] == "rect"]
        assert max(box["x"] + box["wide"] for box in boxes) <= drawing.wide + 2
        picked = [found[box["pick"]] for box in boxes if "pick" in box]
        assert sorted(leaf.ids for leaf in picked) == sorted(each.ids for each in every(root) if each.ends)
        assert all(
            leaf.text in box["tip"]
            for leaf, box in zip(picked, (b for b in boxes if "pick" in b), strict=True)
        )


@pytest.mark.parametrize(
    "link",
    [{}, {"temperature": "0", "top_p": "0"}, {"temperature": "37", "top_k": "7", "top_p": "33"},
     {"top_k": "999999"}, {"at": "999", "temperature": "400"}],
    ids=str,
)  # fmt: skip
def test_any_link_opens_with_its_settings(link):
    app = open_app("decoding", decoding="choosing", lang="en", s=TEXT, **link)
    for name in ("temperature", "top_k", "top_p"):
        if name in link:
            assert app.session_state[name] == int(link[name])
    assert "tokens' worth of choice" in app.text[0].value
    assert (len(app.button(key="draw").label) > 0) and app.session_state["drawn"] is None


def test_a_seed_is_in_the_link_and_counts_up(translator):
    app = open_app("decoding", decoding="choosing", lang="en", s=TEXT, temperature="120")
    app.button(key="draw").click().run()
    assert not app.exception and app.session_state["drawn"] == 0
    app.button(key="draw").click().run()
    assert not app.exception and app.session_state["drawn"] == 1
    found = leaves(translator.draw(TEXT, Sampling(1.2, seed=100), COUNT))
    common = tally(found, translator.translate(TEXT).text)
    assert f"{common.drawn} draws gave {common.different} different" in app.text[1].value
    assert "Seeds 100–199" in app.text[1].value
    app.button(key="usual_choice").click().run()
    assert app.session_state["temperature"] == 100 and not app.exception
