"""What a visitor wants measured, in a process of its own, so that nobody else is slowed.

The process has the lowest priority, and there is one at a time: thirty students who all start one wait for
each other instead of making everybody wait.
"""

import json
import os
import threading
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from model.checkpoint import ATLASES, find
from model.probe.contrasts import Phenomenon
from model.text.treebank import Annotated

_turn = threading.Lock()
LOOK = 0.5  # seconds between two looks at whether it is our turn, or whether somebody has stopped it
Progress = Callable[[int | None], None]  # how many are done; None while somebody else comes first
Job = Callable[..., dict]  # what the process does: it is told whom to report to, then its arguments


def measure(checkpoint: str, sentences: Sequence[Annotated], name: str, progress: Progress) -> dict:
    """The atlas of these sentences, without silencing. `progress` may raise to stop."""
    return _in_turn(_atlas, (checkpoint, list(sentences), name), progress)


def measure_contrasts(checkpoint: str, phenomenon: Phenomenon, progress: Progress) -> dict:
    """What breaks without each head over these contrasts; `progress` may raise to stop.

    {"told": as under "causal" of an atlas, "head": the one that takes most, or None, "rows": for every
    contrast its gap and what the silence of that head changes of it}
    """
    return _in_turn(_causal, (checkpoint, phenomenon), progress)


def _in_turn(job: Job, arguments: tuple, progress: Progress) -> dict:
    while not _turn.acquire(timeout=LOOK):
        progress(None)
    try:
        return _elsewhere(job, arguments, progress)
    finally:
        _turn.release()


def _elsewhere(job: Job, arguments: tuple, progress: Progress) -> dict:
    ours, theirs = (processes := get_context("spawn")).Pipe(duplex=False)
    worker = processes.Process(target=_work, args=(job, arguments, theirs), daemon=True)
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


def _work(job: Job, arguments: tuple, report: Connection) -> None:
    import torch

    if hasattr(os, "nice"):  # elsewhere than on Windows
        os.nice(19)
    torch.set_num_threads(1)
    report.send(job(report.send, *arguments))


def _atlas(tell: Callable[[int], None], checkpoint: str, sentences: list[Annotated], name: str) -> dict:
    from model import load
    from model.atlas.observed import make_atlas

    return make_atlas(load(checkpoint), sentences, name, silencing=False, progress=tell, chunk=8)


def _causal(tell: Callable[[int], None], checkpoint: str, phenomenon: Phenomenon) -> dict:
    from model import load
    from model.atlas.causal.decisions import decisions
    from model.atlas.causal.report import measure as measure_causal

    translator = load(checkpoint)
    told = measure_causal(translator, [phenomenon], progress=tell, before=_shipped(checkpoint))[0]
    told = told[phenomenon.name]
    found: dict[str, Any] = {"told": told, "head": None, "rows": []}
    known = [entry for entry in told["heads"] if entry["silenced"]]
    if known:
        best = min(known, key=lambda entry: entry["silenced"]["value"])
        head = best["kind"], best["layer"], best["head"]
        rows = _without(translator, list(decisions(translator, [phenomenon])), head)
        found |= {"head": head, "rows": rows}
    return found


def _shipped(checkpoint: str) -> dict:
    """What breaks without each head for the questions that ship: who hurts those as well is not specific."""
    path = find(checkpoint) / ATLASES["hand"]
    return json.loads(path.read_text("utf-8")).get("causal", {}) if path.exists() else {}


def _without(translator: Any, decisions: list, head: tuple[str, int, int]) -> list[tuple[float, float]]:
    from model.atlas.causal.sweep import choices, in_batches
    from model.inspect.variants import Head

    found: dict[int, tuple[float, float]] = {}
    for batch in in_batches(decisions):
        gaps = choices(translator.model, batch, [(), (Head(*head).silenced,)]).gap  # (2, rows)
        found |= {
            id(each): (float(gap), float(without - gap))
            for each, gap, without in zip(batch, *gaps, strict=True)
        }
    return [found[id(each)] for each in decisions]
