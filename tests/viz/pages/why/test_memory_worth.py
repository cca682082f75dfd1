"""What memory is worth: drawn and worded as the file of losses says."""

import json
from copy import deepcopy
from functools import partial

import numpy as np
import pytest

from model.language.losses import WAYS
from model.language.reader import load_reader
from tests.helpers.app import open_app
from viz.figures.numbers import fixed
from viz.pages.why.figures.memory import worth
from viz.pages.why.numbers import memory as numbers
from viz.state import recalled
from viz.text import LANGUAGES, translate

say = translate("en")
open_memory = partial(open_app, "why", why="memory")


@pytest.fixture(scope="module")
def reader():
    return load_reader()


def texts(app) -> str:
    return " ".join(each.value for each in app.text)


def drawn(app, key: str) -> dict[str, dict]:
    (view,) = (each.proto for each in app.get("bidi_component") if key in each.proto.id)
    return {mark["name"]: mark for mark in json.loads(view.json)["marks"] if "name" in mark}


FIGURES = {
    "dearer": {"mean": 0.2, "low": 0.1, "high": 0.3},
    "even": {"mean": 0.01, "low": -0.02, "high": 0.04},
    "cheaper": {"mean": -0.2, "low": -0.3, "high": -0.1},
}
ENDS = {
    "dearer": ("0.20", "0.10", "0.30"),
    "even": ("0.01", "−0.02", "0.04"),
    "cheaper": ("0.20", "0.10", "0.30"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", FIGURES)
def test_the_wording_follows_the_numbers(monkeypatch, verdict, language):
    """Whatever is in the file: that memory helps is said only where its interval says so."""
    found = deepcopy(recalled.measured())
    found["dearer"] = {way: FIGURES[verdict] for way in found["dearer"]}
    found["length"]["mean"] = sorted(found["length"]["mean"])  # none is best
    monkeypatch.setattr(recalled, "measured", lambda: found)
    speak = translate(language)
    app = open_memory(memory_view="worth", lang=language)
    told = {way: fixed(each["mean"], 2) for way, each in found["overall"].items()}
    apart, low, high = ENDS[verdict]
    pieces = f"{found['counted'] * len(found['position']['none']['mean']):,}"
    right = speak(f"why.memory.worth.{verdict}", **told, apart=apart, low=low, high=high, n=pieces)
    assert right in texts(app)
    assert speak(f"why.memory.absolute.{verdict}", apart=fixed(abs(FIGURES[verdict]["mean"]), 2)) in texts(
        app
    )
    none, learned = fixed(found["length"]["mean"][0], 2), recalled.reader().config.memory
    assert speak("why.memory.length.none", learned=learned, none=none) in texts(app)


def test_an_echo_is_only_spoken_of_where_there_is_one(monkeypatch):
    found = deepcopy(recalled.measured())
    segment = recalled.reader().config.segment
    found["distance"] = {way: [[0.01] * 96 for _ in each] for way, each in found["distance"].items()}
    found["distance"]["absolute"][1][segment] = 0.04
    monkeypatch.setattr(recalled, "measured", lambda: found)
    first, second = (open_memory(memory_view="worth", memory_layer=layer) for layer in "01")
    assert say("why.memory.echo", layer=2, segment=segment, relative="1.0", absolute="4.0") in texts(second)
    about = {"layer": 1, "segment": segment, "near": numbers.NEAR, "relative": "8%"}
    assert say("why.memory.echo.near", absolute="8%", **about) in texts(first)
    found["distance"]["absolute"][0][0] = 0.0
    blurred = open_memory(memory_view="worth", memory_layer="0")
    assert say("why.memory.echo.none", absolute="7%", **about) in texts(blurred)


def test_what_is_measured_is_of_what_ships(reader):
    found = recalled.measured()
    assert found["trained"]["memory"]["parameters"] == sum(each.numel() for each in reader.model.parameters())
    assert len({each["steps"] for each in found["trained"].values()}) == 1
    assert len({each["pieces"] for each in found["trained"].values()}) == 1
    places = numbers.by_place(found)
    assert set(places) == set(WAYS)
    for each in places.values():
        assert len(each.mean) == reader.config.segment
        assert (each.low <= each.mean).all() and (each.mean <= each.high).all()


def test_both_ends_of_every_curve_are_on_the_sheet(reader):
    found = recalled.measured()
    kept = found["length"]["kept"]
    sheets = [
        worth.by_place(numbers.by_place(found), say),
        worth.by_length(kept, numbers.curve(found["length"]), reader.config.memory, say),
        worth.by_distance({way: np.array(each[0]) for way, each in found["distance"].items()}, 32, say),
    ]
    for sheet in sheets:
        for mark in sheet.marks:
            for x, y in mark.get("points", []):
                assert 0 <= x <= sheet.wide and 0 <= y <= sheet.high


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_memory_is_worth_is_said_in_the_files_own_numbers(language):
    app = open_memory(memory_view="worth", lang=language)
    found = recalled.measured()
    for way in ("memory", "none"):
        assert fixed(found["overall"][way]["mean"], 2) in texts(app)
