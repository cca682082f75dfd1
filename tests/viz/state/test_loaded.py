"""Models in memory: loaded once, never mixed, and gone when others need the room."""

import gc
import threading
import weakref
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from model import load
from tests.helpers.app import open_app
from tests.helpers.tiny import SENTENCES, write_checkpoint
from viz.state import loaded, models, runs
from viz.state.trace_cache import TraceCache
from viz.text import translate

USUAL, TEXT = "en-fr", SENTENCES[0]


def test_many_visitors_with_different_models_never_mix(one, other, tmp_path):
    made = {str(tmp_path / "one"): one, str(tmp_path / "other"): other, USUAL: load(USUAL)}
    asked = product(made, SENTENCES[:4])
    expected = {(folder, text): made[folder].trace(text).attention["cross"] for folder, text in asked}
    wrong, start = [], threading.Barrier(12)

    def visit(number: int) -> None:
        start.wait()
        for place in range(24):
            folder, text = [*expected][(place * 5 + number) % len(expected)]
            with models.on(folder):
                found = runs.trace_of(text).attention["cross"]
                if not np.array_equal(found, expected[folder, text]):
                    wrong.append((folder, text))

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(12)]
    for each in visitors:
        each.start()
    for each in visitors:
        each.join()
    assert not wrong


def test_what_is_kept_under_a_model_is_made_by_it(one, other, tmp_path):
    @models.by_its_model
    def made(folder: str, text: str) -> str:
        return runs.translator().name

    with models.on(str(tmp_path / "one")):  # whatever the visitor looks at meanwhile
        assert made(str(tmp_path / "other"), TEXT) == "other"
        assert runs.translator().name == "one"


def test_a_model_is_loaded_once_and_comes_back_the_same_after_it_had_to_go(one, other, tmp_path, monkeypatch):
    few = loaded.Models(most_bytes=0)  # room for the last one only
    read, traces = [], TraceCache()
    monkeypatch.setattr(runs, "_loaded", lambda: few)
    monkeypatch.setattr(runs, "_traces", lambda: traces)
    monkeypatch.setattr(
        runs, "load", lambda folder, twin: read.append(Path(folder).name) or load(folder, twin)
    )

    def look(name: str) -> np.ndarray:
        with models.on(str(tmp_path / name)):
            return runs.trace_of(TEXT).attention["cross"]

    before = look("one")
    gone = weakref.ref(next(iter(few._kept.values()))[0].model)
    assert look("one") is before and read == ["one"]
    assert look("other").shape != before.shape
    assert len(few) == 1 and read == ["one", "other"]
    gc.collect()
    assert gone() is None  # neither the model nor a run of it takes room
    assert np.array_equal(look("one"), before)
    assert read == ["one", "other", "one"]


def test_a_folder_that_has_changed_is_refused_when_it_is_read_again(one, tmp_path, monkeypatch):
    few = loaded.Models(most_bytes=0)
    monkeypatch.setattr(runs, "_loaded", lambda: few)
    app = open_app("look", model="one", s=TEXT)
    write_checkpoint(tmp_path / "one", 5)
    runs.translator()  # the usual one: the other had to go
    app.run()
    assert not app.exception
    assert app.info[0].value.replace("\\", "") == translate("en")("link.no_model", name="one", shown=USUAL)
    assert app.session_state["model"] == ""


def test_room_is_counted_in_megabytes(monkeypatch):
    monkeypatch.setenv(loaded.VARIABLE, "3")
    assert loaded.Models().most_bytes == 3 * 2**20
    monkeypatch.setenv(loaded.VARIABLE, "much")
    with pytest.raises(ValueError, match="HEADLIGHT_MODELS_MB"):
        loaded.Models()
