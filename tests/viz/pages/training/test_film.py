"""The film of the model that ships: when a head has appeared, and what the panel shows of it."""

import numpy as np
import pytest

from model.checkpoint import find
from model.training.film import read_film
from tests.helpers.app import open_app
from viz.components import film as view
from viz.figures.film import places_of
from viz.pages.training.numbers.film import appears, outline, scaled, way
from viz.text import LANGUAGES, translate

EVEN = np.full((2, 2), 128, np.uint8)
LOOKS = np.array([[255, 0], [0, 255]], np.uint8)


def course(*maps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The way of one head with these maps of one sentence."""
    found = way({"sources": np.array(["a"]), "cross.0": np.stack(maps)[:, None, None]}, "cross")
    return found.from_first[:, 0, 0], found.from_last[:, 0, 0]


def test_a_head_that_never_changes_never_appears():
    assert appears(*course(LOOKS, LOOKS, LOOKS)) is None
    assert appears(*course(EVEN, LOOKS, EVEN)) is None  # it went, and came back


def test_a_head_that_jumps_appears_where_it_lands():
    from_first, from_last = course(EVEN, EVEN, LOOKS, LOOKS)
    assert appears(from_first, from_last) == 2
    np.testing.assert_allclose(from_first, [0, 0, 0.5, 0.5], atol=3e-3)
    np.testing.assert_allclose(from_last, [0.5, 0.5, 0, 0], atol=3e-3)


def test_a_head_that_wanders_back_appears_when_it_stays():
    assert appears(*course(EVEN, LOOKS, EVEN, LOOKS)) == 3
    almost = (0.4 * EVEN + 0.6 * LOOKS).astype(np.uint8)
    assert appears(*course(EVEN, almost, EVEN, almost, LOOKS)) == 3


def test_half_of_the_way_is_not_yet_nearer():
    half = np.array([[192, 64], [64, 192]], np.uint8)
    less = half.copy()
    less[0] = (190, 66)
    assert appears(*course(EVEN, less, LOOKS)) == 2


def test_sentences_count_by_their_rows():
    """Three rows that moved outweigh one that did not."""
    before, after = np.tile(LOOKS[:1], (3, 1)), np.tile(LOOKS[1:], (3, 1))
    one, other = (np.stack(maps)[:, None, None] for maps in ((EVEN[:1], EVEN[:1]), (before, after)))
    film = {"sources": np.array(["a", "b"]), "cross.0": one, "cross.1": other}
    assert way(film, "cross").from_first[1, 0, 0] == pytest.approx(0.75)


def test_the_film_that_ships_ends_where_every_head_is_itself(translator):
    film = read_film(find(translator.name) / "film.npz")
    found = way(film, "cross")
    assert not found.from_last[-1].any() and not found.from_first[0].any()
    assert found.from_first.max() <= 1
    moments = [appears(found.from_first[:, layer, head], found.from_last[:, layer, head])
               for layer, head in np.ndindex(found.from_first.shape[1:])]  # fmt: skip
    assert all(moment is None or 0 < moment < len(film["steps"]) for moment in moments)


def test_the_time_line_is_logarithmic_and_a_curve_keeps_both_ends():
    steps = [0, 1, 10, 100, 1000]
    places = scaled(steps, steps)
    assert places[0] == 0 and places[-1] == 1
    np.testing.assert_allclose(np.diff(places)[1:], np.diff(places_of(steps))[1] / np.ptp(places_of(steps)))
    drawn = outline({step: 1000.0 - step for step in range(1001)}, steps)
    assert len(drawn) <= 241 and drawn[0] == (0, 1) and drawn[-1] == (1, 0)


def test_bytes_travel_as_they_were_recorded():
    maps = np.arange(2 * 3 * 2 * 2, dtype=np.uint8).reshape(2, 3, 2, 2)
    made = view.packed({"queries": ["a", "b"], "keys": ["x", "y"]}, maps)
    assert made.endswith(maps.tobytes()) and int.from_bytes(made[:4], "little") == len(made) - 4 - maps.size
    with pytest.raises(ValueError, match="no maps of these words"):
        view.packed({"queries": ["a"], "keys": ["x", "y"]}, maps)


def test_all_heads_of_a_layer_through_the_whole_film_travel_in_few_bytes(monkeypatch):
    sent = []
    monkeypatch.setattr(view, "_mount", lambda data, **more: sent.append(data))
    open_app("training", kind="decoder", filmed="4")  # the longest sentence
    assert 28 * 8 * 11 * 11 < len(sent[-1]) < 50_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_panel_tells_when_the_head_appeared(language, translator):
    film = read_film(find(translator.name) / "film.npz")
    found = way(film, "cross")
    moment = appears(found.from_first[:, 3, 5], found.from_last[:, 3, 5])
    app = open_app("training", lang=language, kind="cross", layer="3", head="5", film_at="3", filmed="2")
    said = " ".join(text.value for text in app.text)
    assert f"{film['steps'][moment]:,}" in said
    assert app.selectbox(key="filmed").value == 2


def test_numbers_beyond_the_film_show_its_ends():
    app = open_app("training", moment="9999", filmed="77")
    assert not app.exception
    assert app.selectbox(key="filmed").value == 7


def test_a_checkpoint_without_a_film_says_which_command_makes_one(monkeypatch):
    monkeypatch.setattr("viz.pages.training.panels.film.current_film", lambda: None)
    app = open_app("training")
    (info,) = app.info
    assert info.value == translate("en")("film.none") and "python -m model train" in info.value
