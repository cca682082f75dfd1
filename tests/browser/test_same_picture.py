"""The screen and the paper show the same picture: the same colours, opacities, strokes and ticks."""

import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.helpers.pictures import say, sent, some
from tests.helpers.stage import mount, stage
from viz.components import drawing as drawings
from viz.components import head_grid, head_view, heatmap, source
from viz.figures.drawing import Drawing, cells, circle, line, rect, small_map, text
from viz.figures.grid_svg import Maps, grid_svg
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.lines_svg import lines_svg
from viz.figures.palette import NAMED, OPACITY, THEMES
from viz.state.selection import Selection

SVG = "{http://www.w3.org/2000/svg}"
LOOK = """marks => marks.map(mark => {
  const look = getComputedStyle(mark), asked = name => mark.getAttribute(name);
  const path = asked("d")?.match(/[\\d.]+/g) ?? [];
  const places = ["x", "y", "width", "height", "rx", "cx", "cy", "r"].map(asked);
  const letters = mark.tagName === "text" ? [look.fontSize, look.fontWeight, look.textAnchor] : [];
  return {
    said: [mark.tagName, look.fill, look.stroke, look.strokeDasharray, asked("transform"), ...letters],
    strengths: [look.fillOpacity, look.strokeOpacity, look.strokeWidth].map(parseFloat),
    places: [...places, ...path].map(Number),
  };
})"""
ON_SCREEN = f"""() => ({LOOK})([
  ...document.getElementById("view").shadowRoot.querySelectorAll("svg *:not(g)")])"""
ON_PAPER = f"""text => {{
  const paper = document.createElement("div");
  paper.append(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);
  document.body.append(paper);
  return ({LOOK})([...paper.querySelectorAll("svg > *")].slice(2)); // after its title and its background
}}"""
BITMAPS = """() => Promise.all([document.getElementById("view").shadowRoot, document].map((root) =>
  Promise.all([...root.querySelectorAll("image")].map(async (mark) => {
    const picture = Object.assign(new Image(), { src: mark.getAttribute("href") });
    await picture.decode();
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    const found = [...pen.getImageData(0, 0, picture.width, picture.height).data];
    return found.flatMap((_, place) => (place % 4 ? [] : [found.slice(place, place + 4)]));
  }))))"""
STROKES = """() => {
  window.strokes = [];
  const { stroke } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.stroke = function (...path) {
    window.strokes.push([this.canvas.className, this.strokeStyle, this.globalAlpha, this.lineWidth]);
    return stroke.apply(this, path);
  };
}"""
PIXELS = """([selector, rows, columns]) => {
  const canvas = document.getElementById("view").shadowRoot.querySelector(selector);
  const pen = canvas.getContext("2d");
  return Array.from({ length: rows * columns }, (_, place) => [...pen.getImageData(
    Math.floor(((place % columns) + 0.5) * canvas.width / columns),
    Math.floor((Math.floor(place / columns) + 0.5) * canvas.height / rows), 1, 1).data]);
}"""


@pytest.fixture(params=list(THEMES))
def theme(request) -> str:
    return request.param


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


def seen(pixels: list[list[int]], paper: str) -> np.ndarray:
    """Pixels as they look on the page."""
    values = np.array(pixels, float)
    share = values[:, 3:] / 255
    return values[:, :3] * share + np.array(rgb(paper)) * (1 - share)


def every_mark() -> Drawing:
    """One mark of each shape in each colour."""
    fills = [*NAMED, "scale:0.3", "scale:1", "change:-0.4", "change:0.7", "head:2", "head:11"]
    marks = [rect(10 * n, 4, 9, 8, fill, stroke="line", round=2) for n, fill in enumerate(fills)]
    marks += [circle(10 * n, 30, 4, fill, stroke="faint") for n, fill in enumerate(fills)]
    marks += [line([(10 * n, 40), (10 * n, 52)], fill) for n, fill in enumerate(fills)]
    marks += [text("word", 10 * n, 70, fill=fill) for n, fill in enumerate(fills)]
    marks += [
        rect(0, 80, 20, 10, on=True),
        line([(0, 100), (30, 110), (60, 100)], "faint", thick=2.5, dash=True),
        line([(70, 100), (95, 112)], "mark", arrow=True),
        text("turned", 50, 130, size=11, anchor="middle", bold=True, turn=-90),
        small_map(np.array([[0, 0.5], [1, 0.2]]), 20, 140, 20, 10, seen=np.array([[1, 1], [0, 1]]) > 0),
        small_map(np.array([[-1, 0.5], [1, 0.2]]), 50, 140, 20, 10, least=-1),
        cells([0.5, -1, 0, 0.25], 0, 140, 8, name="q", columns=2, high=6),
    ]
    return Drawing(200, 160, "every mark", tuple(marks))


def test_a_drawing_looks_the_same_on_both(browser: Browser, theme):
    made = every_mark()
    page = stage(browser, theme, source.style("drawing/view.css"), drawings.MARKUP)
    mount(page, "drawing/view.js", made.data())
    screen, paper = page.evaluate(ON_SCREEN), page.evaluate(ON_PAPER, made.svg(dark=theme == "dark"))
    assert len(screen) == len(paper) == 62
    for shown, printed in zip(screen, paper, strict=True):
        assert shown["said"] == printed["said"]
        assert shown["strengths"] == pytest.approx(printed["strengths"], abs=0.006)
        assert shown["places"] == pytest.approx(printed["places"], abs=0.06)
    shown, printed = page.evaluate(BITMAPS)
    assert len(shown) == len(printed) == 2
    for ours, theirs in zip(shown, printed, strict=True):
        paper_colour = THEMES[theme].paper
        np.testing.assert_allclose(seen(ours, paper_colour), seen(theirs, paper_colour), atol=2)
    page.close()


@pytest.mark.parametrize("colour", ["linear", "root", "log", "difference"])
def test_a_map_has_the_same_colours_and_ticks_on_both(browser: Browser, theme, colour):
    shown = some(9, 7, causal=True)
    weights, ends = shown.combined, {"most": 1.0, "least": 0.0}
    if colour == "difference":
        weights, ends = weights - weights.mean(), {"most": 0.8, "least": -0.8}
    scale = {"colour": "linear" if colour == "difference" else colour, **ends}
    said = {"label": "a", "rows": "b", "columns": "c", "unit": "d"}
    page = stage(browser, theme, heatmap.STYLE, heatmap.MARKUP)
    mount(
        page,
        "heatmap/view.js",
        heatmap.packed(weights, shown.mask, shown.queries, shown.keys, say, **said, **scale),
    )
    drawn = seen(page.evaluate(PIXELS, [".canvas", 9, 7]), THEMES[theme].paper)[shown.mask.ravel()]
    paper = ElementTree.fromstring(
        heatmap_svg(weights, shown.queries, shown.keys, mask=shown.mask, rows="b", columns="c", title="a",
                    dark=theme == "dark", **scale)
    )  # fmt: skip
    cells = [cell.get("fill") for cell in paper.iter(f"{SVG}rect") if cell.find(f"{SVG}title") is not None]
    np.testing.assert_allclose(drawn, [rgb(fill) for fill in cells], atol=2)
    numbers = [mark.text for mark in paper.iter(f"{SVG}text") if mark.get("text-anchor") == "middle"]
    assert page.locator(".ticks span").all_text_contents() == numbers
    page.close()


@pytest.mark.parametrize("place", [{}, {"row": 4}, {"column": 2}, {"row": 4, "column": 2}], ids=str)
@pytest.mark.parametrize("size", [9, 40])
def test_lines_have_the_same_hues_opacities_and_widths_on_both(browser: Browser, theme, place, size):
    picture = some(size, 7, (1, 4))
    page = stage(browser, theme, head_view.STYLE, head_view.MARKUP)
    page.evaluate(STROKES)
    mount(page, "head_view/view.js", sent(picture, **place))
    canvas = "some" if place else "all"
    screen = sorted(line[1:] for line in page.evaluate("window.strokes") if line[0] == canvas)
    paper = ElementTree.fromstring(
        lines_svg(picture.weights, picture.queries, picture.keys, heads=picture.heads, rows="", columns="",
                  title="", dark=theme == "dark", **place)
    )  # fmt: skip
    printed = sorted(
        [group.get("stroke"), float(path.get("opacity")), float(path.get("stroke-width"))]
        for group in paper.iter(f"{SVG}g")
        for path in group.findall(f"{SVG}path")
    )
    assert [line[0] for line in screen] == [line[0] for line in printed]
    # Lines of about one strength are drawn on screen in one go.
    for ours, theirs in zip(screen, printed, strict=True):
        assert ours[1:] == pytest.approx(theirs[1:], abs=0.035)
    assert page.locator(".word.kept").count() == len(place)
    faded = [word for word in paper.iter(f"{SVG}text") if word.get("opacity") == str(OPACITY["away"])]
    assert page.locator(".word.away").count() == len(faded)
    page.close()


def block(kind: str, heads: int, causal: bool) -> head_grid.Block:
    shown = some(6, 6, tuple(range(heads)), causal)
    mask = np.broadcast_to(shown.mask, (1, heads, 6, 6))
    measures = {"entropy": np.ones((1, heads))}
    return head_grid.Block(kind, shown.weights[None], mask, shown.queries, shown.keys, "axes", measures)


def test_every_small_map_has_the_same_pixels_on_both(browser: Browser, theme):
    made = block("decoder", 2, causal=True)
    page = stage(browser, theme, head_grid.STYLE, head_grid.MARKUP)
    chosen = Selection(kind="decoder", colour="root")
    mount(page, "head_grid/view.js", head_grid.payload([made], chosen, "none", say))
    maps = [Maps("decoder", made.weights, made.mask)]
    paper = grid_svg(maps, say, title="", colour="root", dark=theme == "dark")
    for head, picture in enumerate(re.findall(r"base64,([^\"]+)", paper)):
        printed = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))), int).reshape(-1, 4)
        screen = np.array(page.evaluate(PIXELS, [f'[data-map="{head}"] canvas', 6, 6]))
        np.testing.assert_array_equal(screen[:, 3], printed[:, 3])
        allowed = printed[:, 3] > 0
        np.testing.assert_allclose(screen[allowed], printed[allowed], atol=2)
    page.close()


def test_the_lowest_tick_of_a_logarithmic_grid_stands_for_all_below_it(browser: Browser):
    page = stage(browser, "light", head_grid.STYLE, head_grid.MARKUP)
    made = [block("encoder", 1, causal=False)]
    mount(page, "head_grid/view.js", head_grid.payload(made, Selection(colour="log"), "none", say))
    assert page.locator(".ticks span").all_text_contents() == ["≤ 0.001", "0.01", "0.1", "1"]
    page.close()
