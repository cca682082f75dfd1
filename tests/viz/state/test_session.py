"""What is on screen before anybody chooses, and what stays when a control loses its value."""

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.helpers.app import open_app
from viz.state import first_view, runs
from viz.state.atlas import aligner
from viz.state.session import EXAMPLE


def seen_at(app: AppTest) -> tuple[int, int]:
    (head,) = app.segmented_control(key="head").value
    return app.segmented_control(key="layer").value, head


def test_the_first_picture_is_of_the_head_that_aligns(app, translator, atlas, monkeypatch):
    surest = translator.trace(EXAMPLE).attention["cross"].max(-1).mean(-1)
    unaided = tuple(np.unravel_index(surest.argmax(), surest.shape))
    assert seen_at(app) == (aligner(atlas) or unaided)
    # A checkpoint that nobody has measured opens on the head that is surest.
    first_view._first_view.clear()
    monkeypatch.setattr(runs, "_atlas", lambda name, corpus: None)
    assert seen_at(open_app(s=EXAMPLE)) == unaided
    first_view._first_view.clear()


def test_a_control_that_lost_its_value_does_no_harm(app):
    """Seen in the wild: a segmented control sends nothing although one option is always chosen."""
    for name in ("language", "kind", "units"):
        app.session_state[name] = None
        app.run()
        assert not app.exception, name
