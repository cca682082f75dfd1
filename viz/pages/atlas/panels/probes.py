"""Our own sentences with every head's pattern: run once a server and checkpoint, when somebody asks."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from model.network.kinds import KINDS
from model.probe import HAND
from model.text.treebank import read
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.pages.atlas.figures import heads as figures
from viz.pages.atlas.numbers import exemplars
from viz.state import runs
from viz.state.language import say


def sentence(probe: exemplars.Probe, kind: str, head: int, hue: int) -> Drawing:
    queries, keys = ([readable(piece, say) for piece in side.pieces] for side in probe.sides(kind))
    weights = probe.attention[kind][head].astype(np.float32)
    return figures.sentence(queries, keys, weights, probe.sentence.text, f"head:{hue}")


class Corpus:
    """Our sentences with every head's pattern, and what each measure says of each sentence."""

    def __init__(self, probes: Sequence[exemplars.Probe], vocabulary: int) -> None:
        self.probes = probes
        self.found = {
            kind: [exemplars.observed(probe, kind, vocabulary) for probe in probes] for kind in KINDS
        }


@st.cache_resource(show_spinner=False, max_entries=2)
def _corpora() -> dict[str, Corpus]:
    return {}


def corpus_of_probes() -> Corpus | None:
    """Run once a server and checkpoint, when somebody asks; a bar tells how far it is."""
    kept, name = _corpora(), runs.checkpoint()
    if name not in kept:
        if not st.button(say("probe.start"), key="probe_start"):
            st.caption(say("probe.what"))
            return None
        sentences = list(read(HAND))
        bar, made = st.progress(0.0, text=say("probe.working")), []
        for probe in exemplars.probes(runs.translator(), sentences):
            made.append(probe)
            bar.progress(len(made) / len(sentences), text=say("busy.far", done=len(made), all=len(sentences)))
        kept[name] = Corpus(made, runs.translator().config.vocabulary)
        st.rerun()
    return kept[name]
