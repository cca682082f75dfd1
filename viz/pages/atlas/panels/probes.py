"""Our own sentences with every head's pattern: run once a server and checkpoint, when somebody asks."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
import streamlit as st

from model.network.kinds import KINDS
from model.probe import HAND
from model.text.treebank import Annotated, read
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.pages.atlas.figures import heads as figures
from viz.pages.atlas.numbers import exemplars
from viz.state import runs
from viz.state.kept import Kept
from viz.state.language import say

FIRST = 24  # sentences that a detector begins with: about a second
MODELS = 4  # of so many the patterns are kept


def sentence(probe: exemplars.Probe, kind: str, place: int, head: int) -> Drawing:
    queries, keys = ([readable(piece, say) for piece in side.pieces] for side in probe.sides(kind))
    weights = probe.attention[kind][place].astype(np.float32)
    return figures.sentence(queries, keys, weights, probe.sentence.text, f"head:{head}")


class Corpus:
    """Our sentences with every head's pattern, and what each measure says of each sentence."""

    def __init__(self, probes: Sequence[exemplars.Probe], vocabulary: int) -> None:
        self.probes = probes
        self.found = {
            kind: [exemplars.observed(probe, kind, vocabulary) for probe in probes] for kind in KINDS
        }


@st.cache_resource(show_spinner=False)
def _corpora() -> Kept:
    """By model, and whether all of it has been run: only of the latest few, for it takes room."""
    return Kept(MODELS)


def corpus_of_probes(offer: str = "") -> Corpus | None:
    """Run once a server and checkpoint, when somebody asks; a bar tells how far it is."""
    kept, name = _corpora(), (runs.checkpoint(), True)
    if (found := kept.get(name)) is None:
        if not st.button(offer or say("probe.start"), key="probe_start"):
            st.caption(say("probe.what"))
            return None
        kept.put(name, _run(list(read(HAND))))
        st.rerun()
    return found


def first_probes() -> Corpus:
    """All of them if they have been run; else the first few at once, so that nobody has to ask and wait."""
    kept, name = _corpora(), runs.checkpoint()
    found = kept.get((name, True)) or kept.get((name, False))
    return found or kept.put((name, False), _run(list(islice(read(HAND), FIRST))))


def _run(sentences: Sequence[Annotated]) -> Corpus:
    bar, made = st.progress(0.0, text=say("probe.working")), []
    for probe in exemplars.probes(runs.translator(), sentences):
        made.append(probe)
        bar.progress(len(made) / len(sentences), text=say("busy.far", done=len(made), all=len(sentences)))
    corpus = Corpus(made, runs.translator().config.vocabulary)
    bar.empty()
    return corpus
