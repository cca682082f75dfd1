"""What a visitor wants measured, for a process of its own: one order in, how far it is and the result out.

    python -m model.atlas.worker < order.json

An order is one line of JSON on standard input; every line of standard output is JSON: a number says how many
are done, the object at the end is the result. The process knows nothing of who asked, so whatever program
that was is not run again here.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from model.checkpoint import ATLASES, find
from model.probe.contrasts import Contrast, Phenomenon
from model.text.treebank import Alignment, Annotated

Tell = Callable[[int], None]


def order_atlas(checkpoint: str, sentences: list[Annotated], name: str) -> str:
    """The line that asks for the atlas of these sentences, without silencing."""
    return _order("atlas", checkpoint=checkpoint, name=name, sentences=[_written(each) for each in sentences])


def order_contrasts(checkpoint: str, phenomenon: Phenomenon) -> str:
    """The line that asks what breaks without each head over these contrasts."""
    return _order("contrasts", checkpoint=checkpoint, phenomenon=asdict(phenomenon))


def _order(job: str, **asked: Any) -> str:
    return json.dumps({"job": job, **asked})


def main() -> None:
    import torch

    # Whatever prints, prints to the log: standard output is for the answer alone.
    answers, sys.stdout = sys.stdout, sys.stderr
    if hasattr(os, "nice"):  # elsewhere than on Windows
        os.nice(19)
    torch.set_num_threads(1)

    def tell(said: object) -> None:
        print(json.dumps(said), file=answers, flush=True)

    asked = json.loads(sys.stdin.readline())
    tell(JOBS[asked.pop("job")](tell, **asked))


def _atlas(tell: Tell, checkpoint: str, sentences: list[dict], name: str) -> dict:
    from model import load
    from model.atlas.observed import make_atlas

    given = [_read(each) for each in sentences]
    return make_atlas(load(checkpoint), given, name, silencing=False, progress=tell, chunk=8)


def _contrasts(tell: Tell, checkpoint: str, phenomenon: dict) -> dict:
    from model import load
    from model.atlas.causal.decisions import decisions
    from model.atlas.causal.report import measure as measure_causal

    rows = tuple(Contrast(*row) for row in phenomenon.pop("contrasts"))
    asked, translator = Phenomenon(contrasts=rows, **phenomenon), load(checkpoint)
    told = measure_causal(translator, [asked], progress=tell, before=_shipped(checkpoint))[0][asked.name]
    found: dict[str, Any] = {"told": told, "head": None, "rows": []}
    known = [entry for entry in told["heads"] if entry["silenced"]]
    if known:
        best = min(known, key=lambda entry: entry["silenced"]["value"])
        head = best["kind"], best["layer"], best["head"]
        found |= {"head": head, "rows": _without(translator, list(decisions(translator, [asked])), head)}
    return found


JOBS: dict[str, Callable[..., dict]] = {"atlas": _atlas, "contrasts": _contrasts}


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


def _written(sentence: Annotated) -> dict[str, Any]:
    """A sentence as JSON can hold it: it knows neither sets nor numbers as names."""
    links = sentence.alignment and [sorted(each) for each in sentence.alignment]
    return vars(sentence) | {"antecedents": list(sentence.antecedents.items()), "alignment": links}


def _read(written: Mapping[str, Any]) -> Annotated:
    fields: dict[str, Any] = {
        name: tuple(each) if isinstance(each, list) else each for name, each in written.items()
    }
    fields["antecedents"] = dict(written["antecedents"])
    if written["alignment"] is not None:
        fields["alignment"] = Alignment(*(frozenset(map(tuple, each)) for each in written["alignment"]))
    return Annotated(**fields)


if __name__ == "__main__":
    main()
