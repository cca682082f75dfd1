"""Somebody's own corpus: measured in another process, one at a time, with the same numbers."""

import threading

import pytest

from model import checkpoint, load
from model.atlas import make_atlas
from model.shell_heads import plain
from tests.tiny import SENTENCES, tiny_tokenizer, tiny_translator
from viz import measuring


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    translator = tiny_translator(tiny_tokenizer(), length=24)
    checkpoint.save(folder, translator.model, translator.tokenizer)
    return str(folder)


def test_another_process_gives_the_numbers_of_this_one(folder):
    sentences, heard = [plain(text) for text in SENTENCES[:6]], []
    found = measuring.measure(folder, sentences, "mine", heard.append)
    assert found == make_atlas(load(folder), sentences, "mine", silencing=False, chunk=8)
    assert heard[-1] <= len(sentences) and None not in heard


def test_who_stops_ends_the_work_and_frees_the_turn(folder):
    class Stopped(BaseException):  # as Streamlit ends the run of a page
        pass

    def stop(done):
        raise Stopped

    with pytest.raises(Stopped):
        measuring.measure(folder, [plain(text) for text in SENTENCES], "mine", stop)
    assert not measuring._turn.locked()


def test_a_second_corpus_waits_for_its_turn():
    told = threading.Event()

    class Stopped(BaseException):
        pass

    def hear(done):
        assert done is None
        told.set()
        raise Stopped

    with measuring._turn, pytest.raises(Stopped):
        measuring.measure("nowhere", [], "mine", hear)
    assert told.is_set()
    assert not measuring._turn.locked()


def test_a_process_that_dies_is_told(tmp_path):
    with pytest.raises(RuntimeError, match="after 0 sentences"):
        measuring.measure(str(tmp_path / "no checkpoint"), [], "mine", lambda done: None)
