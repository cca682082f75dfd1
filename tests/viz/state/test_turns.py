"""A training gives way to whoever waits for a sentence, and never for ever."""

import threading
import time

import pytest

from viz.state.trace_cache import TraceCache
from viz.state.turns import LONGEST, TURNS, Turns


def seconds_of_a_turn(turns: Turns) -> float:
    began = time.monotonic()
    turns.give_way()
    return time.monotonic() - began


def test_a_step_waits_while_somebody_goes_first_but_not_for_ever():
    turns = Turns()
    assert seconds_of_a_turn(turns) < LONGEST / 2
    with turns.first():
        assert seconds_of_a_turn(turns) >= LONGEST
    assert seconds_of_a_turn(turns) < LONGEST / 2


def test_it_goes_on_as_soon_as_the_first_is_done():
    turns, over = Turns(), threading.Event()
    with turns.first():
        thread = threading.Thread(target=lambda: (turns.give_way(), over.set()))
        thread.start()
        assert not over.wait(LONGEST / 4)
    assert over.wait(LONGEST / 2)
    thread.join()


def test_every_run_of_a_sentence_goes_first_even_one_that_fails():
    running = []

    def run():
        running.append(TURNS.running)
        raise ValueError("no such sentence")

    with pytest.raises(ValueError, match="no such sentence"):
        TraceCache().get("key", run)
    assert running == [1] and TURNS.running == 0
