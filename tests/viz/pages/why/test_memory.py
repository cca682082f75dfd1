"""Memory, on a text: every number of the panel is what the language model computed."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from model.language.reader import Reader, load_reader
from model.language.store import untrained
from tests.helpers.app import maps, open_app
from viz.figures.labels import readable
from viz.figures.numbers import fixed
from viz.pages.why.figures.memory import reading as figures
from viz.pages.why.formulas.memory import formula
from viz.pages.why.numbers import memory as numbers
from viz.state import recalled
from viz.state.recalled import Read
from viz.text import LANGUAGES, translate, verbatim

say = translate("en")
open_memory = partial(open_app, "why", why="memory")


@pytest.fixture(scope="module")
def reader():
    return load_reader()


@pytest.fixture(scope="module")
def reading(reader):
    before, text = numbers.TEXTS["names"]
    return reader.read(reader.ids(before), reader.ids(text))


def texts(app) -> str:
    return " ".join(each.value for each in app.text)


def drawn(app, key: str) -> dict[str, dict]:
    (view,) = (each.proto for each in app.get("bidi_component") if key in each.proto.id)
    return {mark["name"]: mark for mark in json.loads(view.json)["marks"] if "name" in mark}


def test_our_own_texts_fit_into_memory_and_segment(reader):
    for before, text in numbers.TEXTS.values():
        assert 1 < len(reader.ids(text)) <= reader.config.segment
        assert 1 < len(reader.ids(before)) <= reader.config.memory


def test_without_a_choice_the_row_is_where_memory_helps_most(reading):
    gains = numbers.saved(reading)
    assert gains[numbers.row_of(reading, None)] == gains.max()
    assert numbers.row_of(reading, 2) == 2
    assert numbers.row_of(reading, 999) == numbers.row_of(reading, None)  # a link may ask for any


@pytest.mark.parametrize("asked", [None, 0, 40, 999])
def test_a_cell_is_one_that_the_row_may_look_at_and_its_terms_make_its_weight(reading, asked):
    for row in range(len(reading.segment)):
        cell = numbers.cell(reading, 1, 2, row, asked)
        assert reading.mask[row, cell.column] and cell.back >= 0
        scores = reading.terms[1, :, 2, row][:, reading.mask[row]].sum(0)
        weight = np.exp(cell.score) / np.exp(scores).sum()
        assert cell.weight == pytest.approx(weight, abs=1e-5)
        if asked is None:
            assert cell.column < len(reading.remembered)
        elif reading.mask[row, asked] if asked < reading.mask.shape[1] else False:
            assert cell.column == asked


def test_what_is_expected_is_in_order_and_holds_what_came():
    log_probs = np.log(np.array([0.02, 0.3, 0.05, 0.25, 0.2, 0.1, 0.08]))
    found = numbers.expected(log_probs, came=0)
    assert [each.id for each in found] == [1, 3, 4, 5, 6, 0]
    assert [each.place for each in found] == [0, 1, 2, 3, 4, 6] and [each.came for each in found][-1]
    assert found[0].chance == pytest.approx(0.3)
    assert len(numbers.expected(log_probs, came=None)) == numbers.SHOWN


def test_bars_of_both_lists_are_on_one_scale(reading):
    row = numbers.row_of(reading, None)
    came = reading.segment[row + 1]
    both = [numbers.expected(each[row], came) for each in (reading.expected, reading.alone)]
    drawing = figures.next_pieces(*both, str, "title", say)
    for sheet in (drawing, drawing.narrow):
        bars = {mark["name"]: mark for mark in sheet.marks if str(mark.get("name", "")).endswith(".bar")}
        shown = [
            (way, each) for way, found in zip(("memory", "emptied"), both, strict=True) for each in found
        ]
        lengths = [bars[f"{way}.{each.id}.bar"]["wide"] for way, each in shown]
        chances = [each.chance for _, each in shown]
        np.testing.assert_allclose(
            lengths, np.maximum(1, np.array(chances) / max(chances) * max(lengths)), atol=0.2
        )
        assert all(mark["x"] + mark.get("wide", 0) <= sheet.wide + 0.1 for mark in sheet.marks if "x" in mark)


def test_the_formula_has_the_terms_of_the_cell(reading):
    cell = numbers.cell(reading, 0, 0, 3, None)
    written = formula(cell, 32)
    for term in cell.terms:
        assert f"{abs(term):.2f}" in written
    assert f"= {cell.score:.2f}" in written and f"r_{{{cell.back}}}" in written


def test_the_map_and_the_sentence_say_what_the_model_computed(reader, reading):
    app = open_memory(memory_text="names", memory_layer="1", memory_head="2")
    ((header, shown),) = maps(app)
    expected = np.where(reading.mask, reading.pattern[1, 2], np.nan)
    np.testing.assert_allclose(shown, expected, atol=2e-5)
    assert header["divide"] == len(reading.remembered)
    assert header["keys"][header["divide"] :] == header["queries"]
    with_memory, without = (fixed(each.mean(), 2) for each in reading.losses)
    assert with_memory in texts(app) and without in texts(app)
    row = numbers.row_of(reading, None)
    following = drawn(app, "why_memory_next_view")
    came = following[f"memory.{reading.segment[row + 1]}.came"]["tip"]
    assert figures.chance(np.exp(reading.expected[row, reading.segment[row + 1]])) in came
    share = reading.pattern[1, 2, :, : header["divide"]].sum(-1).mean()
    assert f"{share:.0%}" in texts(app)


def test_the_own_sentence_is_read_twice():
    app = open_memory()
    ((header, _),) = maps(app)
    assert header["keys"] == header["queries"] * 2 and header["divide"] == len(header["queries"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sentence", ["Yes", "x", " ".join(["The cat sees the old house."] * 30)])
def test_short_and_long_sentences_are_read(language, sentence):
    app = open_memory(s=sentence, lang=language)
    ((header, shown),) = maps(app)
    longest = recalled.reader().config.segment
    assert 1 <= len(header["queries"]) <= longest
    assert shown.shape == (len(header["queries"]), len(header["keys"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_there_is_nothing_to_read_one_sentence_says_why(monkeypatch, language):
    monkeypatch.setattr(recalled, "read", lambda before, text: None)
    app = open_memory(lang=language)
    assert [each.value for each in app.info] == [translate(language)("why.memory.empty")] and not maps(app)


def test_nothing_is_read_of_an_empty_text():
    assert recalled.read("", "") is None


def test_a_translation_into_another_language_is_not_read(reader, monkeypatch):
    other = Reader(untrained(replace(reader.config, language="en")), reader.tokenizer)
    monkeypatch.setattr(recalled, "reader", lambda: other)
    app = open_memory()
    assert [each.value for each in app.info] == [say("why.memory.foreign", own="English", other="French")]
    assert len(maps(open_memory(memory_text="ship"))) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_untrained_model_is_shown_as_it_is(reader, monkeypatch, language):
    shape = replace(reader.config, layers=1, heads=2, segment=8, memory=4)
    other = Reader(untrained(shape), reader.tokenizer)
    monkeypatch.setattr(recalled, "reader", lambda: other)
    before, text = (other.ids(each) for each in numbers.TEXTS["names"])
    monkeypatch.setattr(recalled, "read", lambda *_: Read(
        found := other.read(before, text[:8]), other.tokenizer.tokens(found.remembered).pieces,
        other.tokenizer.tokens(found.segment).pieces, len(text),
    ))  # fmt: skip
    found = other.read(before, text[:8])
    app = open_memory(memory_text="names", lang=language)
    ((header, _),) = maps(app)
    assert header["divide"] == 4 and len(header["queries"]) == 8
    helped = found.losses[0].mean() < found.losses[1].mean() and numbers.saved(found).max() > 0
    assert (translate(language)("why.memory.finding.nothing") in texts(app)) != helped
    cut = translate(language)("why.memory.cut", shown=8, pieces=len(text))
    assert any(verbatim(cut) in each.value for each in app.caption)


def test_a_link_may_ask_for_what_there_is_not():
    app = open_memory(memory_layer="99", memory_head="99", memory_row="999", memory_column="999")
    assert len(maps(app)) == 1


def test_labels_are_those_of_readers(reader):
    app = open_memory(memory_text="days")
    ((header, _),) = maps(app)
    ids = reader.ids(numbers.TEXTS["days"][1])
    assert header["queries"] == [readable(piece, say) for piece in reader.tokenizer.tokens(ids).pieces]
