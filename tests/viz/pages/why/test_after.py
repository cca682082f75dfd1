"""Then and after: what papers said is repeated as they said it, and what is drawn follows from that."""

import math
from functools import partial
from itertools import combinations, pairwise

import pytest

from tests.helpers.app import open_app
from viz.figures.svg import width
from viz.pages import load
from viz.pages.why import Why
from viz.pages.why.figures.after import before as bars
from viz.pages.why.figures.after import heirs as figures
from viz.pages.why.figures.after.results import chart
from viz.pages.why.formulas.after import cost
from viz.pages.why.numbers.after import before, results
from viz.pages.why.numbers.after.heirs import HEIRS, PARTS, share
from viz.pages.why.panels.after.since import WAYS
from viz.state.selection import Selection
from viz.text import LANGUAGES, translate, verbatim

open_after = partial(open_app, "why", why="after")
INTO = Why.options("into")


def named(sheet) -> dict[str, dict]:
    return {mark["name"]: mark for mark in sheet.marks if "name" in mark}


def texts(app) -> str:
    return " ".join(each.value for each in app.text)


@pytest.mark.parametrize("size", results.TRAININGS)
@pytest.mark.parametrize("into", INTO)
def test_hours_devices_and_speed_multiply_to_the_cost_in_the_paper_s_table(size, into):
    (listed,) = (each for each in results.TABLE[into] if each.name == f"Transformer ({size})")
    assert float(f"{results.TRAININGS[size].cost:.1e}") == listed.cost
    mantissa, _, power = f"{listed.cost:.1e}".partition("e")
    assert rf"={mantissa}\cdot10^{{{int(power)}}}" in cost({size: size})


@pytest.mark.parametrize("into", INTO)
def test_the_models_compared_are_the_best_of_their_kind(into):
    found, table = results.compared(into), results.TABLE[into]
    assert found.big.bleu == max(each.bleu for each in table)
    assert (found.big.name, found.base.name) == ("Transformer (big)", "Transformer (base)")
    for kind in ("single", "ensemble"):
        assert getattr(found, kind).bleu == max(each.bleu for each in table if each.kind == kind)
    assert found.cheaper == found.ensemble.cost / found.big.cost > 1


def test_where_the_small_transformer_loses_the_panel_says_so():
    won, lost = (results.compared(into) for into in ("de", "fr"))
    assert won.beaten == won.before == 6 and lost.beaten == 0 and lost.before == 7
    app = open_after(into="fr")
    assert "here it loses: with 38.1 it beats 0 of the 7" in texts(app)
    assert "Even the base model (27.3) beats all 6" in texts(open_after(into="de"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("into", INTO)
def test_a_better_model_stands_higher_a_dearer_one_further_right_and_no_label_covers_another(into, language):
    made, table = chart(results.TABLE[into], translate(language)), results.TABLE[into]
    for sheet in (made, made.narrow):
        marks = named(sheet)
        points = [marks[f"{each.name}.{each.kind}"] for each in table]
        for (one, this), (other, that) in combinations(zip(table, points, strict=True), 2):
            assert (one.bleu > other.bleu) == (this["y"] < that["y"])
            costs = [each.cost or 0.0 for each in (one, other)]
            assert (costs[0] > costs[1]) == (this["x"] > that["x"])
        boxes = [_box(mark) for mark in sheet.marks if mark.get("kin", "").endswith(" label")]
        assert len(boxes) == len(table)
        for one, other in combinations(boxes, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert all(left >= 0 and right <= sheet.wide and high <= sheet.high for left, _, right, high in boxes)


def _box(mark: dict) -> tuple[float, float, float, float]:
    long = width(mark["text"], mark["size"], None)
    left = mark["x"] - {"start": 0, "middle": long / 2, "end": long}[mark["anchor"]]
    return left, mark["y"] - mark["size"], left + long, mark["y"]


def test_gains_of_attention_are_differences_of_the_table_s_own_figures():
    assert before.gain(30) == pytest.approx(21.50 - 13.93)
    assert before.gain(50) == pytest.approx(26.75 - 17.82)  # not of the one that was trained for longer
    assert before.best("all", "phrases").all > before.best("all", "attention").all
    assert before.best("known", "phrases").known < before.best("known", "attention").known
    assert "7.57" in texts(app := open_after(age="attention")) and "8.93" in texts(app)


def test_bars_are_as_long_as_the_scores_say():
    for sheet in (made := bars.scores(translate("en")), made.narrow):
        marks = named(sheet)
        for column in bars.COLUMNS:
            ratios = [marks[f"{column}.{each.name}"]["wide"] / getattr(each, column) for each in before.TABLE]
            assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=0.01)


@pytest.mark.parametrize("name", HEIRS)
def test_an_heir_is_lit_where_it_keeps_a_part_and_nowhere_else(name):
    heir, say = HEIRS[name], translate("en")
    made = figures.heirs(name, say)
    for sheet in (made, made.narrow):
        marks = named(sheet)
        assert [each for each in HEIRS if marks[each]["on"]] == [name]
        for part in PARTS:
            assert marks[f"{name}.{part}"]["fill"] == figures.FILLS[heir.state(part)]
            if f"{name}.{part}.seen" in marks:
                rows = marks[f"{name}.{part}.seen"]["rows"]
                assert any(".." in row for row in rows) == (part == "decoder.attention")
    assert set(heir.changed).isdisjoint(heir.kept) and set(heir.changed) | heir.kept <= set(PARTS)


def test_heirs_stand_in_the_order_of_their_years_and_as_the_page_offers_them():
    assert tuple(HEIRS) == Why.options("heir")
    assert all(one.year <= other.year for one, other in pairwise(HEIRS.values()))


def test_what_would_be_left_of_our_model_are_the_weights_of_these_parts(translator):
    model = translator.model
    named_weights = list(model.named_parameters(remove_duplicate=False))
    count = {part: sum(each.numel() for each in model.get_submodule(part).parameters())
             for part in ("encoder", "decoder", "encoder.embedding")}  # fmt: skip
    cross = sum(each.numel() for name, each in model.named_parameters() if "cross" in name)
    total = sum(each.numel() for each in model.parameters())
    expected = {
        "transformer": total, "t5": total, "bert": count["encoder"],
        "vit": count["encoder"] - count["encoder.embedding"], "gpt": count["decoder"] - cross,
    }  # fmt: skip
    for name, heir in HEIRS.items():
        assert share(named_weights, heir.kept) == (expected[name], total), name


@pytest.mark.parametrize("language, name", list(zip(LANGUAGES * len(HEIRS), HEIRS, strict=False)))
def test_every_heir_has_its_words_its_source_and_its_ways(language, name):
    app = open_after(age="since", heir=name, lang=language)
    captions = " ".join(each.value for each in app.caption)
    assert HEIRS[name].title in texts(app) and verbatim(HEIRS[name].source) in captions
    assert {each.key for each in app.button} >= {f"see_{way}" for way in HEIRS[name].ways}


def test_every_way_is_one_that_some_heir_leads_to():
    assert {way for heir in HEIRS.values() for way in heir.ways} == set(WAYS)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_leads_to_a_page_that_has_what_it_chooses(way):
    page, wanted = WAYS[way]
    (declared,) = load(page).values()
    for field, option in wanted.items():
        owner = declared.choices if field in declared.choices.names() else Selection
        assert option in owner.options(field)


def test_a_way_is_gone_with_its_kind_and_without_the_row_of_another():
    app = open_after(age="since", heir="gpt", kind="encoder", row="2")
    app.button(key="see_decoder").click().run()
    assert not app.exception
    assert app.title[0].value == translate("en")("look.title")
    assert app.session_state["kind"] == "decoder" and app.session_state["row"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_fit_into_the_boxes_of_the_heirs(language):
    say = translate(language)
    for name in HEIRS:
        for sheet in ((made := figures.heirs(name, say)), made.narrow):
            assert not [mark["text"] for mark in sheet.marks if mark.get("text", "").endswith("…")]
            chips = [mark for mark in sheet.marks if mark.get("pick")]
            assert [mark["label"] for mark in chips] == [heir.title for heir in HEIRS.values()]
            assert all(mark["x"] >= 0 and mark["x"] + mark["wide"] <= sheet.wide for mark in chips)


def test_the_transformer_itself_is_told_without_a_share_of_what_is_left():
    told = texts(open_after(age="since", heir="transformer"))
    assert "figure 1 itself" in told and "100%" not in told


def test_where_all_weights_would_stay_the_panel_says_why():
    told = texts(open_after(age="since", heir="t5"))
    assert "have no weights" in told and "100%" in told


def test_the_panel_says_where_the_paper_s_text_and_its_table_differ():
    captions = " ".join(each.value for each in open_after(into="fr").caption)
    assert "41\\.0" in captions and "41\\.8" in captions


def test_keys_step_through_the_ages():
    app = open_after(age="attention")
    for step, age in enumerate(("paper", "since", "since"), start=1):
        app.session_state["keys"] = {"step": {"listener": 1.0, "presses": step, "count": step}}
        app.run()
        assert not app.exception and app.session_state["age"] == age


def test_the_axis_has_room_for_every_cost():
    costs = [each.cost for table in results.TABLE.values() for each in table if each.cost]
    assert min(costs) > 1e18 and math.log10(max(costs)) < 21.3
