"""The beam's tree is the search's own record: every number on it adds up to what the model itself says."""

from itertools import pairwise

import numpy as np
import pytest

from model.decoding.search import length_penalty
from viz.figures.labels import readable
from viz.pages.decoding.figures import beam as figures
from viz.pages.decoding.figures import beam_beside as beside
from viz.pages.decoding.numbers.beam import ROOT, Ranked, Tree, looked_at, ranking
from viz.pages.decoding.numbers.beam_rows import arrange, near, neighbours, window
from viz.state import decodings
from viz.state.examples import EXAMPLES
from viz.state.searches import beam_examples
from viz.text import LANGUAGES, translate

SENTENCES = EXAMPLES["she"], EXAMPLES["noun"], EXAMPLES["long"]
SIZES = 1, 2, 4, 8


@pytest.fixture(scope="module", params=SENTENCES, ids=lambda text: text[:12])
def text(request) -> str:
    return request.param


@pytest.fixture(scope="module", params=SIZES)
def size(request) -> int:
    return request.param


@pytest.fixture(scope="module")
def found(translator, text, size):
    return translator.search(text, size=size)


@pytest.fixture(scope="module")
def tree(found) -> Tree:
    return Tree(found.nodes)


@pytest.fixture(scope="module")
def ranked(found, tree) -> list[Ranked]:
    return ranking(found, tree, 0.6)


def drawn(tree: Tree, ranked: list[Ranked], size: int, translator, language: str = "en") -> figures.Shown:
    say, best = translate(language), ranked[0].node
    chosen = looked_at(tree, best, None, None)
    pieces = translator.tokenizer.choices([node.id for node in tree.nodes])
    words = [readable(piece, say) for piece in pieces]
    return figures.Shown(tree, arrange(tree, best, chosen, size), words, ranked, chosen, say)


def test_the_best_leaf_is_what_the_translator_writes(translator, text, size, tree, ranked):
    written = translator.translate(text, beam=size)
    assert tree.ids(ranked[0].node) == written.ids
    assert ranked[0].text == written.text
    expected = sum(written.log_probs) / length_penalty(len(written.ids), 0.6)
    assert ranked[0].score == pytest.approx(expected, abs=1e-4)


def test_totals_add_up_and_are_what_the_model_says_of_the_path(translator, text, tree, ranked):
    for place, node in enumerate(tree.nodes):
        assert node.total == pytest.approx(sum(tree.nodes[each].log_prob for each in tree.path(place)))
    for each in ranked:
        says = translator.distributions(text, tree.ids(each.node))
        own = [says[step, id] for step, id in enumerate(tree.ids(each.node))]
        assert [tree.nodes[node].log_prob for node in tree.path(each.node)] == pytest.approx(own, abs=1e-4)


def test_as_many_live_as_the_beam_is_wide(size, tree):
    ended = 0
    for step in range(len(tree.steps)):
        stayed = tree.stayed(step)
        assert len(stayed) + ended == size
        ended += sum(tree.nodes[place].fate != "kept" for place in stayed)


def test_a_branch_that_was_cut_falls_short_of_the_worst_that_stayed(tree):
    for step in range(len(tree.steps)):
        worst = min(tree.nodes[place].total for place in tree.stayed(step))
        for place in tree.pruned(step):
            assert tree.cut(place) == (tree.nodes[place].total, worst, worst - tree.nodes[place].total)
            assert tree.cut(place).short >= 0
        assert all(tree.cut(place) is None for place in tree.stayed(step))
    misses = [cut.short for place in range(len(tree.nodes)) if (cut := tree.cut(place))]
    nearest = tree.nearest_miss()
    assert (nearest is None) == (not misses)
    assert nearest is None or tree.cut(nearest).short == min(misses)


@pytest.mark.parametrize("strength", [0.0, 0.6, 1.0, 3.0])
def test_another_penalty_ranks_as_a_search_with_it_would(translator, text, size, strength):
    again, kept = (
        translator.search(text, size=size, penalty=strength),
        decodings.beam_of(text, size, strength),
    )
    assert kept.nodes == again.nodes
    assert [each.ids for each in kept.hypotheses] == [each.ids for each in again.hypotheses]
    for each, other in zip(ranking(kept, Tree(kept.nodes), strength), again.hypotheses, strict=True):
        assert each.score == pytest.approx(other.score)
        assert each.total == pytest.approx(sum(other.log_probs))
        assert each.paper == pytest.approx(((5 + len(other.ids)) / 6) ** strength)
        assert each.plain == pytest.approx(len(other.ids) ** strength)
        assert each.plain_score == pytest.approx(sum(other.log_probs) / len(other.ids) ** strength)


def test_ranks_under_the_other_divisor_are_those_of_its_scores(ranked):
    scores = [each.plain_score for each in ranked]
    assert [each.plain_rank for each in ranked] == [sorted(scores, reverse=True).index(s) + 1 for s in scores]


def test_all_that_stayed_is_drawn_in_rows_that_no_branch_crosses(tree, ranked, size, translator):
    shown = drawn(tree, ranked, size, translator)
    placed = shown.placed
    for step, column in enumerate(placed.columns):
        assert set(tree.stayed(step)) <= set(column)
        assert len(column) + placed.hidden[step] == len(tree.steps[step])
        assert set(tree.pruned(step)[: near(size)]) <= set(column)
        rows = [placed.rows[place] for place in column]
        assert all(below - above > 1 - 1e-9 for above, below in pairwise(rows))
        assert rows[0] >= -1e-9 and rows[-1] <= placed.count - 1 + 1e-9
        parents = [placed.rows[tree.nodes[place].parent] for place in column]
        assert parents == sorted(parents)
    assert shown.chosen in placed.rows


def test_arrows_lead_to_the_parent_the_best_child_and_along_the_column(tree, ranked, size, translator):
    placed = drawn(tree, ranked, size, translator).placed
    for place in (each for column in placed.columns for each in column):
        found = neighbours(tree, placed, place)
        assert found.get("ArrowLeft", ROOT) == tree.nodes[place].parent
        children = [each for each, node in enumerate(tree.nodes) if node.parent == place]
        best = max(children, key=lambda each: tree.nodes[each].total, default=None)
        assert found.get("ArrowRight") == best
        if "ArrowDown" in found:
            assert neighbours(tree, placed, found["ArrowDown"])["ArrowUp"] == place
        assert all(each in placed.rows for way, each in found.items() if way != "ArrowRight")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_drawing_says_the_record_s_numbers(tree, ranked, size, translator, language):
    shown = drawn(tree, ranked, size, translator, language)
    made = figures.tree(shown)
    for sheet, columns in ((made, figures.COLUMNS), (made.narrow, figures.NARROW_COLUMNS)):
        named = {mark["name"]: mark for mark in sheet.marks if "name" in mark}
        steps = window(tree.nodes[shown.chosen].step, len(tree.steps), columns)
        for place in (each for step in steps for each in shown.placed.columns[step]):
            mark, node = named[f"node.{place}"], tree.nodes[place]
            assert f"{node.total:.4f}".replace("-", "−") in mark["tip"]
            assert f"{np.exp(node.log_prob):.4f}" in mark["tip"]
            assert (f"{tree.cut(place).short:.4f}" in mark["tip"]) if tree.cut(place) else True
            assert named[f"edge.{place}"]["thick"] == pytest.approx(
                0.75 + 5 * np.exp(node.log_prob), abs=0.01
            )
        assert sum(name.startswith("node.") for name in named) == sum(
            len(shown.placed.columns[step]) for step in steps
        )
        assert named[f"node.{shown.chosen}"]["on"] and ("window" in named) == (len(steps) < len(tree.steps))
        assert all(mark["x"] >= 0 and mark["x"] + mark["wide"] <= sheet.wide
                   for mark in sheet.marks if mark["shape"] == "rect")  # fmt: skip
    assert made.svg().startswith("<svg")


def test_a_cross_ends_the_line_of_each_branch_that_was_cut(tree, ranked, size, translator):
    """Before the word: behind it the next lines begin."""
    made = figures.tree(drawn(tree, ranked, size, translator))
    for sheet in (made, made.narrow):
        by_kin = {mark["kin"]: mark for mark in sheet.marks if "kin" in mark}
        named = {mark["name"]: mark for mark in sheet.marks if "name" in mark}
        for name in (name for name in named if name.startswith("node.")):
            place = int(name.partition(".")[2])
            sign, cut = by_kin.get(f"sign.{place}"), tree.nodes[place].fate == "pruned"
            assert (sign is not None and sign["text"] == "✕") == cut
            if cut:
                assert named[f"edge.{place}"]["points"][1][0] <= sign["x"] < named[name]["x"]


def test_the_ranking_shows_both_divisors(ranked):
    made = beside.ranking(ranked, ranked[0].node, translate("en"))
    named = {mark["name"]: mark for mark in made.marks if "name" in mark}
    for place, each in enumerate(ranked):
        for name in ("total", "paper", "score", "plain", "plain_score"):
            shown = float(named[f"{name}.{place}"]["text"].replace("−", "-"))
            assert shown == pytest.approx(getattr(each, name), abs=6e-4)
        assert named[f"plain_rank.{place}"]["text"] == f"{each.plain_rank}."


def test_what_is_chosen_is_drawn_however_far_it_missed(tree, ranked, size):
    for place in (0, len(tree.nodes) // 2, len(tree.nodes) - 1):
        assert place in arrange(tree, ranked[0].node, place, size).rows


def test_a_node_of_another_search_is_not_taken_for_one_of_this(tree, ranked):
    best = ranked[0].node
    last = tree.nodes[-1].step
    assert looked_at(tree, best, len(tree.nodes), None) == looked_at(tree, best, None, None)
    assert looked_at(tree, best, 0, 0) == 0
    for step in (0, last, last + 100):
        other = looked_at(tree, best, len(tree.nodes) - 1 if step < last else 0, step)
        assert tree.nodes[other].step <= min(step, last)


def test_it_opens_where_the_best_left_greedys_way_or_on_the_nearest_miss(tree, ranked):
    best = ranked[0].node
    ids = tree.ids(best)
    other = (*ids[:2], ids[2] + 1, *ids[3:])
    assert looked_at(tree, best, None, None, other) == tree.path(best)[2]
    assert looked_at(tree, best, None, None, ids) == looked_at(tree, best, None, None)
    assert looked_at(tree, best, None, None, ids) in (tree.nearest_miss(), best)


def test_the_sentences_offered_are_still_written_as_they_were_measured(translator):
    for each in beam_examples():
        for size in (each["size"], each["other"]):
            written = translator.translate(each["sentence"], beam=size)
            assert written.text == each["written"][str(size)]
            assert sum(written.log_probs) == pytest.approx(each["totals"][str(size)], abs=1e-4)
