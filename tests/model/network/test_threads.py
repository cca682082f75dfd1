"""One loaded model serves everybody at once: nobody may see another's numbers."""

import resource
import sys
import threading

import numpy as np
import pytest

from model import Trace, watch
from model.inspect import edits
from model.network.kinds import KINDS
from tests.helpers.tiny import PAIRS, tiny_tokenizer, tiny_translator

THREADS, ROUNDS = 30, 4
tokenizer = tiny_tokenizer()
translator = tiny_translator(tokenizer, length=64)


def edit_of(user: int) -> edits.Edit:
    """A different change for each: some at the patterns, some fused, some on the streams."""
    layer, head = user % 2, user % 4
    return [
        edits.Scale(f"encoder.layers.{layer}.self_attention", head, 3.0),
        edits.Uniform(f"encoder.layers.{layer}.self_attention", head),
        edits.Hide(user % 3),
        edits.Temperature("*_attention", 0.2),
        edits.PositionsOff("encoder"),
        edits.Skip(f"encoder.layers.{layer}.feed_forward"),
    ][user % 6]


def run(user: int, edited: bool) -> Trace:
    source, target = PAIRS[user * 5]
    return translator.trace(source, target, [edit_of(user)] if edited else [])


def distance(first: Trace, second: Trace) -> float:
    """The largest difference of any array of two traces of the same sentence."""
    arrays = [(first.points[path], second.points[path]) for path in first.points if ".mask" not in path]
    return max(float(np.abs(one - other).max()) for one, other in arrays)


def test_thirty_at_once_see_what_each_sees_alone():
    alone = {(user, edited): run(user, edited) for user in range(THREADS) for edited in (True, False)}
    for user in range(THREADS):
        # Each edit moves its own arrays far more than the tolerance below: a leak cannot hide.
        assert distance(alone[user, True], alone[user, False]) > 1e-2, edit_of(user)
    start, wrong = threading.Barrier(THREADS), []

    def visit(user: int) -> None:
        start.wait()
        for round in range(ROUNDS):
            edited = (user + round) % 2 == 0
            found = run(user, edited)
            if (far := distance(found, alone[user, edited])) > 1e-5:
                wrong.append((user, round, far))
            if not all(check.passed is not False for check in found.checks):
                wrong.append((user, round, found.checks))

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)  # change threads as often as possible
    try:
        threads = [threading.Thread(target=visit, args=(user,)) for user in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(switch)
    assert not wrong


def test_translations_written_at_once_are_those_written_alone(monkeypatch):
    monkeypatch.setattr("model.decoding.search.EXTRA", 2)
    texts = [PAIRS[user * 7][0] for user in range(8)]
    changes = [[edits.Scale("decoder.layers.*.cross_attention", user % 4, 4.0)] for user in range(8)]
    alone = [translator.translate(text, edit) for text, edit in zip(texts, changes, strict=True)]
    assert any(found.ids != translator.translate(text).ids for found, text in zip(alone, texts, strict=True))
    found = [None] * 8

    def visit(user: int) -> None:
        found[user] = translator.translate(texts[user], changes[user])

    threads = [threading.Thread(target=visit, args=(user,)) for user in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.ids for each in found] == [each.ids for each in alone]


def test_an_exception_in_one_watch_leaves_nothing_behind_for_anyone():
    calm = run(3, edited=False)
    with pytest.raises(ZeroDivisionError), watch(keep=["*"], edits=[edit_of(3)]):
        run(3, edited=False)
        raise ZeroDivisionError
    assert distance(run(3, edited=False), calm) == 0


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_traces():
    def resident() -> float:
        scale = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6

    for number in range(600):
        source, target = PAIRS[number % 50]
        trace = translator.trace(source, target)
        if number == 100:
            before = resident()
    assert trace.attention.keys() == KINDS.keys()
    assert resident() - before < 20
