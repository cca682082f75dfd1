"""What a visitor wants measured, in a process of its own, so that nobody else is slowed.

The process has the lowest priority, and there is one at a time: thirty students who all start one wait for
each other instead of making everybody wait.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

from model.atlas import worker
from model.probe.contrasts import Phenomenon
from model.text.treebank import Annotated

_turn = threading.Lock()
LOOK = 0.5  # seconds between two looks at whether it is our turn, or whether somebody has stopped it
ROOT = Path(__file__).parents[4]
Progress = Callable[[int | None], None]  # how many are done; None while somebody else comes first


def measure(checkpoint: str, sentences: Sequence[Annotated], name: str, progress: Progress) -> dict:
    """The atlas of these sentences, without silencing. `progress` may raise to stop."""
    return _in_turn(worker.order_atlas(checkpoint, list(sentences), name), progress)


def measure_contrasts(checkpoint: str, phenomenon: Phenomenon, progress: Progress) -> dict:
    """What breaks without each head over these contrasts; `progress` may raise to stop.

    {"told": as under "causal" of an atlas, "head": the one that takes most, or None, "rows": for every
    contrast its gap and what the silence of that head changes of it}
    """
    return _in_turn(worker.order_contrasts(checkpoint, phenomenon), progress)


def _in_turn(order: str, progress: Progress) -> dict:
    while not _turn.acquire(timeout=LOOK):
        progress(None)
    try:
        return _elsewhere(order, progress)
    finally:
        _turn.release()


def _elsewhere(order: str, progress: Progress) -> dict:
    """Not by multiprocessing: its new process would run the app once more, to know what this one knows."""
    here = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    with subprocess.Popen(
        [sys.executable, "-m", worker.__name__], env=os.environ | {"PYTHONPATH": here},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    ) as process:  # fmt: skip
        said: SimpleQueue[str] = SimpleQueue()
        orders, answers = process.stdin, process.stdout
        threading.Thread(target=_speak, args=(orders, order, answers, said), daemon=True).start()
        done = 0
        try:
            while True:
                progress(done)
                try:
                    line = said.get(timeout=LOOK)
                except Empty:
                    continue
                if not line:
                    raise RuntimeError(f"measuring stopped after {done} sentences")
                answer = json.loads(line)
                if isinstance(answer, dict):
                    return answer
                done = answer
        finally:
            process.kill()


def _speak(orders: IO[str], order: str, answers: IO[str], said: SimpleQueue) -> None:
    """Give the order and pass on every line of the answer; a blank one says that no more will come."""
    try:
        with orders:
            orders.write(order + "\n")
        for line in answers:
            said.put(line)
    except (OSError, ValueError):  # it has died, or somebody has stopped it
        pass
    said.put("")
