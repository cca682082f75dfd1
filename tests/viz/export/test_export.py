"""What is taken home holds the numbers that were on screen."""

import base64
import csv
import io
import json
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from tests.helpers.tiny import tiny_tokenizer, tiny_translator
from viz.components.head_grid import Block, payload
from viz.export.files import (
    measures_csv,
    to_csv,
    to_json,
    to_npz,
    trace_json,
    trace_npz,
)
from viz.export.standalone import grid_page
from viz.figures.grid_svg import Maps, grid_svg
from viz.pages.all_heads.numbers import MEASURES, measures
from viz.state.picture import picture, sides
from viz.state.selection import Selection
from viz.text import translate

SVG = "{http://www.w3.org/2000/svg}"
ABOUT = {"checkpoint": "tiny", "source": 'A "dog" = 1', "kind": "decoder", "head": (0, 1)}


@pytest.fixture(scope="module")
def shown():
    return picture(
        tiny_translator(tiny_tokenizer()).trace("A dog sees a cat."),
        Selection(kind="decoder", head=(0, 1)),
        translate("ko"),
    )


def test_a_table_of_numbers_has_both_words_and_leaves_forbidden_cells_empty(shown):
    header, *rows = csv.reader(io.StringIO(to_csv(shown).removeprefix("\ufeff")))
    assert header == ["", *shown.keys]
    assert [row[0] for row in rows] == list(shown.queries)
    assert to_csv(shown, "decoder 1·2").startswith("\ufeffdecoder 1·2,")
    numbers = np.array([[float(cell) if cell else np.nan for cell in row[1:]] for row in rows])
    np.testing.assert_allclose(numbers, np.where(shown.mask, shown.combined, np.nan), atol=1e-6)


def test_json_and_npz_hold_every_head(shown):
    written = json.loads(to_json(shown, ABOUT))
    assert written["source"] == ABOUT["source"]
    np.testing.assert_allclose(written["weights"], shown.weights, atol=1e-7)
    assert written["keys"] == list(shown.keys)
    with np.load(io.BytesIO(to_npz(shown, ABOUT)), allow_pickle=False) as file:
        np.testing.assert_array_equal(file["weights"], shown.weights)
        np.testing.assert_array_equal(file["combined"], shown.combined)
        assert file["queries"].tolist() == list(shown.queries)
        assert json.loads(str(file["source"])) == ABOUT["source"]


def test_a_spreadsheet_takes_no_word_for_a_formula(shown):
    risky = {"queries": ("=1+1",) * len(shown.queries), "keys": ("@x",) * len(shown.keys)}
    table = to_csv(type(shown)(**{**vars(shown), **risky}))
    assert "\n=1" not in table and ",@x" not in table


def blocks_of(trace) -> list[Block]:
    measured = {name: measures(trace, name) for name in MEASURES}
    labels = {kind: [side.pieces for side in sides(trace, kind, "read")] for kind in trace.attention}
    return [
        Block(
            kind, attention, trace.mask[kind], *labels[kind], axes="",
            measures={name: of[kind] for name, of in measured.items()},
        )
        for kind, attention in trace.attention.items()
    ]  # fmt: skip


def test_every_head_comes_home_with_its_measures_and_weights():
    trace = tiny_translator(tiny_tokenizer()).trace("A dog sees a cat.")
    names = {"cross.1.0": ["article_gender", "article_number"]}
    rows = list(csv.DictReader(io.StringIO(measures_csv(blocks_of(trace), names))))
    assert len(rows) == sum(attention[..., 0, 0].size for attention in trace.attention.values())
    entropy = measures(trace, "entropy")
    for row in rows:
        expected = entropy[row["kind"]][int(row["layer"]), int(row["head"])]
        assert float(row["entropy"]) == pytest.approx(expected, abs=1e-5)
    assert {row["distance"] for row in rows if row["kind"] == "cross"} == {""}
    assert {(row["kind"], row["layer"], row["head"]): row["names"] for row in rows if row["names"]} == {
        ("cross", "1", "0"): "article_gender;article_number"
    }
    with np.load(io.BytesIO(trace_npz(trace, ABOUT)), allow_pickle=False) as file:
        for kind, attention in trace.attention.items():
            np.testing.assert_array_equal(file[f"attention.{kind}"], attention)
        assert file["source.pieces"].tolist() == list(trace.source.pieces)
    np.testing.assert_allclose(
        json.loads(trace_json(trace, ABOUT))["attention.cross"], trace.attention["cross"], atol=1e-5
    )


def test_the_sheet_of_all_heads_has_one_exact_picture_a_head():
    trace, say = tiny_translator(tiny_tokenizer()).trace("A dog sees a cat."), translate("ko")
    maps = [Maps(kind, trace.attention[kind], trace.mask[kind]) for kind in trace.attention]
    root = ElementTree.fromstring(grid_svg(maps, say, title='<b>"A & dog"'))
    pictures = [
        np.asarray(Image.open(io.BytesIO(base64.b64decode(each.get("href").partition(",")[2]))))
        for each in root.iter(f"{SVG}image")
    ]
    layers, heads = trace.attention["encoder"].shape[:2]
    assert len(pictures) == 3 * layers * heads
    decoder = pictures[layers * heads]
    np.testing.assert_array_equal(decoder[..., 3] > 0, trace.mask["decoder"][0, 0])
    weights = trace.attention["encoder"][0, 0]
    light = pictures[0][..., :3].astype(int).sum(-1)  # the scale runs from light to dark
    assert light.flat[weights.argmax()] == light.min()
    assert light.flat[weights.argmin()] == light.max()


def test_the_sheet_names_the_heads_that_have_a_name_and_keeps_what_does_not_fit():
    trace, say = tiny_translator(tiny_tokenizer()).trace("A dog sees a cat."), translate("en")
    names = {(0, 1): ["l', d'"], (1, 2): ["<b> participle gender", "past"]}
    plain = [Maps(kind, trace.attention[kind], trace.mask[kind]) for kind in trace.attention]
    named = [plain[0], *(each._replace(names=names) for each in plain[1:2]), plain[2]]
    before, after = (ElementTree.fromstring(grid_svg(maps, say, title="t")) for maps in (plain, named))
    texts = [["".join(each.itertext()) for each in root.iter(f"{SVG}text")] for root in (before, after)]
    added = [text for text in texts[1] if text not in texts[0]]
    assert [text.count("l', d'") for text in added] == [2, 0]  # it is shown, and it is the whole
    whole, _, shown = added[1].partition("past")
    assert whole == "<b> participle gender · " and shown.startswith("<b>") and shown.endswith("… +1")
    assert int(after.get("height")) > int(before.get("height"))


def test_the_page_of_all_heads_cannot_be_broken_by_what_was_typed():
    trace, say = tiny_translator(tiny_tokenizer()).trace("A dog."), translate("en")
    typed = "</script><script>alert(1)</script>"
    data = payload(blocks_of(trace), Selection(), "none", say)
    made = grid_page(data, say, title=typed, sentence=typed, translation=typed, explanation=typed)
    assert made.count("<script") == 2 and typed not in made
    assert "http://" not in made.replace("http://www.w3.org", "") and "https://" not in made
