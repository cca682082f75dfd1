"""Every figure by its name, with the right words on its axes for all three kinds of attention."""

import re
from xml.etree import ElementTree

import pytest

from model.network.kinds import KINDS
from viz.notebook import FIGURES, figure, plotly_heatmap
from viz.text import LANGUAGES, TEXT, translate

AXES = {
    ("encoder", "predicted"): ("axis.source.query", "axis.source.key"),
    ("decoder", "predicted"): ("axis.target.predicted", "axis.target.key"),
    ("decoder", "read"): ("axis.target.read", "axis.target.key"),
    ("cross", "predicted"): ("axis.target.predicted", "axis.source.key"),
    ("cross", "read"): ("axis.target.read", "axis.source.key"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_drawn_for_every_kind(name, kind, trace, translator):
    assert f"export.{name}" in TEXT
    shown = figure(trace, name, kind=kind, layer=1, head=2, translator=translator, language="ko")
    ElementTree.fromstring(shown.svg)
    assert shown.text and "nan" not in re.sub(r"<[^>]*>", " ", shown.svg).lower().split()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "reading"), AXES)
def test_axes_say_what_rows_and_columns_are(kind, reading, language, trace):
    say = translate(language)
    rows, columns = (say(key) for key in AXES[kind, reading])
    for name in ("heatmap", "head_view"):
        shown = figure(trace, name, kind=kind, layer=0, head=0, reading=reading, language=language)
        words = [element.text for element in ElementTree.fromstring(shown.svg).iter() if element.text]
        assert rows in words and columns in words
        assert f"{rows} → {columns}" in shown.text


@pytest.mark.parametrize(("kind", "reading"), AXES)
def test_plotly_says_so_too(kind, reading, trace):
    drawn = plotly_heatmap(trace, kind=kind, layer=0, head=0, reading=reading)
    titles = drawn.layout.yaxis.title.text, drawn.layout.xaxis.title.text
    assert titles == tuple(map(translate("en"), AXES[kind, reading]))
    assert drawn.data[0].z.shape == trace.attention[kind].shape[-2:]


def test_a_figure_that_is_not_there_is_refused_with_those_that_are(trace):
    with pytest.raises(ValueError, match="heatmap, head_view"):
        figure(trace, "pie")


def test_a_given_translation_is_shown_as_it_was_given(translator):
    given = translator.trace("Good morning!", target="Bonjour !")
    assert "Good morning! → Bonjour !" in figure(given, "heatmap").text
