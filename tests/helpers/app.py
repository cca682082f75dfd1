"""The app as its scripts see it, without a browser: what a visitor does with it and what it shows."""

import re
from html import unescape
from pathlib import Path

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.helpers.paths import ROOT
from tests.helpers.payload import numbers_of_map, unpack

PAGES = sorted(path.parent.name for path in (ROOT / "viz/pages").glob("*/page.py"))


def open_app(page: str | None = None, *, script: Path = ROOT / "app.py", **parameters: str) -> AppTest:
    """The app after its first run, on a page and with a view as a link gives them."""
    app = AppTest.from_file(str(script), default_timeout=60)
    for name, value in {"page": page, **parameters}.items():
        if value is not None:
            app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def speak(app: AppTest, language: str) -> AppTest:
    return app.segmented_control(key="language").set_value(language).run()


def write(app: AppTest, text: str) -> AppTest:
    """Another sentence."""
    app.text_input(key="sentence").set_value(text).run()
    assert not app.exception
    return app


def choose(app: AppTest, **choices: object) -> AppTest:
    """One control after the other, each with a run of its own."""
    for key, value in choices.items():
        app.segmented_control(key=key).set_value(value)
        app.run()
        assert not app.exception, (key, value)
    return app


def unfold(app: AppTest, name: str) -> None:
    """What clicking on its button does."""
    app.session_state[name] = True
    app.run()


def translation(app: AppTest) -> str:
    """What is written in ink."""
    (ink,) = (each.proto.body for each in app.get("html") if 'class="ink"' in each.proto.body)
    return unescape(re.sub("<[^>]*>", "", ink))


def sent(app: AppTest, component: str) -> list[tuple[dict, np.ndarray]]:
    """What each view of this kind got: what is said about its numbers, and the numbers as they travel."""
    views = (each.proto for each in app.get("bidi_component"))
    return [unpack(view.bytes) for view in views if view.component_name == f"headlight_{component}"]


def maps(app: AppTest) -> list[tuple[dict, np.ndarray]]:
    """Every heatmap on the page: what is said about it, and its numbers, NaN where nobody may look."""
    return [(header, numbers_of_map(header, numbers)) for header, numbers in sent(app, "heatmap")]


def weights(app: AppTest) -> np.ndarray:
    """The numbers of the first heatmap."""
    return maps(app)[0][1]
