"""What a layer costs: the paper's table, where curves cross, what may run at once, and what is said of it."""

import re

import numpy as np
import pytest

from model import load
from model.inspect.costs.scores import Compared
from model.inspect.costs.timed import Timed
from tests.helpers.app import open_app, write
from viz.pages.why.figures.cost.scores import scores
from viz.pages.why.figures.cost.steps import KINDS, plans
from viz.pages.why.figures.cost.table import table
from viz.pages.why.figures.cost.times import times
from viz.pages.why.formulas.cost import filled
from viz.pages.why.numbers.cost import ROWS, Sizes, computed_at, cost, crossing, steps_of
from viz.state import costs
from viz.text import LANGUAGES, translate

TEXT = "The old man reads a book because he is tired."
LONG = "The cat sees the dog and " * 40
SIZES = Sizes(words=14, width=256, kernel=3, near=4)
say = translate("en")


@pytest.fixture(autouse=True, scope="module")
def quick():
    """Times are other tests' business: here they need not be long in the making."""
    patch = pytest.MonkeyPatch()
    patch.setattr("viz.state.costs.SIZES", (8, 16))
    patch.setattr("model.inspect.costs.timed.BUDGET", -1)
    yield
    patch.undo()
    costs.measure_again()


def timed(seconds: float) -> Timed:
    return Timed(seconds, 0.9 * seconds, 1.2 * seconds, 5)


def test_the_table_is_that_of_the_paper():
    n, d, k, r = 14, 256, 3, 4
    assert cost("attention", SIZES) == (n * n * d, 1, 1)
    assert cost("recurrent", SIZES) == (n * d * d, n, n)
    assert cost("convolutional", SIZES) == (k * n * d * d, 1, 5)
    assert cost("dilated", SIZES) == (k * n * d * d, 1, 3)
    assert cost("restricted", SIZES) == (r * n * d, 1, 4)
    assert cost("separable", SIZES) == (k * n * d + n * d * d, 1, 5)
    assert all(cost("dilated", Sizes(3**power, d, 3, r)).path == power for power in range(1, 8))


@pytest.mark.parametrize("row", ROWS)
def test_formulas_come_out_as_the_table_says(row):
    words = ("a", "b", "c")
    written = filled(row, SIZES, words).replace("{,}", "")
    for value in cost(row, SIZES):
        assert re.search(rf"[=&]{value}(\D|$)", written)
    products = re.search(r"=([\d^+\\cdot ]+)=(\d+)", written)
    put = products[1].replace(r"\cdot", "*").replace("^", "**").replace(" ", "")
    assert eval(put) == int(products[2])


def test_a_crossing_is_found_where_two_curves_meet():
    sizes = [8, 64, 512, 4096]
    square, line = [n * n / 100 for n in sizes], [float(n) for n in sizes]
    assert crossing(sizes, square, line) == pytest.approx(100)
    assert crossing(sizes, line, line) is None and crossing(sizes, line, square) is None
    wobbling = [2.0, 1.0, 1.0, 100.0]  # slower at first, too: only the last crossing is one for good
    assert 512 < crossing(sizes, wobbling, [1.5, 1.5, 1.5, 1.5]) < 4096


@pytest.mark.parametrize("kind", KINDS)
def test_a_plan_keeps_every_cell_waiting_for_what_it_needs_and_no_longer(kind):
    at = computed_at(kind, 7, 3)
    for layer in range(3):
        for word in range(7):
            needed = [at[layer - 1, word]] if layer else []
            if kind == "recurrent":
                needed += [at[layer, word - 1]] if word else []
            elif layer:  # attention needs all words of the layer below, a convolution some of them
                needed += list(at[layer - 1])
            assert at[layer, word] == max(needed, default=-1) + 1
    assert steps_of(kind, 7, 3) == at.max() + 1 == (9 if kind == "recurrent" else 3)


@pytest.mark.parametrize("until", [None, 1, 5])
def test_cells_are_drawn_as_far_as_their_steps_are_over(until):
    words = list("abcdef")
    for sheet in ((drawn := plans(words, 3, until, 0, say)), drawn.narrow):
        names = {mark["name"] for mark in sheet.marks if mark.get("grow")}
        assert names == {
            f"{kind}.{layer}.{word}"
            for kind in KINDS
            for (layer, word), step in np.ndenumerate(computed_at(kind, 6, 3))
            if until is None or step < until
        }


def test_cells_of_one_step_begin_to_fill_together_and_of_different_plans_too():
    for sheet in ((drawn := plans(list("abcdef"), 3, None, 0, say)), drawn.narrow):
        grown = [mark for mark in sheet.marks if mark.get("grow")]
        starts = {kind: min(mark["x"] for mark in grown if mark["grow"] == kind) for kind in KINDS}
        for kind in KINDS:
            at = computed_at(kind, 6, 3)
            (wide,) = {mark["wide"] + 2 for mark in grown}
            for mark in (mark for mark in grown if mark["grow"] == kind):
                _, layer, word = mark["name"].split(".")
                after = mark["x"] - starts[kind]
                assert after == pytest.approx(at[int(layer), int(word)] * wide, abs=0.3)


@pytest.mark.parametrize("count", [1, 14, 64, 300])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_plan_of_any_sentence_stays_on_its_sheet_and_may_move(language, count):
    drawn = plans(["mot"] * count, 6, None, 0, translate(language))
    assert len(drawn.marks) <= 400  # more do not move
    for sheet in (drawn, drawn.narrow):
        for mark in (mark for mark in sheet.marks if mark["shape"] == "rect"):
            assert mark["x"] >= -1 and mark["x"] + mark["wide"] <= sheet.wide + 1
            assert mark["y"] + mark["high"] <= sheet.high + 1


def test_bars_of_the_table_are_to_scale():
    for sheet in ((drawn := table(SIZES, "dilated", say)), drawn.narrow):
        bars = {mark["kin"]: mark["wide"] for mark in sheet.marks if "kin" in mark}
        for column, name in enumerate(("products", "steps", "path")):
            longest = bars[f"{name}.{max(ROWS, key=lambda row: cost(row, SIZES)[column])}"]
            most = max(cost(row, SIZES)[column] for row in ROWS)
            for row in ROWS:
                share = cost(row, SIZES)[column] / most
                assert bars[f"{name}.{row}"] == pytest.approx(max(1.0, longest * share), abs=0.15)
        assert [mark["pick"] for mark in sheet.marks if mark.get("on")] == ["dilated"]


def test_charts_say_the_times_and_mark_both_crossings():
    names = ("attention", "recurrent", "convolutional", "apart")
    measured = {n: {name: timed(1e-6 * n * (n / 100 if name == "attention" else 1)) for name in names}
                for n in (8, 14, 64, 512)}  # fmt: skip
    found = {"counted": {"recurrent": 256, "convolutional": 256},
             "measured": {"recurrent": 100.0, "convolutional": None}}  # fmt: skip
    for sheet in ((drawn := times(measured, SIZES, found, say)), drawn.narrow):
        tips = {mark["name"]: mark["tip"] for mark in sheet.marks if "tip" in mark}
        assert tips["measured.recurrent.512"].endswith("512: 0.512 ms")
        assert tips["counted.recurrent.64"].endswith(f"{6 * 64 * 256**2 / 1e7:.1f} × 10⁷ multiplications")
        assert {name for name in tips if name.startswith("cross.")} == {
            "cross.counted.recurrent", "cross.measured.recurrent",
        }  # fmt: skip
        assert all(0 <= mark["x"] <= sheet.wide for mark in sheet.marks if mark["shape"] == "circle")


def test_squares_are_as_large_as_the_bytes_they_stand_for():
    each = Compared(timed(4e-5), timed(1e-5), between=14 * 14 * 256 * 4, scores=14 * 14 * 8 * 4)
    for sheet in ((drawn := scores(each, 14, 256, {8: each, 14: each}, say)), drawn.narrow):
        sides = {mark["name"]: mark["wide"] for mark in sheet.marks if mark["shape"] == "rect"}
        assert (sides["square.additive"] / sides["square.dot"]) ** 2 == pytest.approx(32, rel=0.02)


@pytest.mark.parametrize("view", ["table", "times", "steps", "scores"])
def test_every_view_opens_for_any_sentence(view):
    app = open_app("why", why="cost", cost_view=view, s=TEXT, lang="ko")
    for text in ("Yes", LONG):
        write(app, text)
        said = " ".join(each.value for each in app.text)
        assert f"{len(load('en-fr').read(text).ids):,}" in said
        assert app.get("bidi_component")


def test_who_is_cheaper_depends_on_the_length():
    app = open_app("why", why="cost", s=TEXT)
    for words, expected in ((0, "fewer"), (256, "even"), (1024, "more")):
        app.select_slider(key="cost_words").set_value(words).run()
        said = app.text[0].value
        own = words or len(load("en-fr").read(TEXT).ids)
        ours, theirs = (cost(row, Sizes(own, 256, 3, 4)).products for row in ("attention", "recurrent"))
        begins = say(f"why.cost.table.{expected}", words=f"{own:,}", width=256, ours=f"{ours:,}",
                     theirs=f"{theirs:,}", times="…")  # fmt: skip
        assert said.startswith(begins[: begins.find("…")] if "…" in begins else begins)


def test_what_is_measured_is_kept_for_everybody_until_somebody_asks_again(monkeypatch):
    calls, measure = [], costs.time_layers
    monkeypatch.setattr(costs, "time_layers", lambda *given: calls.append(given[1:]) or measure(*given))
    costs.measure_again()
    app = open_app("why", why="cost", cost_view="times", s=TEXT)
    own = len(load("en-fr").read(TEXT).ids)
    assert sorted(calls) == sorted((n, 3) for n in {8, 16, own})
    open_app("why", why="cost", cost_view="times", s=TEXT)
    assert len(calls) == 3
    app.button(key="cost_again").click().run()
    assert len(calls) == 6 and not app.exception
