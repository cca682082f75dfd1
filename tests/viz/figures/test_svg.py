"""Drawings that leave the app: lines and maps as vectors, with their numbers and escaped words."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.helpers.pictures import HOSTILE, some
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.lines_svg import lines_svg
from viz.figures.palette import DARK, LIGHT
from viz.state.picture import Picture

SVG = "{http://www.w3.org/2000/svg}"


def drawn_lines(picture: Picture, **options: object) -> ElementTree.Element:
    words = {"rows": "who", "columns": "whom", "title": "lines"}
    text = lines_svg(picture.weights, picture.queries, picture.keys, heads=picture.heads, **words, **options)
    return ElementTree.fromstring(text)


def drawn_map(picture: Picture, **options: object) -> ElementTree.Element:
    words = {"rows": "who", "columns": "whom", "title": "map", "scale": "weight"}
    options = {"mask": picture.mask, **words, **options}
    return ElementTree.fromstring(heatmap_svg(picture.combined, picture.queries, picture.keys, **options))


def test_every_strong_weight_is_a_line_of_its_heads_hue():
    picture = some(9, 7, (1, 4))
    groups = {group.get("stroke"): group for group in drawn_lines(picture).iter(f"{SVG}g")}
    for weights, head in zip(picture.weights, picture.heads, strict=True):
        paths = groups[LIGHT.heads[head]].findall(f"{SVG}path")
        assert len(paths) == np.count_nonzero(weights >= 0.01)
        opacity = [float(path.get("opacity")) for path in paths]
        assert opacity == pytest.approx(0.05 + 0.95 * weights[weights >= 0.01], abs=0.006)


def test_the_lines_of_one_word_come_with_its_numbers():
    picture = some(9, 7)
    written = [text.text for text in drawn_lines(picture, row=4).iter(f"{SVG}text")]
    expected = [f"{weight:.3f}" for weight in picture.combined[4] if weight >= 0.01]
    assert [text for text in written if re.fullmatch(r"\d\.\d{3}", text)] == expected


@pytest.mark.parametrize("causal", [False, True])
def test_every_cell_that_may_be_looked_at_tells_its_number(causal):
    picture = some(8, 8, causal=causal)
    cells = [cell for cell in drawn_map(picture).iter(f"{SVG}rect") if cell.find(f"{SVG}title") is not None]
    told = [cell.find(f"{SVG}title").text for cell in cells]
    assert told == [
        f"{picture.queries[i]} → {picture.keys[j]}: {picture.combined[i, j]:.4f}"
        for i, j in np.argwhere(picture.mask)
    ]


def test_the_map_without_titles_shows_the_same_colours():
    picture = some(8, 8, causal=True)
    titled = [cell.get("fill") for cell in drawn_map(picture).iter(f"{SVG}rect") if len(cell)]
    merged = [
        path.get("stroke")
        for path in drawn_map(picture, titles=False).iter(f"{SVG}path")
        for _ in range(path.get("d").count("h1"))
    ]
    assert sorted(merged) == sorted(titled)


def test_a_line_between_columns_of_two_kinds_is_drawn_before_the_second():
    picture = some(8, 8)
    cells = [each for each in drawn_map(picture, divide=3).iter(f"{SVG}g") if each.get("class") == "cells"]
    size = float(cells[0].get("data-size"))
    (line,) = cells[0].findall(f"{SVG}path")
    across, top, down = map(float, re.fullmatch(r"M([\d.]+) (-?\d+)V([\d.]+)", line.get("d")).groups())
    assert across == pytest.approx(3 * size, abs=1) and top < 0 and down == pytest.approx(8 * size, abs=1)
    for none in (None, 0):
        assert not list(drawn_map(picture, divide=none).iter(f"{SVG}path"))


@pytest.mark.parametrize("draw", [drawn_lines, drawn_map])
@pytest.mark.parametrize("dark", [False, True])
def test_a_drawing_is_vectors_and_escaped_text_that_opens_alone(draw, dark):
    picture = some(7, 7, (2,))
    picture = Picture(**{**vars(picture), "queries": (HOSTILE, *picture.queries[1:])})
    drawing = draw(picture, dark=dark, **({"title": HOSTILE}, {})[draw is drawn_lines])
    names = {element.tag.removeprefix(SVG) for element in drawing.iter()}
    assert names <= {"svg", "title", "rect", "g", "text", "path", "defs", "linearGradient", "stop"}
    assert not [
        key for element in drawing.iter() for key in element.attrib if "href" in key or key[:2] == "on"
    ]
    shown = "".join(drawing.itertext())
    assert HOSTILE.replace("\x00", "\ufffd").replace("\x0b", "\ufffd") in shown
    assert "동물" in shown and "KR" in drawing.get("font-family")
    assert drawing[1].get("fill") == (DARK if dark else LIGHT).paper


def test_a_drawing_of_other_sizes_is_refused():
    with pytest.raises(ValueError, match="2 queries × 3 keys"):
        heatmap_svg(np.zeros((2, 2)), ["a"] * 2, ["b"] * 3, rows="", columns="", title="")
    with pytest.raises(ValueError, match="1 heads × 2 queries × 3 keys"):
        lines_svg(np.zeros((1, 2, 2)), ["a"] * 2, ["b"] * 3, heads=[0], rows="", columns="", title="")
