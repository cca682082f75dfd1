"""The head view and the drawings that leave the app, as data: what they hold, and what they refuse."""

import base64
import hashlib
import json
import re
import struct
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.helpers.paths import ROOT
from viz.components import head_view, heatmap
from viz.components.head_view import (
    MARKUP,
    MOST_LINES,
    SCRIPT,
    STYLE,
    faintest,
    packed,
)
from viz.components.payload import FORBIDDEN, SCALE
from viz.export import standalone
from viz.figures.heatmap_svg import heatmap_svg
from viz.figures.lines_svg import lines_svg
from viz.figures.svg import DARK, LIGHT
from viz.figures.theme import HEAD_HUES
from viz.state.picture import Picture, Side, arrange
from viz.state.selection import Selection
from viz.text import LANGUAGES, translate

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">\x00\x0b&amp;$title'
say = translate("en")


def some(queries: int, keys: int, heads: tuple[int, ...] = (0,), causal: bool = False) -> Picture:
    """A picture of random but peaked weights, with labels of every kind."""
    random = np.random.default_rng(7)
    mask = np.tri(queries, keys, dtype=bool) if causal else np.ones((queries, keys), bool)
    scores = random.normal(size=(len(heads), queries, keys)) * 2
    weights = np.exp(np.where(mask, scores, -np.inf))
    weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
    pieces = ("▁동물", "은", "▁animal", "<0xEC>", "</s>", '▁<b>"x"</b>', "&")
    looking, seen = ((pieces * 20)[:count] for count in (queries, keys))
    return arrange(
        weights,
        mask,
        Side(looking, tuple(range(queries)), "axis.target.predicted"),
        Side(seen, tuple(range(keys)), "axis.source.key"),
        Selection(head=heads),
        say,
    )


def unpacked(data: bytes) -> tuple[dict, np.ndarray]:
    (length,) = struct.unpack_from("<I", data)
    header = json.loads(data[4 : 4 + length])
    numbers = np.frombuffer(data[4 + length :], "<u2")
    return header, numbers.reshape(-1, len(header["queries"]), len(header["keys"]))


def sent(picture: Picture, **chosen: object) -> bytes:
    return packed(picture, **{"row": None, "column": None, "layer": 2, "say": say, **chosen})


def drawn_lines(picture: Picture, **options: object) -> ElementTree.Element:
    words = {"rows": "who", "columns": "whom", "title": "lines"}
    text = lines_svg(picture.weights, picture.queries, picture.keys, heads=picture.heads, **words, **options)
    return ElementTree.fromstring(text)


def drawn_map(picture: Picture, **options: object) -> ElementTree.Element:
    words = {"rows": "who", "columns": "whom", "title": "map", "scale": "weight"}
    options = {"mask": picture.mask, **words, **options}
    return ElementTree.fromstring(heatmap_svg(picture.combined, picture.queries, picture.keys, **options))


def exported(picture: Picture, **options: object) -> str:
    words = {"title": "T", "sentence": "S", "translation": "U", "explanation": "E"}
    return standalone.page(picture, say, **{**words, "layer": 0, **options})


def test_one_head_of_forty_pieces_travels_in_a_few_kilobytes():
    data = sent(some(40, 40))
    assert len(data) < 8_000
    assert len(data) + len((SCRIPT + STYLE + MARKUP).encode()) < 40_000


@pytest.mark.parametrize("heads", [(3,), (0, 5, 7)])
def test_the_browser_gets_every_weight_and_the_map_of_all(heads):
    picture = some(6, 5, heads, causal=True)
    header, numbers = unpacked(sent(picture, row=2, column=None))
    maps = picture.weights if len(heads) == 1 else [*picture.weights, picture.combined]
    assert header["heads"] == list(heads) and (header["row"], header["column"]) == (2, None)
    assert ((numbers == FORBIDDEN) == ~picture.mask).all()
    np.testing.assert_allclose(numbers / SCALE * picture.mask, maps * picture.mask, atol=1e-5)
    assert header["hues"]["dark"] == [HEAD_HUES["dark"][head] for head in heads]


def test_what_is_left_out_is_said_with_how_much_is_drawn():
    picture = some(12, 12)
    header, _ = unpacked(sent(picture))
    share = picture.weights[picture.weights >= 0.01].sum() / picture.weights.sum()
    assert header["text"]["note"] == say("head_view.note", least="0.01", share=int(100 * share))
    certain = np.eye(3, dtype=np.float32)[None]
    whole = arrange(certain, np.ones((3, 3), bool), *[Side(("a",) * 3, (0, 1, 2), "axis.source.key")] * 2,
                    Selection(), say)  # fmt: skip
    assert unpacked(sent(whole))[0]["text"]["note"] == ""


def test_of_very_many_lines_the_strongest_are_drawn():
    picture = some(70, 70, tuple(range(8)))
    least = faintest(picture.weights, picture.most)
    assert np.count_nonzero(picture.weights >= least) == MOST_LINES
    note = unpacked(sent(picture))[0]["text"]["note"]
    assert f"{least:.2g}" in note and note != say("head_view.note", least=f"{least:.2g}", share=0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_browser_fills_in_has_places_to_fill(language):
    said = unpacked(sent(some(3, 3), say=translate(language)))[0]["text"]
    for name, wanted in {
        "pair": {"looking", "seen", "weight"},
        "one": {"looking", "seen", "weight", "head"},
        "forbidden": {"looking", "seen"},
        "head": {"head"},
    }.items():
        assert set(re.findall(r"\{(\w+)\}", said[name])) == wanted


def test_every_strong_weight_is_a_line_of_its_heads_hue():
    picture = some(9, 7, (1, 4))
    groups = {group.get("stroke"): group for group in drawn_lines(picture).iter(f"{SVG}g")}
    for weights, head in zip(picture.weights, picture.heads, strict=True):
        paths = groups[HEAD_HUES["light"][head]].findall(f"{SVG}path")
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


@pytest.mark.parametrize(("theme", "name"), [(LIGHT, "light"), (DARK, "dark")])
def test_drawings_have_the_colours_of_the_app(theme, name):
    given = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))["theme"][name]
    assert theme.scale == tuple(given["chartSequentialColors"])
    assert (theme.paper, theme.ink, theme.mark) == (
        given["backgroundColor"],
        given["textColor"],
        given["primaryColor"],
    )


class Reader(HTMLParser):
    """The elements of a page with their attributes, and the text of scripts and table cells."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements, self.scripts, self.cells, self.words = [], [], [], []
        self.feed(page)

    def handle_starttag(self, name: str, attributes: list) -> None:
        self.elements.append((name, dict(attributes)))

    def handle_data(self, text: str) -> None:
        self.words.append(text)
        if self.lasttag == "script" and text.strip():
            self.scripts.append(text)
        if self.lasttag == "td" and text.strip():
            self.cells.append(text)


def typed(words: str) -> Reader:
    """A saved page with these words wherever a visitor's may stand."""
    picture = some(6, 6)
    labels = (words, *picture.queries[1:])
    picture = Picture(**{**vars(picture), "queries": labels, "keys": labels})
    places = ("title", "sentence", "translation", "explanation")
    return Reader(exported(picture, **dict.fromkeys(places, words)))


def test_nothing_typed_becomes_markup_in_the_saved_page():
    usual, hostile = typed("x" * len(HOSTILE)), typed(HOSTILE)
    assert [name for name, _ in hostile.elements] == [name for name, _ in usual.elements]
    assert [given.keys() for _, given in hostile.elements] == [given.keys() for _, given in usual.elements]
    payload, script = hostile.scripts
    assert re.fullmatch(r"[A-Za-z0-9+/=]+", payload) and script == standalone.PAGE_SCRIPT
    assert "alert(1)" in "".join(hostile.words)  # shown as typed


def test_only_the_page_s_own_script_may_run_and_nothing_is_fetched():
    reader = Reader(exported(some(6, 6)))
    policy = next(given["content"] for name, given in reader.elements if given.get("http-equiv"))
    digest = base64.b64encode(hashlib.sha256(reader.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy and "default-src 'none'" in policy
    assert not [given for _, given in reader.elements if {"src", "href"} & given.keys()]
    assert "</script" not in standalone.PAGE_SCRIPT and "<!--" not in standalone.PAGE_SCRIPT


def test_the_saved_page_holds_the_numbers_and_stays_small():
    picture = some(16, 14, (0, 2), causal=True)
    page = exported(picture)
    assert Reader(page).cells == [f"{weight:.3f}" for weight in picture.combined[picture.mask]]
    assert len(page.encode()) < 64_000
    assert len(exported(some(40, 40)).encode()) < 128_000
    header, _ = unpacked(base64.b64decode(Reader(page).scripts[0]))
    assert header["queries"] == list(picture.queries)


def test_scripts_write_text_and_never_markup():
    scripts = [*Path(head_view.__file__).parent.glob("*.js"), ROOT / "viz/export/standalone.js"]
    for script in scripts:
        assert not re.search(
            "innerHTML|outerHTML|insertAdjacent|document.write|eval", script.read_text("utf-8")
        )


def test_a_map_travels_with_its_words_and_a_difference_with_both_signs():
    shown = some(5, 5)
    said = {"label": "a", "rows": "b", "columns": "c", "unit": "d"}
    change = shown.combined - shown.combined.T
    most = float(abs(change).max())
    data = heatmap.packed(change, shown.mask, shown.queries, shown.keys, say, least=-most, most=most, **said)
    length = int.from_bytes(data[:4], "little")
    header, numbers = json.loads(data[4 : 4 + length]), np.frombuffer(data[4 + length :], "<u2")
    assert header["queries"] == list(shown.queries)
    assert [text for _, text in header["ticks"]] == [f"{-most:.3g}", "0", f"{most:.3g}"]
    np.testing.assert_allclose(numbers / 65534 * 2 * most - most, change.ravel(), atol=most / 60_000)
    with pytest.raises(ValueError, match="does not fit"):
        heatmap.packed(change, shown.mask, shown.queries[1:], shown.keys, say, **said)
