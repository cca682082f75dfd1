"""Runs are shared, made once, and go when memory is short."""

import threading
import time

import pytest

from tests.helpers.tiny import SENTENCES, tiny_tokenizer, tiny_translator
from viz.state.runs import TraceCache


def test_a_run_is_made_once_however_many_ask_together():
    cache, made, translator = TraceCache(), [], tiny_translator(tiny_tokenizer())

    def make():
        made.append(1)
        time.sleep(0.05)
        return translator.trace(SENTENCES[0])

    found = []
    visitors = [threading.Thread(target=lambda: found.append(cache.get("a", make))) for _ in range(8)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert len(made) == 1
    assert len({id(trace) for trace in found}) == 1
    assert not cache._makers


def test_the_longest_unused_go_first_and_memory_stays_bounded():
    translator = tiny_translator(tiny_tokenizer())
    size = sum(array.nbytes for array in translator.trace(SENTENCES[0]).points.values())
    cache = TraceCache(most_bytes=int(3.5 * size))
    for key in "abc":
        cache.get(key, lambda: translator.trace(SENTENCES[0]))
    first = cache.get("a", lambda: None)
    cache.get("d", lambda: translator.trace(SENTENCES[0]))
    assert cache.bytes <= cache.most_bytes
    assert cache.get("a", lambda: None) is first
    made = []
    cache.get("b", lambda: made.append(1) or translator.trace(SENTENCES[0]))
    assert made


def test_a_run_that_fails_leaves_nothing_behind():
    cache = TraceCache()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            cache.get("a", lambda: 1 / 0)
    assert len(cache) == 0
    assert cache.get("a", lambda: tiny_translator(tiny_tokenizer()).trace("A dog.")).source
