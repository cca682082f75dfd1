"""An atlas of somebody's own corpus, measured in a process of its own, so that nobody else is slowed.

The process has the lowest priority, and there is one at a time: thirty students who all start one wait for
each other instead of making everybody wait.
"""

import os
import threading
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection

from model.text.treebank import Annotated

_turn = threading.Lock()
LOOK = 0.5  # seconds between two looks at whether it is our turn, or whether somebody has stopped it


def measure(
    checkpoint: str, sentences: Sequence[Annotated], name: str, progress: Callable[[int | None], None]
) -> dict:
    """The atlas of these sentences, without silencing.

    `progress` hears how many are done, None while somebody else's corpus comes first; it may raise to stop.
    """
    while not _turn.acquire(timeout=LOOK):
        progress(None)
    try:
        return _measured_elsewhere(checkpoint, sentences, name, progress)
    finally:
        _turn.release()


def _measured_elsewhere(
    checkpoint: str, sentences: Sequence[Annotated], name: str, progress: Callable[[int | None], None]
) -> dict:
    ours, theirs = (processes := get_context("spawn")).Pipe(duplex=False)
    worker = processes.Process(target=_work, args=(checkpoint, list(sentences), name, theirs), daemon=True)
    worker.start()
    theirs.close()  # so that its end is heard here if it dies
    done = 0
    try:
        while True:
            progress(done)
            if ours.poll(LOOK):
                said = ours.recv()
                if isinstance(said, dict):
                    return said
                done = said
    except EOFError:
        raise RuntimeError(f"measuring stopped after {done} sentences") from None
    finally:
        worker.kill()
        worker.join()


def _work(checkpoint: str, sentences: list[Annotated], name: str, report: Connection) -> None:
    import torch

    from model import load
    from model.atlas.observed import make_atlas

    if hasattr(os, "nice"):  # elsewhere than on Windows
        os.nice(19)
    torch.set_num_threads(1)
    report.send(make_atlas(load(checkpoint), sentences, name, silencing=False, progress=report.send, chunk=8))
