"""One token's way up through the layers: what is chosen, and a panel for each question about it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
import streamlit as st

from model import Trace
from model.inspect.gradients import gradient_norms
from model.inspect.sublayers import PARTS, Sublayer, stack_of, sublayers
from viz.components import drawing
from viz.export import dialog as export
from viz.export.handout import Section
from viz.figures.drawing import Drawing
from viz.figures.labels import readable
from viz.figures.numbers import compact
from viz.pages.layers import numbers as journey
from viz.pages.layers.figures import depth, diagram, stream
from viz.state import session
from viz.state.examples import EXAMPLES
from viz.state.picture import sides
from viz.state.session import say, select, selection
from viz.text import verbatim
from viz.widgets.controls import choose

MANY = 40  # tokens: more are chosen from a list
DIMENSION = 0  # the number of the vector that formulas follow


@dataclass(frozen=True)
class Here:
    """The token and the sublayer that this visitor looks at."""

    trace: Trace
    stack: str
    row: int
    labels: tuple[str, ...]  # of all tokens of the stack
    layer: int
    part: str

    @cached_property
    def steps(self) -> list[Sublayer]:
        return sublayers(self.stack, session.translator().config.layers)

    @property
    def step(self) -> Sublayer:
        return next(step for step in self.steps if step[1:3] == (self.layer, self.part))

    @property
    def place(self) -> diagram.Place:
        return self.stack, self.layer, self.part

    @property
    def places(self) -> list[diagram.Place]:
        return [step[:3] for step in self.steps]

    @property
    def stream(self) -> journey.Stream:
        return self.trace.stream[self.stack]

    @property
    def kept(self) -> bool:
        """Whether the run was kept whole; of very long sentences it is not."""
        return self.steps[0].before in self.stream

    @property
    def token(self) -> str:
        return self.labels[self.row]


class Panel(NamedTuple):
    """What a panel shows and says, and the numbers behind it."""

    pictures: dict[str, Drawing]
    arrays: dict[str, np.ndarray]
    finding: str  # in this run's own numbers; may hold typed words
    explained: str  # plain text, too
    formula: str = ""
    beside: bool = False  # whether a second picture stands beside the first, not under it


def here(trace: Trace) -> Here:
    chosen = selection()
    stack = stack_of(chosen.kind)
    looking, _ = sides(trace, chosen.kind, chosen.reading)
    fits = chosen.row is not None and chosen.row < len(looking.pieces)
    row = chosen.row if fits else journey.usual_row(looking.pieces, looking.words)
    labels = tuple(readable(piece, say) for piece in looking.pieces)
    return Here(trace, stack, row, labels, chosen.layer, journey.part_of(stack, chosen.part))


def controls(trace: Trace) -> None:
    """The stack, the panel, how decoder rows are called, and the token."""
    st.session_state["stack"] = stack_of(selection().kind)
    st.segmented_control(
        say("stack.label"), tuple(PARTS), key="stack", required=True, on_change=_change_stack,
        format_func={stack: say(f"stack.{stack}") for stack in PARTS}.get,
    )  # fmt: skip
    choose("journey")
    if stack_of(selection().kind) == "decoder":
        choose("reading")
    now = here(trace)
    st.session_state["token"] = now.row
    many = len(now.labels) > MANY
    offer = st.selectbox if many else partial(st.pills, required=True, wrap=True)
    written = now.labels if many else [verbatim(label) for label in now.labels]  # a list reads no Markdown
    offer(
        say("token.label"), range(len(written)), key="token", format_func=written.__getitem__,
        on_change=_change_token, label_visibility="collapsed",
    )  # fmt: skip


def architecture(now: Here) -> Drawing:
    config = session.translator().config
    shape = diagram.Shape(
        config.layers, len(now.trace.source.ids), len(now.trace.target.read),
        config.width, config.hidden, config.heads, config.vocabulary,
    )  # fmt: skip
    lengths = {}
    if now.kept:
        found = journey.added(now.stream, now.steps, now.row)
        lengths = {"embedding": found.before[0]} | dict(
            zip(map(diagram.name, now.places), found.after, strict=True)
        )
    parts = {stack: tuple(parts) for stack, parts in PARTS.items()}
    return diagram.architecture(shape, parts, now.place, lengths, say)


def show_architecture(now: Here) -> Drawing:
    """The diagram, and what the chosen box does."""
    drawn, config = architecture(now), session.translator().config
    drawing.show(drawn, key="diagram", on_pick=partial(_pick, "diagram"))
    said = {"heads": config.heads, "width": config.width, "hidden": config.hidden, "layer": now.layer + 1}
    count = journey.parameters(now.part, config.width, config.hidden)
    job = f"{now.stack}_{now.part}" if now.part == "attention" else now.part
    formula, size = f"${_sublayer_formula(now.part)}$", say("does.parameters", count=f"{count:,}")
    st.caption(f"{say(f'does.{job}', **said)} {formula}. {size}")
    return drawn


def show_panel(now: Here) -> Panel | None:
    """The chosen panel; nothing but one sentence where the run was not kept."""
    chosen = selection().journey
    if not now.kept:
        st.info(say("journey.long", most=session.LONG))
        return None
    if chosen == "vocabulary" and now.stack == "encoder":
        st.info(say("vocabulary.encoder"))
        st.button(say("vocabulary.switch"), key="to_decoder", on_click=_to_stack, args=("decoder",))
        return None
    panel = PANELS[chosen](now)
    large, beside = st.columns([1.45, 1], gap="medium")
    for number, (key, picture) in enumerate(panel.pictures.items()):
        with beside if number and panel.beside else large:
            view = f"picture_{key}"  # a name that no choice of this visitor has
            drawing.show(picture, key=view, on_pick=partial(_pick, view))
    with beside:
        st.text(panel.finding)
        if panel.formula:
            st.latex(panel.formula)
        st.caption(verbatim(panel.explained))
    return panel


def files(now: Here, drawn: Drawing, panel: Panel | None) -> export.Files:
    """The diagram and the panel, to take home."""
    chosen = selection()
    pictures = {"diagram": drawn} | (panel.pictures if panel else {})
    written = {key: picture.svg() for key, picture in pictures.items()}
    title, said = say(f"journey.{chosen.journey}"), panel.explained if panel else say("layers.title")
    sections = [Section(say("diagram.title"), written["diagram"], f"{say('token.label')}: {now.token}")]
    for number, key in enumerate(panel.pictures if panel else ()):
        text = said if number else f"{panel.finding} {said}"
        sections.append(Section(title, written[key], text))
    facts = {"stack": now.stack, "token": now.row} | (panel.arrays if panel else {})
    return export.panel_files("layers", now.trace, chosen, written, facts, sections, say("layers.title"))


def added(now: Here) -> Panel:
    found = journey.added(now.stream, now.steps, now.row)
    numbers, at = found._asdict(), now.places.index(now.place)
    most = int(found.added.argmax())
    values = {"added": f"{found.added[most]:.2f}", "before": f"{found.before[most]:.2f}"}
    return Panel(
        {"added": stream.added(now.places, numbers, now.place, say)},
        numbers,
        say("added.finding", token=now.token, place=_named(now.places[most]), **values),
        say("added.explained"),
        rf"\begin{{gathered}}\lVert x\rVert={found.before[at]:.2f}\quad"
        rf"\lVert f(x)\rVert={found.added[at]:.2f}\\\cos(x,f(x))={found.cosine[at]:.2f}\end{{gathered}}",
    )


def norm(now: Here) -> Panel:
    found = journey.spreads(now.stream, now.steps, now.row)
    layer_norm, total = now.trace.norm(now.step.after), journey.totals(now.stream, now.step)
    one, at = journey.one_norm(total[now.row], layer_norm, DIMENSION), now.places.index(now.place)
    pictures = {"norm": stream.norms(now.places, found._asdict(), now.place, say)}
    arrays = found._asdict() | {f"first_{name}": np.float64(value) for name, value in one._asdict().items()}
    said = say("norm.explained")
    if other := _other_sentence():
        there = journey.totals(session.trace_of(other).stream[now.stack], now.step)
        norms = journey.both_norms(total, there, now.row, layer_norm.epsilon)._asdict()
        pictures["batch"] = stream.batch(
            {name: float(values[DIMENSION]) for name, values in norms.items()}, say
        )
        change = {
            way: f"{abs(norms[f'{way}_together'] - norms[f'{way}_alone']).mean():.3f}"
            for way in ("layer", "batch")
        }
        arrays |= norms
        said = f"{said} {say('batch_norm.explained', other=other, width=total.shape[1], **change)}"
    values = {"mean": f"{found.mean_before[at]:.2f}", "spread": f"{found.spread_before[at]:.2f}"}
    return Panel(
        pictures, arrays, say("norm.finding", token=now.token, place=_named(now.place), **values), said,
        r"\begin{gathered}\gamma_1\frac{x_1-\mu}{\sigma}+\beta_1=\\"
        rf"{one.weight:.3f}\cdot\frac{{{one.x:.3f}{-one.mean:+.3f}}}{{{one.spread:.3f}}}{one.bias:+.3f}\\"
        rf"={one.result:.3f}\end{{gathered}}",
    )  # fmt: skip


def path(now: Here) -> Panel:
    plane, frame = _plane(session.checkpoint(), now.stack)
    points = journey.heights(now.stream, now.steps)
    placed, share = plane.place(points), plane.share(points)
    drawn = stream.path(placed, frame, now.row, now.labels, now.places, now.place, say)
    moved = float(np.linalg.norm(placed[-1, now.row] - placed[0, now.row]))
    return Panel(
        {"path": drawn},
        {"points": placed, "share": np.float64(share)},
        say("path.finding", token=now.token, moved=f"{moved:.1f}", share=f"{share:.1%}"),
        say("path.explained", layers=now.steps[-1].layer + 1),
    )


def units(now: Here) -> Panel:
    where = next(step.where for step in now.steps if step[1:3] == (now.layer, "feed_forward"))
    hidden, config = now.stream[f"{where}.hidden"][now.row], session.translator().config
    firing, best = int((hidden > 0).sum()), journey.strongest(hidden)
    counts = {"firing": firing, "hidden": len(hidden), "percent": f"{firing / len(hidden):.1%}"}
    sizes = {"width": config.width, "hidden": config.hidden, "times": f"{config.hidden / config.width:g}"}
    return Panel(
        {"units": depth.units(hidden, say), "unit_bars": depth.unit_bars(best, hidden[best], say)},
        {"hidden": hidden, "strongest": best},
        say("units.finding", token=now.token, layer=now.layer + 1, **counts),
        say("units.explained", **sizes),
        rf"\begin{{gathered}}{_widened(config.activation)}\,W_2+b_2\\"
        rf"{config.width}\to{config.hidden}\to{config.width}\end{{gathered}}",
        beside=True,
    )  # fmt: skip


def vocabulary(now: Here) -> Panel:
    ids, log_probs = (array[:, now.row] for array in now.trace.top)  # (L, 20)
    choices = session.translator().tokenizer.choices
    pieces = [[readable(piece, say) for piece in choices(row.tolist())] for row in ids]
    final = now.trace.target.predicted_ids[now.row]
    ranks, probabilities = journey.ranks(ids, final), np.exp(log_probs)
    label = readable(choices([final])[0], say)
    written = ", ".join(str(rank) if rank else f"> {ids.shape[1]}" for rank in ranks)
    drawn = depth.vocabulary(pieces, probabilities, ids, final, label, ranks, say)
    return Panel(
        {"vocabulary": drawn},
        {"ids": ids, "probabilities": probabilities, "ranks": np.array([rank or 0 for rank in ranks])},
        say("vocabulary.finding", piece=label, ranks=written, layers=len(ranks)),
        say("vocabulary.explained", most=ids.shape[1]),
        r"p=\mathrm{softmax}(x\,E^\top)",
    )


def gradients(now: Here) -> Panel:
    with st.spinner(say("gradients.working")):
        found = _gradients(session.checkpoint(), st.session_state.shown)
    paths = [now.steps[0].before, *(step.after for step in now.steps)]
    lengths = {way: np.array([by_path[path][now.row] for path in paths]) for way, by_path in found.items()}
    per_layer = len(PARTS[now.stack])
    ticks = [(layer * per_layer, str(layer)) for layer in range(len(now.steps) // per_layer + 1)]
    cursor = now.places.index(now.place) + 1
    lowest = {way: compact(values[0]) for way, values in lengths.items()}
    return Panel(
        {"gradients": depth.gradients(lengths, ticks, cursor, say)},
        lengths,
        say("gradients.finding", token=now.token, **lowest),
        say("gradients.explained"),
        r"\left\lVert\frac{\partial L}{\partial x}\right\rVert,\; L=-\sum_t\log p(y_t)",
    )


PANELS: dict[str, Callable[[Here], Panel]] = {
    "added": added, "norm": norm, "path": path,
    "units": units, "vocabulary": vocabulary, "gradients": gradients,
}  # fmt: skip


def _named(place: diagram.Place) -> str:
    return say("sublayer.named", layer=place[1] + 1, part=say(f"sublayer.{place[2]}"))


def _widened(activation: str) -> str:
    return r"\max(0,\,xW_1+b_1)" if activation == "relu" else r"\mathrm{GELU}(xW_1+b_1)"


def _sublayer_formula(part: str) -> str:
    config = session.translator().config
    if part == "feed_forward":
        return rf"{_widened(config.activation)}\,W_2+b_2"
    seen = "m" if part == "cross" else "x"
    scores = rf"\frac{{xW^Q({seen}W^K)^\top}}{{\sqrt{{{config.head_width}}}}}"
    return rf"\mathrm{{softmax}}\left({scores}\right){seen}W^V"


def _change_stack() -> None:
    _to_stack(st.session_state["stack"])


def _to_stack(stack: str) -> None:
    """The other side has other tokens, so the chosen one is forgotten."""
    if stack == stack_of(selection().kind):
        return
    kind = "cross" if selection().part == "cross" and stack == "decoder" else stack
    select(kind=kind, row=None, column=None)


def _change_token() -> None:
    select(row=st.session_state["token"])


def _pick(view: str) -> None:
    """A sublayer was clicked, in the diagram or in a panel."""
    picked = st.session_state[view]["pick"]
    if not picked:
        return
    stack, layer, part = picked
    _to_stack(stack)
    if part == "cross":
        select(kind="cross")
    elif part == "attention":
        select(kind=stack)
    select(layer=layer, part=part)


def _other_sentence() -> str | None:
    """Another sentence to share a batch with, of which everything is kept."""
    for name in ("question", "noun"):
        text = EXAMPLES[name]
        if text == st.session_state.shown or session.refusal(text) is not None:
            continue
        if len(session.translator().read(text).ids) <= session.LONG:
            return text
    return None


@st.cache_resource(show_spinner=False, max_entries=8)
def _plane(checkpoint: str, stack: str) -> tuple[journey.Plane, np.ndarray]:
    """The map of a checkpoint's stack, and where its example lies on it; one for all, so they compare.

    Each stack has a map of its own: the two live apart, and a common one would show little else.
    """
    trace = session.trace_of(session.EXAMPLE)
    points = journey.heights(trace.stream[stack], sublayers(stack, session.translator().config.layers))
    flat = points.reshape(-1, points.shape[-1])
    plane = journey.fit_plane(flat)
    return plane, plane.place(flat)


@st.cache_resource(show_spinner=False, max_entries=64)
def _gradients(checkpoint: str, text: str) -> dict[str, dict[str, np.ndarray]]:
    trace = session.trace_of(text)
    return gradient_norms(session.translator().model, trace.source.ids, trace.target.predicted_ids)
