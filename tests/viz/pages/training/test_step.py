"""One step on a pair: its numbers are the model's own, typing is safe, and the shared weights stay."""

import numpy as np
import pytest
import torch

from model import load
from model.inspect.variants import all_heads
from model.training.one_step.gradients import MATRICES, part_of, reached
from model.training.one_step.losses import losses, pull
from model.training.one_step.pair import Pair, predictions
from model.training.one_step.taken import take_steps
from tests.helpers.app import choose, open_app, write
from viz.pages.training.figures.step import after, gradients, loss
from viz.pages.training.numbers.step import (
    chosen_weight,
    content_over_looking,
    outcome,
    pulls,
    strongest,
)
from viz.state import learning, runs
from viz.text import LANGUAGES, translate

TEXT, TYPED = "My brother lost his watch.", "Mon frère a perdu son livre."
STAGES = ("loss", "gradients", "weight", "after")
say = translate("en")


@pytest.fixture(scope="module")
def translator():
    return load("en-fr")


@pytest.fixture(scope="module")
def pair(translator):
    return Pair(translator.read(TEXT).ids, translator.read(TYPED).ids)


@pytest.fixture(scope="module")
def found(translator, pair):
    return reached(translator.model, pair)


def drawn(drawing) -> dict[str, dict]:
    return {mark["name"]: mark for mark in drawing.marks if "name" in mark}


def step(stage: str, **link: str):
    return open_app("training", training="step", stage=stage, s=TEXT, **link)


def test_pulls_are_p_minus_q_and_sum_to_nothing(translator, pair):
    log_probs = predictions(translator.model, pair)
    for row, right in enumerate(pair.target):
        found, whole = pulls(log_probs[row], right), pull(log_probs[row], right)
        assert found.ids[0] == right and right not in found.ids[1:]
        np.testing.assert_allclose(found.values, whole[list(found.ids)])
        assert sum(found.values) + found.rest == pytest.approx(0, abs=1e-5)
        assert len(found.ids) + found.others == len(whole)


def test_every_row_says_what_it_costs_and_no_bar_ends_before_the_floor(translator, pair):
    costs = losses(predictions(translator.model, pair), pair.target)
    words = [str(id) for id in pair.target]
    sheet = loss.rows(costs, words, words, 2, say)
    for drawing in (sheet, sheet.narrow):
        marks = drawn(drawing)
        floor = marks["floor"]["points"][0][0]
        for row, cost in enumerate(costs.smoothed):
            bar = marks[f"loss.{row}"]
            assert bar["x"] + bar["wide"] >= floor - 0.2
            assert f"{cost:.4f}" in marks[f"row.{row}"]["tip"]
            assert marks[f"row.{row}"]["on"] == (row == 2)
        assert all(mark["x"] + mark["wide"] <= drawing.wide for mark in marks.values() if "wide" in mark)


def test_the_grid_has_a_stripe_for_every_matrix_of_every_head(translator, found):
    chosen = gradients.Chosen("cross", 2, 4, "v")
    marks = drawn(gradients.grid(found, chosen, say))
    best = strongest(found)
    for kind, layer, head in all_heads(translator.config):
        for place, name in enumerate(MATRICES):
            mark = marks[f"{kind}.{layer}.{head}.{name}"]
            value = found.relative(kind)[layer, head, place]
            assert float(mark["fill"].partition(":")[2]) == pytest.approx(
                (value / best.value) ** 0.5, abs=1e-3
            )
            assert mark["pick"] == [kind, layer, head, name]
            assert mark["on"] == ((kind, layer, head, name) == chosen)
    assert marks[".".join(map(str, (*best.head, best.matrix)))]["fill"] == "scale:1.000"


def test_what_is_passed_on_is_compared_with_where_one_looks(found):
    relative = np.concatenate([found.relative(kind).reshape(-1, 4) for kind in found.gradients])
    assert content_over_looking(found) == pytest.approx(
        relative[:, 2:].mean() / relative[:, :2].mean(), rel=1e-5
    )


def test_the_clicked_weight_is_looked_at_and_else_the_one_that_is_pulled_hardest(translator, pair):
    part = part_of(translator.model, pair, all_heads(translator.config)[0], "k").gradients
    assert chosen_weight(part, ((3, 7),)) == (3, 7)
    best = chosen_weight(part, ())
    assert abs(part[best]) == abs(part).max() and chosen_weight(part, ((32, 0),)) == best


@pytest.mark.parametrize(
    ("won", "lost", "word"), [(1.0, 0.0, "learned"), (1.0, 0.3, "heart"), (1.0, 1.5, "broke"),
                              (-0.1, -0.1, "broke"), (1.0, np.nan, "learned")],
)  # fmt: skip
def test_what_a_step_came_to_in_one_word(won, lost, word):
    assert outcome(np.array([3.0, 3.0 - won]), np.array([1.0, 1.0 + lost]), 1) == word


def test_changes_and_maps_are_those_of_the_steps(translator, pair):
    taken = take_steps(translator.model, pair, 1e-3, 1)
    words = [str(place) for place in range(len(pair.target))]
    bars = drawn(after.changes(taken.log_probs[0], taken.log_probs[1], words, say))
    for row, change in enumerate(taken.log_probs[1] - taken.log_probs[0]):
        assert float(bars[f"change.{row}"]["tip"].rpartition(": ")[2]) == pytest.approx(
            change, rel=1e-3, abs=6e-4
        )
    before, later = (taken.map_at(at, "cross", 3, 5) for at in (0, 1))
    source = [str(place) for place in range(len(pair.source))]
    sheet = after.maps(before, later, after.Sides(words, source), say)
    for drawing in (sheet, sheet.narrow):
        marks = drawn(drawing)
        assert {"map.before", "map.after", "map.difference"} <= set(marks)
        assert (
            marks["map.before"]["rows"] != marks["map.after"]["rows"]
            and marks["map.difference"]["difference"]
        )
        assert all(
            mark["x"] + mark["wide"] <= drawing.wide + 0.1 for mark in marks.values() if "wide" in mark
        )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_opens_and_has_something_to_take_home(stage, language):
    app = step(stage, lang=language)
    assert not app.warning and not app.info
    assert app.button(key="export")


def test_a_visit_leaves_every_bit_of_the_shared_weights(pair):
    model = runs.translator().model
    before = {name: weight.detach().clone() for name, weight in model.named_parameters()}
    app = step("gradients", answer=TYPED)
    choose(app, stage="weight", projection="o", rate=4000)
    choose(app, stage="after")
    app.button(key="take_many").click().run()
    app.button(key="undo_steps").click().run()
    assert not app.exception and app.session_state["taken"] == 0
    for name, weight in model.named_parameters():
        assert torch.equal(weight, before[name]) and weight.grad is None, name


def test_what_is_told_after_the_step_is_what_the_model_measures(pair):
    app = step("after", answer=TYPED, taken="1")
    taken = take_steps(runs.translator().model, pair, learning.rate_at(40), 1, learning.others_of(pair))
    told = next(each.value for each in app.text if "→" in each.value)
    for losses_of in (taken.losses, taken.others):
        assert f"{losses_of[0]:.4f} → {losses_of[1]:.4f}" in told


@pytest.mark.parametrize("refused", ["내 동생은 시계를 잃어버렸다", "\u200b", "zxq " * 49])
def test_what_cannot_be_learned_stays_in_its_box_and_the_picture_stays(refused):
    app = step("loss", answer=TYPED)
    before = [each.value for each in app.text]
    app.text_input(key="answer").set_value(refused).run()
    assert not app.exception and len(app.warning) == 1
    assert app.session_state["answer"] == refused
    assert [each.value for each in app.text] == before


def test_an_answer_is_left_behind_with_its_sentence():
    app = step("loss", answer=TYPED)
    write(app, "The dog sees the cat.")
    assert app.session_state["answer"] == ""


def test_a_pair_that_is_too_long_is_refused_in_one_sentence():
    app = open_app("training", training="step", s=" ".join([TEXT] * 12))
    assert len(app.info) == 1 and str(learning.LONGEST) in app.info[0].value
