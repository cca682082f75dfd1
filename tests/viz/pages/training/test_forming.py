"""Watch heads form: what is drawn and said is what the film holds, and a link brings the same film back."""

import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch

from model.training.toys import lesson
from model.training.toys.film import Film, Frame
from model.training.toys.recipe import SWITCHES, Recipe
from tests.helpers.app import open_app
from viz.pages.training import Training
from viz.pages.training.figures.forming.curves import Run, progress
from viz.pages.training.figures.forming.heads import Shown, heads, labels
from viz.pages.training.numbers import forming as numbers
from viz.state import runs
from viz.text import LANGUAGES, TEXT, translate, verbatim

say = translate("en")


@pytest.fixture(scope="module")
def film() -> Film:
    made = lesson.Lesson(Recipe(width=32, heads=2).switched(("cross", 0, 1), 6), 10)
    assert [*made.frames()]
    return made.film


@pytest.fixture
def short_films(monkeypatch):
    begin = lesson.Lesson.__init__
    monkeypatch.setattr(lesson.Lesson, "__init__", lambda self, recipe: begin(self, recipe, 10))


def named(drawing, begins: str) -> dict[str, dict]:
    return {mark["name"]: mark for mark in drawing.marks if mark.get("name", "").startswith(begins)}


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_every_head_is_drawn_with_the_words_of_both_sides(film, kind):
    frame = film.frames[0]
    drawn = heads([Shown(film, frame, kind, "", picks=True)], say)
    for sheet in (drawn, drawn.narrow):
        assert len(named(sheet, f"map.{kind}.0.")) == 2
        written = [mark["text"] for mark in sheet.marks if mark["shape"] == "text"]
        rows, columns = labels(film, kind, say)
        assert {*rows, *columns} <= {*written}
        assert all(0 <= mark["x"] <= sheet.wide for mark in sheet.marks if "x" in mark)
    assert (len(rows), len(columns)) == frame.maps[kind].shape[2:]


def test_a_map_shows_the_weights_of_its_head(film):
    frame = film.frames[-1]
    shown = named(heads([Shown(film, frame, "cross", "", picks=True)], say), "map.cross.0.1")
    rows = shown["map.cross.0.1"]["rows"]
    levels = np.array([[int(row[at : at + 2], 16) for at in range(0, len(row), 2)] for row in rows])
    weights = frame.maps["cross"][0, 1].astype(float)
    np.testing.assert_allclose(levels / levels.max() * weights.max(), weights, atol=0.02)


def test_a_head_that_is_off_says_so_and_a_click_switches_either(film):
    marks = named(heads([Shown(film, film.frames[-1], "cross", "", picks=True)], say), "head.cross.0.")
    on, off = marks["head.cross.0.0"], marks["head.cross.0.1"]
    assert (on["on"], off["on"]) == (False, True)
    assert on["pick"] == ["cross", 0, 0] and say("forming.switch.off") in on["tip"]
    assert say("forming.switch.on") in off["tip"]
    before = named(heads([Shown(film, film.frames[1], "cross", "", picks=False)], say), "head.cross.0.")
    assert not before["head.cross.0.1"]["on"] and "pick" not in before["head.cross.0.1"]


def test_curves_tell_every_frame_and_where_a_head_was_switched(film):
    drawn = progress([Run(film, "")], 1, say)
    moments = named(drawn, "moment.1.")
    assert [mark["on"] for mark in moments.values()] == [False, True, False]
    assert [mark["pick"] for mark in moments.values()] == [0, 1, 2]
    assert f"{film.frames[2].loss:.2f}" in moments["moment.1.2"]["tip"]
    assert len(named(drawn, "switch.6.")) == 1
    edges = [(mark["x"], mark["x"] + mark["wide"]) for mark in moments.values()]
    assert all(abs(end - begin) < 0.3 for (_, end), (begin, _) in pairwise(edges))


@pytest.mark.parametrize("answer", ["cats", "small cats often see big birds", "아이들을 " * 9])
def test_maps_stay_where_they_are_whatever_is_written(film, answer):
    frames = [replace(film.frames[0], written=tuple(each.split())) for each in (answer, "")]
    both = [heads([Shown(film, each, "cross", name, False) for name in "ab"], say) for each in frames]
    for sheet, other in zip(both, [each.narrow for each in both], strict=True):
        assert all(mark["x"] <= each.wide for each in (sheet, other) for mark in each.marks if "x" in mark)
    places = [[(mark["x"], mark["y"]) for mark in named(each, "map.").values()] for each in both]
    assert places[0] == places[1]


def test_two_trainings_stand_in_one_drawing(film):
    shown = [Shown(film, film.frames[-1], "cross", name, picks=name == "a") for name in "ab"]
    drawn = heads(shown, say)
    assert len(named(drawn, "map.cross.")) == 4
    assert sum("pick" in mark for mark in drawn.marks) == 2
    left, right = (named(drawn, f"{name}.")[f"{name}.1"]["x"] for name in ("source", "step"))
    assert left == right > drawn.wide / 2  # side by side
    below = named(drawn.narrow, "step.")
    assert below["step.1"]["y"] > below["step.0"]["y"] and below["step.1"]["x"] == 0
    both = progress([Run(film, "a"), Run(film, "b")], 0, say)
    assert sum(mark.get("dash", False) for mark in both.marks) >= 3


@pytest.mark.parametrize("setting", Training.options("toy_beside")[1:])
def test_a_second_training_differs_in_one_setting(setting):
    recipe = Recipe()
    other = numbers.variant(recipe, setting)
    assert [name for name in vars(recipe) if getattr(recipe, name) != getattr(other, name)] == [setting]


def frame(accuracy: float, readable: float) -> Frame:
    return Frame(10, 0.1, accuracy, np.array([[readable, readable / 2]]), (), {}, ())


@pytest.mark.parametrize(
    ("accuracy", "readable", "expected"),
    [(1, 0.95, "both"), (1, 0.8, "solved"), (0.5, 0.95, "readable"), (0.5, 0.5, "neither"),
     (1, np.nan, "learnt"), (0.5, np.nan, "unlearnt")],
)  # fmt: skip
def test_the_verdict_follows_from_the_numbers(accuracy, readable, expected):
    assert numbers.verdict(frame(accuracy, readable)) == expected
    assert f"forming.ended.{expected}" in TEXT


def test_the_whole_film_can_be_taken_home(film):
    arrays = numbers.arrays([film, film])
    assert {f"beside.{name}" for name in numbers.arrays([film])} < {*arrays}  # the second training too
    assert arrays["maps_cross"].shape[0] == len(film.frames) == len(arrays["loss"])
    assert arrays["off"].tolist() == [[6, 5]]
    assert arrays["source"] == [*film.example.source]


def watched(**link: str):
    """The page when its training has ended."""
    app = open_app("training", training="forming", **link)
    end = time.monotonic() + 20
    while app.session_state["forming_frames"] < 3:
        assert time.monotonic() < end
        app.run()
        assert not app.exception
    return app.run()


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_opens_trains_and_says_how_it_came_out(short_films, language):
    app = watched(lang=language, toy_seed="7")
    assert any(translate(language)("forming.ended.neither", **each) in text.value for each in _ends(app)
               for text in app.text)  # fmt: skip


def _ends(app) -> list[dict]:
    film = lesson.Lesson(Recipe(seed=7))
    last = [*film.frames()][-1]
    layer, head = last.best
    return [{"accuracy": f"{last.accuracy:.0%}", "step": 10, "readable": f"{last.readable:.0%}", "solved": 10,
             "read": 10, "layer": layer + 1, "head": head + 1}]  # fmt: skip


def test_the_shared_translator_is_untouched(short_films):
    weights = runs.translator().model.state_dict()
    before = {name: weight.clone() for name, weight in weights.items()}
    watched(toy_seed="8", toy_off="1.0")
    assert all(torch.equal(weight, before[name]) for name, weight in weights.items())
    assert not any(weight.requires_grad and weight.grad is not None for weight in weights.values())


def test_settings_come_from_the_link(short_films):
    app = watched(toy="sort", toy_heads="2", toy_changed="1,3", toy_off="6.1", toy_moment="1")
    made = app.session_state["forming_last"]
    assert (made.task, made.heads, made.off) == ("sort", 2, ((6, 1),))
    assert [getattr(made, name) for name in SWITCHES] == [True, False, True, False, False]
    assert app.session_state["toy_moment"] == 1


def test_another_task_starts_anew(short_films):
    app = watched(toy_off="6.1", toy_moment="1")
    app.segmented_control(key="toy").set_value("copy").run()
    assert app.session_state["toy_off"] == [] and app.session_state["toy_moment"] is None
    assert app.session_state["forming_last"].off == ()


def test_going_through_a_film_leaves_its_heads_as_they_are(short_films):
    app = watched(toy_off="6.1")
    app.button(key="forming_back").click().run()
    assert app.session_state["toy_moment"] == 1
    assert app.session_state["forming_last"].off == ((6, 1),)


def test_a_list_that_cannot_be_learnt_is_refused_and_the_picture_stays(short_films):
    app = watched(toy="own", toy_pairs="a = b | c = d")
    assert app.session_state["forming_last"].pairs == "a = b\nc = d"
    app.text_area(key="forming_typed").set_value("a = b\nnonsense").run()
    assert app.warning[0].value.startswith(say("forming.refused.sides", line=2)[:20])
    assert app.text_area(key="forming_typed").value == "a = b\nnonsense"
    assert app.session_state["forming_last"].pairs == "a = b\nc = d"
    assert app.warning[0].value.endswith(verbatim(say("forming.refused.kept")))
    assert len(app.get("bidi_component")) > 2
    long = "\n".join(f"word {number} = another {number}" for number in range(40))
    app.text_area(key="forming_typed").set_value(long).run()
    assert verbatim(say("forming.refused.large", count=len(long) + 2 * 39, most=600)) in app.warning[0].value
    assert app.text_area(key="forming_typed").value == long
    assert app.session_state["forming_last"].pairs == "a = b\nc = d"


def test_a_bar_in_a_list_ends_no_line(short_films):
    app = watched(toy="own", toy_pairs="a = b | c = d")
    app.text_area(key="forming_typed").set_value("a | b = c\nd = e").run()
    assert not app.warning
    assert app.session_state["forming_last"].pairs == "a ¦ b = c\nd = e"


def test_a_broken_list_in_a_link_promises_no_picture():
    app = open_app("training", training="forming", toy="own", toy_pairs="a = b")
    assert app.warning[0].value == verbatim(say("forming.refused.few", fewest=2))


def test_no_square_is_spoken_of_where_nobody_knows_the_true_word(short_films):
    squares = verbatim(say("forming.explained.true"))
    said = {toy: any(squares in each.value for each in watched(toy=toy).caption) for toy in ("own", "copy")}
    assert said == {"own": False, "copy": True}


def test_a_toy_is_not_called_by_the_name_of_a_head_of_the_model():
    named = {
        panel: open_app("training", training=panel, kind="decoder", layer="3", head="5")
        for panel in ("film", "forming")
    }
    said = {panel: [each.proto.body for each in app.get("html")] for panel, app in named.items()}
    assert any("4·6" in body for body in said["film"])
    assert not any("4·6" in body for body in said["forming"])


def test_paper_asks_for_no_click_and_says_what_was_learnt(short_films, monkeypatch):
    made = []
    monkeypatch.setattr("viz.widgets.panel.export_button", lambda files: made.append(files().handout()))
    watched(toy="copy", toy_seed="9", toy_changed="0")
    told = made[-1]
    assert say("forming.explained.hand") not in told
    for words in ("toy.copy", "forming.changed.scaled", "forming.explained.measured"):
        assert say(words).replace("'", "&#x27;") in told or say(words) in told
    assert say("forming.value.seed", value=9) in told
