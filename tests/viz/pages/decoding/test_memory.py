"""What is remembered: cells, bytes and rows are those of the cache that a run really has."""

import pytest
import torch

from model import load
from model.decoding import beam
from model.decoding.search import Run
from model.network.config import START
from tests.helpers.app import choose, open_app, write
from viz.figures.svg import width
from viz.pages.decoding.figures import memory as figures
from viz.pages.decoding.figures import memory_beside as beside
from viz.pages.decoding.numbers.memory import Kept, changes, rows_of
from viz.state import decodings
from viz.text import LANGUAGES, translate

TEXT = "The old man reads a book because he is tired."
say = translate("en")


@pytest.fixture(scope="module")
def translator():
    return load("en-fr")


def kept(translator, step: int, source: int) -> Kept:
    config = translator.config
    return Kept(step + 1, source, config.layers, config.width, 4)


@torch.inference_mode()
def test_bytes_and_numbers_are_those_of_a_real_cache(translator):
    source, ids = translator.read(TEXT).ids, translator.translate(TEXT).ids
    run, held = Run(translator.model, [source], cached=True), 0
    for step, id in enumerate([START, *ids[:-1]]):
        run.step([id])
        tensors = [each for pair in run.cache.kept.values() for each in pair]
        numbers = kept(translator, step, len(source))
        assert sum(each.nbytes for each in tensors) == numbers.own_bytes + numbers.source_bytes
        now = sum(each.numel() for each in tensors)
        assert now - held == numbers.computed and held == numbers.reused and now == numbers.without
        held = now


@pytest.mark.parametrize("step", [0, 1, 4])
def test_every_cell_is_computed_reused_or_not_there_yet(step):
    read, source = list("abcdef"), list("wxyz")
    numbers = Kept(step + 1, len(source), 4, 256, 4)
    drawn = figures.caches(numbers, read, source, say)
    for sheet in (drawn, drawn.narrow):
        cells = {mark["name"]: mark["fill"] for mark in sheet.marks if ".K." in mark.get("name", "")}
        own = [cells[f"self.with.K.{place}"] for place in range(6)]
        assert own == [figures.BEFORE] * step + [figures.NOW] + [figures.LATER] * (5 - step)
        assert [cells[f"self.without.K.{place}"] for place in range(6)].count(figures.NOW) == step + 1
        once = figures.BEFORE if step else figures.NOW
        assert {cells[f"cross.with.K.{place}"] for place in range(4)} == {once}
        assert {cells[f"cross.without.K.{place}"] for place in range(4)} == {figures.NOW}
        computed = sum(fill == figures.NOW for name, fill in cells.items() if ".with." in name)
        assert 2 * computed * 4 * 256 == numbers.computed
        words = {mark["text"] for mark in sheet.marks if mark.get("name", "").startswith("self.word")}
        assert words == set(read[: step + 1])  # what comes is not given away


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_sentence_stays_on_its_sheet(language):
    numbers, say = Kept(200, 300, 4, 256, 4), translate(language)
    drawn = figures.caches(numbers, ["mot"] * 400, ["word"] * 300, say)
    for sheet, most in ((drawn, 128), (drawn.narrow, 26)):
        rects = [mark for mark in sheet.marks if mark["shape"] == "rect"]
        assert max(mark["x"] + mark["wide"] for mark in rects) <= sheet.wide + 1
        assert sum(mark.get("name", "").startswith("self.with.K.") for mark in rects) == most
        assert sum(mark.get("on", False) for mark in rects) == 1
        texts = [mark for mark in sheet.marks if mark["shape"] == "text" and not mark.get("turn")]
        assert any("400" in mark["text"] for mark in texts)  # which part of it is drawn
        for mark in (mark for mark in texts if not mark.get("anchor")):
            assert mark["x"] + width(mark["text"], mark["size"], None) <= sheet.wide + 1


@pytest.mark.parametrize("size", [1, 2, 4, 8])
def test_rows_change_places_as_the_search_selects_them(translator, monkeypatch, size):
    selected, steps = [], []

    class Watched(Run):
        def step(self, ids):
            steps.append(len(ids))
            return super().step(ids)

        def select(self, rows):
            selected.append((len(steps) - 1, list(rows)))
            super().select(rows)

    monkeypatch.setattr(beam, "Run", Watched)
    (found,) = beam.beam_search(translator.model, [translator.read(TEXT).ids], size)
    rows = rows_of(found.nodes)
    assert [1, *map(len, rows)][: len(steps)] == steps
    counts = [1, *map(len, rows)]
    moved = [(step, each) for step, each in enumerate(rows) if each != list(range(counts[step]))]
    assert moved == selected
    assert size == 1 or any(each.moved for each in changes(rows))
    words = [["a"] * len(each) for each in rows]
    drawn = beside.rows(rows, words, 2, 5, say)
    lines = {mark["name"] for mark in drawn.marks if mark.get("name", "").startswith("from.")}
    assert lines == {
        f"from.{step}.{place}.{row}" for step, each in enumerate(rows) for place, row in enumerate(each)
    }


def test_the_panel_opens_at_every_step_and_says_its_numbers(translator):
    written, source = translator.translate(TEXT), len(translator.read(TEXT).ids)
    for step in (0, 3, len(written.ids) - 1):
        app = open_app("decoding", decoding="memory", s=TEXT, at=str(step))
        numbers = kept(translator, step, source)
        said = " ".join(each.value for each in app.text)
        assert f"{numbers.own_bytes // 1024} KB" in said and f"{numbers.source_bytes // 1024} KB" in said
        assert step == 0 or f"{numbers.without:,}" in said
        assert "✓" in said and len(app.latex) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_sentence_and_any_beam_can_be_looked_at(language):
    app = open_app("decoding", decoding="memory", lang=language, s="Yes.", at="40")
    for size in (1, 8):
        choose(app, beam=size)
    write(app, "The cat sees the dog and " * 12)
    assert not app.exception and len(app.get("bidi_component")) >= 3


def test_what_is_measured_is_kept_until_somebody_asks_again(monkeypatch):
    calls, measure = [], decodings.measure
    monkeypatch.setattr(decodings, "measure", lambda *given: calls.append(1) or measure(*given))
    app = open_app("decoding", decoding="memory", s="A red house.", at="1")
    app.run()
    assert len(calls) == 1
    app.button(key="memory_again").click().run()
    assert len(calls) == 2 and not app.exception
