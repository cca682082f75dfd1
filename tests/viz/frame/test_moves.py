"""Keys that come faster than pages: what counts is where the last whole run was, and all that was pressed."""

import pytest

from tests.helpers.app import open_app

NOT_MOVED = {"listener": 1.0, "presses": 0, "layer": 0, "kind": 0, "head": 0, "heads": 0}


@pytest.fixture
def wall():
    """Look in front of a class, and what keys make of it."""
    app = open_app("look", present="on", kind="encoder", layer="1", head="0")

    def press(**pressed):
        app.session_state["keys"] = pressed
        app.run()
        assert not app.exception
        return tuple(app.session_state[name] for name in ("kind", "layer", "head"))

    return app, press


def test_keys_choose_the_kind_the_layer_and_the_head(wall):
    _, press = wall
    moved = NOT_MOVED | {"presses": 4, "layer": 1, "kind": 2, "head": 4, "heads": 1}
    assert press(moved=moved) == ("cross", 2, [4])
    assert press(moved=moved) == ("cross", 2, [4])  # nothing more was pressed
    assert press(moved=moved | {"presses": 9, "layer": -4}) == ("cross", 0, [4])  # there is none above


def test_there_and_back_again_is_where_one_was(wall):
    app, press = wall
    app.session_state["layer"], app.session_state["kind"] = (
        2,
        "decoder",
    )  # left by a run cut short
    assert press(moved=NOT_MOVED | {"presses": 6, "kind": 3}) == ("encoder", 1, [0])
    app.session_state["head"] = [1]
    assert press(step={"listener": 1.0, "presses": 2, "count": 0}) == ("encoder", 1, [0])


def test_a_head_that_the_model_has_not_is_not_chosen(wall):
    _, press = wall
    assert press(moved=NOT_MOVED | {"presses": 1, "head": 8, "heads": 1}) == ("encoder", 1, [0])
