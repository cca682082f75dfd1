"""The film as all pages know it: its curves go through all that is known of the training."""

import numpy as np

from viz.figures.film import film as curves
from viz.state.films import Film, histories
from viz.text import translate

say = translate("en")


def test_the_curves_go_through_all_that_the_log_tells_with_a_dot_at_each_moment():
    film = {
        "steps": [0, 2, 8],
        "dev_losses": [9.0, 7.0, 1.0],
        "bleus": [0.0, 1.0, 30.0],
        "rates": [0.0, 2.0, 0.0],
    }
    log = [
        {"step": 1, "rate": 1.0, "loss": 8.0},
        {"step": 4, "rate": 0.0, "loss": 5.0},
        {"step": 4, "dev_loss": 5.0, "bleu": 12.0},
        {"step": 5, "rate": 1.5, "loss": 6.0},  # a second part begins
        {"step": 8, "dev_loss": 1.5, "bleu": 29.0},  # the last step; what ships is an average
    ]
    found = histories({name: np.array(values) for name, values in film.items()}, log)
    assert found == {
        "loss": {0: 9.0, 2: 7.0, 4: 5.0, 8: 1.0},
        "bleu": {0: 0.0, 2: 1.0, 4: 12.0, 8: 30.0},
        "rate": {0: 0.0, 1: 1.0, 2: 2.0, 4: 0.0, 5: 1.5, 8: 0.0},
    }
    assert list(found["rate"]) == sorted(found["rate"])
    drawn = curves(film["steps"], found, 1, say)
    lines = [
        len(mark["points"]) for mark in drawn.marks if mark["shape"] == "line" and mark.get("thick") == 2
    ]
    assert lines == [4, 4, 6]
    tips = [mark["tip"] for mark in drawn.marks if mark["shape"] == "circle"]
    assert len(tips) == 9 and f"{say('film.rate')}, 2: 2" in tips


def test_a_moment_that_nobody_chose_is_the_last_and_one_beyond_it_too():
    film = Film({"steps": np.array([0, 2, 8])}, {})
    assert [film.moment(asked) for asked in (None, 0, 1, 2, 99)] == [2, 0, 1, 2, 2]
