"""One form for one thing: how a head is written, where layer 1 stands, whose the hues of heads are."""

import re

import numpy as np
import pytest

from tests.helpers.paths import ROOT
from viz.figures.drawing import Drawing
from viz.figures.palette import THEMES
from viz.pages.atlas.figures.heads import block
from viz.pages.atlas.figures.named import block as named_block
from viz.pages.layers.figures.depth import vocabulary
from viz.pages.layers.figures.diagram import Shape, architecture
from viz.pages.layers.figures.stream import added, norms
from viz.text import LANGUAGES, TEXT, translate

say = translate("en")
LAYERS = 3
PARTS = {"encoder": ("attention", "feed_forward"), "decoder": ("attention", "cross", "feed_forward")}
PLACES = [("decoder", layer, part) for layer in range(LAYERS) for part in PARTS["decoder"]]
HUE = re.compile(r"""["']head:(\d+|\{\w+)\}?["']""")


@pytest.mark.parametrize("language", LANGUAGES)
def test_layer_and_head_are_always_written_with_a_dot_between(language):
    for key, words in TEXT.items():
        written = words[language]
        gaps = re.findall(r"\{layer\}|\{heads?\}", written)
        if gaps in (["{layer}", "{head}"], ["{layer}", "{heads}"]) and key not in SEVERAL:
            assert re.search(r"\{layer\}·\{heads?\}", written), key
        assert not re.search(r"\b[LH]\{(layer|head)\}", written), key


# Heads of a layer, counted or listed, and what is only heard; none of them names one head.
SEVERAL = {key for key, words in TEXT.items() if re.search(r"\{heads\}", words["en"])} - {"name.one"}


def test_the_hues_of_heads_are_used_for_heads_alone():
    """A fixed number is nobody's head; what is filled in is called so."""
    for path in (ROOT / "viz/pages").rglob("*.py"):
        for found in HUE.findall(path.read_text("utf-8")):
            assert found == "{head", f"{path.relative_to(ROOT)}: head:{found}"


@pytest.mark.parametrize("name", THEMES)
def test_what_is_no_head_has_a_hue_of_its_own_that_stands_out(name):
    theme = THEMES[name]
    assert not set(theme.series) & set(theme.heads)
    for colour in theme.series:
        assert contrast(colour, theme.paper) >= 3
        assert min(np.linalg.norm(rgb(colour) - rgb(head)) for head in theme.heads) > 40, colour


def rgb(colour: str) -> np.ndarray:
    return np.array(list(bytes.fromhex(colour[1:])), float)


def contrast(one: str, other: str) -> float:
    """As WCAG 2 reckons it."""
    shares = [rgb(colour) / 255 for colour in (one, other)]
    linear = [np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4) for share in shares]
    low, high = sorted(float(each @ (0.2126, 0.7152, 0.0722)) for each in linear)
    return (high + 0.05) / (low + 0.05)


def heights(drawing: Drawing, name: str) -> list[float]:
    """Where the marks stand whose names are of one layer each."""
    found = {mark["name"]: mark for mark in drawing.marks if "name" in mark}
    return [found[name.format(layer)]["y"] for layer in range(LAYERS)]


def pictures() -> dict[str, tuple[Drawing, str]]:
    """Every picture of layers, and what its marks of a layer are called."""
    rows = {name: np.ones(len(PLACES)) for name in ("before", "added", "cosine")}
    spreads = {
        f"{what}_{when}": rows["before"] for what in ("mean", "spread") for when in ("before", "after")
    }
    ids, chosen = np.arange(LAYERS * 20).reshape(LAYERS, 20), PLACES[0]
    pieces, chances = [["a"] * 20] * LAYERS, np.full((LAYERS, 20), 0.05)
    values, shape = np.ones((LAYERS, 2)), Shape(LAYERS, 5, 6, 8, 32, 2, 90)
    return {
        "diagram": (architecture(shape, PARTS, chosen, {}, say), "encoder.{}.attention"),
        "added": (added(PLACES, rows, chosen, say), "decoder.{}.cross"),
        "norms": (norms(PLACES, spreads, chosen, say), "decoder.{}.cross"),
        "vocabulary": (vocabulary(pieces, chances, ids, 0, "a", [1, None, None], say), "lens.{}.0"),
        "atlas": (block(values, "cross", 1.0, "", roles={}), "cross.{}.1"),
        "names": (named_block("cross", LAYERS, 2, {}, {}, "", None, lambda *_: ""), "cross.{}.1"),
    }


def test_the_first_layer_is_on_top_in_every_picture_of_layers():
    for name, (drawing, marks) in pictures().items():
        found = heights(drawing, marks)
        assert found == sorted(found) and found[0] < found[-1], name
