"""A model of somebody else's: other depths, two vocabularies, several languages; every page shows it."""

import pytest

from model.marian.convert import convert
from tests.helpers.app import PAGES, choose, open_app, speak
from tests.helpers.marian import write_folder
from viz.pages.layers.formulas import sublayer
from viz.state import runs
from viz.text import LANGUAGES, translate

SHAPES = {
    "deep": {"separate": True, "share_encoder_decoder_embeddings": False, "encoder_layers": 3},
    "high": {"languages": ("fra", "ita"), "decoder_layers": 3, "scale_embedding": False},
}


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    """One whose encoder is deeper, and one whose decoder is."""
    found = {}
    for name, shape in SHAPES.items():
        folder = tmp_path_factory.mktemp(name)
        write_folder(folder / "marian", **shape)
        convert(folder / "marian", folder / "ours", to="fra" if "languages" in shape else "", taught=True)
        found[name] = str(folder / "ours")
    return found


@pytest.fixture(params=SHAPES)
def shape(request, checkpoints, monkeypatch) -> str:
    monkeypatch.setenv("HEADLIGHT_CHECKPOINT", checkpoints[request.param])
    return request.param


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(shape, page):
    app = open_app(page, lang=LANGUAGES[1])
    assert app.title[0].value == translate(LANGUAGES[1])(f"{page}.title")


@pytest.mark.parametrize(
    "view",
    [
        {"page": "decoding", "decoding": "memory"}, {"page": "layers", "layers": "vocabulary"},
        {"page": "training", "training": "step"}, {"page": "positions", "positions": "shuffle"},
        {"page": "experiment", "test": "find"}, {"page": "look", "compare": "head"},
    ],
    ids=lambda view: view["page"],
)  # fmt: skip
def test_its_panels_open(shape, view):
    open_app(**view)


def test_layers_are_those_of_the_chosen_kind(shape):
    app = open_app("look", kind="encoder" if shape == "deep" else "cross", layer="2")
    assert app.session_state["layer"] == 2 and len(app.segmented_control(key="layer").options) == 3
    choose(app, kind="cross" if shape == "deep" else "encoder")
    assert app.session_state["layer"] == 1 and len(app.segmented_control(key="layer").options) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_head_that_was_taught_to_align_is_said_to_be(shape, language):
    app = speak(open_app("atlas", chart="map"), language)
    told = [each.value for each in app.caption if "guided alignment" in each.value]
    config = runs.translator().config
    assert len(told) == 1 and f"{config.depth('cross')}·1" in told[0]


def test_swish_is_written_as_such(shape):
    config = runs.translator().config
    assert config.activation == "swish" and "Swish" in sublayer("feed_forward", config)
