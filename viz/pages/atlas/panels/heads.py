"""What every head does over a corpus: the map, two measures, one head's card, detectors."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from model.probe import HAND
from model.text.treebank import read
from viz.components.drawing import show
from viz.components.heatmap import heatmap
from viz.figures.bars import effects
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.figures.numbers import fixed
from viz.pages.atlas.figures import heads as figures
from viz.pages.atlas.numbers import exemplars
from viz.state import atlas as atlases
from viz.state import session
from viz.state.picture import sides
from viz.state.selection import KINDS, Selection
from viz.state.session import say, select
from viz.widgets.names import head_name, name_of, role_name

HUES = {"encoder": "head:0", "decoder": "head:1", "cross": "head:2"}
RANKED = 10
Panel = tuple[dict[str, Drawing], dict[str, object]]


def choose_measure(offered: Sequence[str], field: str) -> str:
    """One of the measures that there are."""
    now = st.session_state[field] if st.session_state[field] in offered else offered[0]
    st.session_state[field] = now
    labels = {name: name_of(name) for name in offered}
    return st.selectbox(say(f"atlas.{field}"), offered, format_func=labels.get, key=field, width=240)


def choose_role(atlas: Mapping) -> str:
    offered = ["", *atlases.roles(atlas)]
    st.session_state["role"] = st.session_state["role"] if st.session_state["role"] in offered else ""
    labels = {role: role_name(role) if role else say("atlas.any_role") for role in offered}
    return st.selectbox(say("atlas.role"), offered, format_func=labels.get, key="role", width=220)


def chart_map(atlas: Mapping, chosen: Selection) -> Panel:
    """Layers × heads of the three kinds in the colours of a measure."""
    found = {kind: atlases.values(atlas, chosen.by, kind) for kind in KINDS}
    most = atlases.most_of(chosen.by, list(found.values()))
    drawn = {}
    for column, kind in zip(st.columns(3, gap="medium"), KINDS, strict=True):
        entries = [entry for entry in atlas["heads"] if entry["kind"] == kind]
        place = {(entry["layer"], entry["head"]): entry["roles"] for entry in entries}
        drawn[f"atlas_{kind}"] = figures.block(
            found[kind], kind, most, say(f"kind.{kind}"),
            roles={at: len(roles) for at, roles in place.items()},
            chosen=(chosen.layer, chosen.head[0]) if chosen.kind == kind else None,
            shown={at: chosen.role in roles for at, roles in place.items()} if chosen.role else None,
        )  # fmt: skip
        with column:
            show(drawn[f"atlas_{kind}"], key=f"atlas_{kind}", on_pick=lambda kind=kind: pick(f"atlas_{kind}"))
    st.caption(say("atlas.map.what", measure=name_of(chosen.by)))
    return drawn, {f"{chosen.by}.{kind}": found[kind] for kind in KINDS}


def pick(view: str) -> None:
    kind, layer, head = st.session_state[view]["pick"]
    select(kind=kind, layer=layer, head=(head,))


def chart_scatter(atlas: Mapping, chosen: Selection) -> Panel:
    """Every head by two measures."""
    points = []
    for kind in KINDS:
        across, up = (atlases.values(atlas, name, kind) for name in (chosen.against, chosen.by))
        points += [
            (f"{kind}.{layer}.{head}", float(across[layer, head]), float(up[layer, head]), HUES[kind])
            for layer, head in np.ndindex(across.shape)
        ]
    here = f"{chosen.kind}.{chosen.layer}.{chosen.head[0]}"
    names = name_of(chosen.against), name_of(chosen.by)
    drawn = figures.scatter(points, *names, here, say("atlas.scatter.alt", x=names[0], y=names[1]))
    show(drawn, key="atlas_scatter", on_pick=lambda: pick("atlas_scatter"))
    st.caption(say("atlas.scatter.what"))
    return {"atlas_scatter": drawn}, {"x": [p[1] for p in points], "y": [p[2] for p in points]}


def chart_table(atlas: Mapping, chosen: Selection) -> Panel:
    """All heads and some measures as a table that sorts by a click on a column."""
    offered = [name for name in atlases.names(atlas) if not name.startswith("relation.")]
    rows = [
        {say("atlas.head"): head_name(entry["kind"], entry["layer"], entry["head"]),
         say("atlas.roles"): ", ".join(map(role_name, entry["roles"]))}
        | {name_of(name): entry["measures"].get(name, {}).get("value") for name in offered}
        for entry in atlas["heads"]
        if not chosen.role or chosen.role in entry["roles"]
    ]  # fmt: skip
    st.dataframe(rows, hide_index=True, key="atlas_table", height=420)
    st.caption(say("atlas.table.what"))
    return {}, {"rows": np.array([str(row) for row in rows])}


def card(atlas: Mapping, chosen: Selection) -> dict[str, Drawing]:
    """Everything that is known of the chosen head: roles, measures, sentences, neighbours, ways on."""
    where = chosen.kind, chosen.layer, chosen.head[0]
    entry = atlases.card(atlas, *where)
    st.subheader(head_name(*where), anchor=False)
    for role in atlases.evidence(atlas, *where):
        values = {name: fixed(role[name]) for name in ("value", "low", "high", "baseline", "null")}
        st.markdown(f"**{role_name(role['role'])}**")
        st.caption(say("card.evidence", n=role["n"], **values))
    if not entry["roles"]:
        st.caption(say("card.no_role"))
    found = atlases.measures(entry)
    everyone = {name: [atlases.values(atlas, name, kind) for kind in KINDS] for name in found}
    plain = [name for name in found if not name.startswith("relation.")]
    rows = [(name_of(name), found[name], atlases.most_of(name, everyone[name])) for name in plain]
    left, right = st.columns(2, gap="medium")
    with left:
        drawn = figures.card(rows, say("card.alt", head=head_name(*where)), say)
        show(drawn, key="atlas_card")
    with right:
        near = ", ".join(
            f"{head_name(where[0], layer, head)} ({distance:.2f})"
            for layer, head, distance in atlases.alike(atlas, *where)
        )
        st.caption(say("card.alike", heads=near))
        _exemplars(atlas, chosen)
        with st.container(horizontal=True, gap="small"):
            for page in ("look", "inside", "experiment"):
                st.page_link(
                    f"viz/pages/{page}/page.py", label=say(f"{page}.short"), query_params=session.link()
                )
    return {"atlas_card": drawn}


def _exemplars(atlas: Mapping, chosen: Selection) -> None:
    """Sentences in which the head does this most, ordinary ones, and where it does not."""
    corpus = corpus_of_probes()
    if corpus is None:
        return
    head = chosen.layer * session.translator().config.heads + chosen.head[0]
    offset = atlas["offsets"][chosen.kind][chosen.layer][chosen.head[0]]  # the one that is this head's own
    measure = f"offset.{offset}" if chosen.by == "offset" else chosen.by
    order = exemplars.ranked(corpus.found[chosen.kind], measure, head)
    if not order:
        st.caption(say("card.no_sentences", measure=name_of(chosen.by)))
        return
    st.caption(say("card.sentences", measure=name_of(measure)))
    for rank, number, value in exemplars.quartiles(order):
        probe = corpus.probes[number]
        st.caption(say(f"card.example.{rank}", value=f"{value:.3f}"))
        show(_sentence(probe, chosen.kind, head, chosen.head[0]), key=f"exemplar_{rank}")


def _sentence(probe: exemplars.Probe, kind: str, head: int, hue: int) -> Drawing:
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
    kept, name = _corpora(), session.checkpoint()
    if name not in kept:
        if not st.button(say("probe.start"), key="probe_start"):
            st.caption(say("probe.what"))
            return None
        sentences = list(read(HAND))
        bar, made = st.progress(0.0, text=say("probe.working")), []
        for probe in exemplars.probes(session.translator(), sentences):
            made.append(probe)
            bar.progress(len(made) / len(sentences), text=say("busy.far", done=len(made), all=len(sentences)))
        kept[name] = Corpus(made, session.translator().config.vocabulary)
        st.rerun()
    return kept[name]


def chart_detector(chosen: Selection) -> Panel:
    """State a rule, and see which heads obey it over our sentences, with where they do not."""
    if chosen.rule == "painted":
        return _painted(chosen)
    corpus = corpus_of_probes()
    if corpus is None:
        return {}, {}
    fits = {"offset": "offset.", "relation": "relation.", "aligned": "aligned"}[chosen.rule]
    asked = {kind: exemplars.rules(found) for kind, found in corpus.found.items()}
    rules = sorted(
        {rule for each in asked.values() for rule in each if rule.startswith(fits)}, key=_by_number
    )
    labels = {rule: name_of(rule) for rule in rules}
    rule = st.selectbox(
        say("detector.rule"), rules, format_func=labels.get, key=f"rule_{chosen.rule}", width=320
    )
    shares, counts = [], {}
    for kind in KINDS:
        if rule in asked[kind]:
            found, counts[kind] = exemplars.detected(corpus.found[kind], rule)
            shares += [(kind, head, float(value)) for head, value in enumerate(found)]
    return _ranking(shares, counts, rule, corpus)


def _ranking(
    shares: list[tuple[str, int, float]], counts: Mapping[str, int], rule: str, corpus: Corpus
) -> Panel:
    heads = session.translator().config.heads
    best = sorted(shares, key=lambda each: -each[2])[:RANKED]
    labels = [head_name(kind, *divmod(head, heads)) for kind, head, _ in best]
    drawn = effects(
        labels, [value for *_, value in best], say("detector.alt"),
        picks=[[kind, *divmod(head, heads)] for kind, head, _ in best],
        names=[f"{kind}.{head}" for kind, head, _ in best], written="{:.3f}",
    )  # fmt: skip
    left, right = st.columns(2, gap="medium")
    with left:
        st.text(say("detector.seen", head=labels[0], share=f"{best[0][2]:.1%}", n=counts[best[0][0]]))
        show(drawn, key="detector", on_pick=lambda: pick("detector"))
    with right:
        kind, head, _ = best[0]
        order = exemplars.ranked(corpus.found[kind], rule, head)
        st.caption(say("detector.counter"))
        for number, value in order[-2:]:
            st.caption(f"{value:.2f}")
            show(_sentence(corpus.probes[number], kind, head, head % heads), key=f"counter_{number}")
    st.caption(say("detector.what"))
    return {"detector": drawn}, {"shares": np.array([value for *_, value in shares])}


def _by_number(rule: str) -> tuple:
    return (0, int(rule.removeprefix("offset."))) if rule.startswith("offset.") else (1, rule)


def _painted(chosen: Selection) -> Panel:
    """Paint cells on the current sentence: which heads put their weight there?"""
    trace = session.current_trace()
    looking, looked_at = sides(trace, chosen.kind, chosen.reading)
    shape = len(looking.pieces), len(looked_at.pieces)
    mask = trace.mask[chosen.kind][0, 0]
    cells = [at for at in st.session_state.get("painted", []) if at[0] < shape[0] and at[1] < shape[1]]
    canvas = np.zeros(shape, np.float32)
    for row, column in cells:
        canvas[row, column] = 1.0
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(say("paint.what"))
        heatmap(
            canvas, mask, [readable(piece, say) for piece in looking.pieces],
            [readable(piece, say) for piece in looked_at.pieces], say, key="paint", label=say("paint.what"),
            rows=say(looking.axis), columns=say(looked_at.axis), unit=say("paint.unit"), on_pick=_paint,
        )  # fmt: skip
    if not cells:
        return {}, {}
    attention = trace.attention[chosen.kind]
    found = exemplars.painted(attention.reshape(-1, *shape), mask, cells)
    best = np.argsort(-found, kind="stable")[:RANKED]
    labels = [head_name(chosen.kind, *divmod(int(n), attention.shape[1])) for n in best]
    drawn = effects(
        labels, [float(found[n]) for n in best], say("detector.alt"),
        names=[f"painted.{n}" for n in best], written="{:.3f}",
        picks=[[chosen.kind, *map(int, divmod(n, attention.shape[1]))] for n in best],
    )  # fmt: skip
    with right:
        show(drawn, key="detector", on_pick=lambda: pick("detector"))
        st.caption(say("paint.one_sentence"))
    return {"detector": drawn}, {"painted": np.array(cells), "weights": found}


def _paint() -> None:
    """A click paints a cell, another one takes the paint off."""
    picked = st.session_state["paint"]["pick"] or {}
    if picked.get("row") is None:
        return
    at, before = (picked["row"], picked["column"]), list(st.session_state.get("painted", []))
    st.session_state["painted"] = [cell for cell in before if cell != at] + ([] if at in before else [at])
