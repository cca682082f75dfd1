"""The token and the sublayer that this visitor looks at, and the controls that move them."""

from dataclasses import dataclass
from functools import cached_property, partial

import streamlit as st

from model import Trace
from model.inspect.sublayers import PARTS, Sublayer, sublayers
from model.network.kinds import stack_of
from viz.figures.labels import readable
from viz.pages.layers import Layers, numbers
from viz.pages.layers.figures import diagram
from viz.state import runs
from viz.state.language import say
from viz.state.picture import sides
from viz.state.rows import rows
from viz.state.session import chosen, select, selection
from viz.text import verbatim
from viz.widgets.controls import choose

MANY = 40  # tokens: more are chosen from a list


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
        return sublayers(self.stack, runs.translator().config.depth(self.stack))

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
    def stream(self) -> numbers.Stream:
        return self.trace.stream[self.stack]

    @property
    def kept(self) -> bool:
        """Whether the run was kept whole; of very long sentences it is not."""
        return self.steps[0].before in self.stream

    @property
    def token(self) -> str:
        """Whose vector this is: in the decoder that of the word just read, and what it predicts from it."""
        return rows(self.trace, self.stack, say).options()[self.row]


def here(trace: Trace) -> Here:
    seen = selection()
    stack = stack_of(seen.kind)
    looking, _ = sides(trace, seen.kind, seen.reading)
    row = seen.row
    if row is None or row >= len(looking.pieces):
        row = numbers.usual_row(looking.pieces, looking.words)
    labels = tuple(readable(piece, say) for piece in looking.pieces)
    part = numbers.part_of(stack, chosen(Layers).part)
    return Here(trace, stack, row, labels, seen.layer, part)


def controls(trace: Trace) -> None:
    """The stack, the panel, how decoder rows are called, and the token."""
    st.session_state["stack"] = stack_of(selection().kind)
    st.segmented_control(
        say("stack.label"), tuple(PARTS), key="stack", required=True, on_change=_change_stack,
        format_func={stack: say(f"stack.{stack}") for stack in PARTS}.__getitem__,
    )  # fmt: skip
    choose("layers")
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


def _change_stack() -> None:
    to_stack(st.session_state["stack"])


def to_stack(stack: str) -> None:
    """The other side has other tokens, so the chosen one is forgotten."""
    if stack == stack_of(selection().kind):
        return
    kind = "cross" if chosen(Layers).part == "cross" and stack == "decoder" else stack
    select(kind=kind, row=None, column=None)


def _change_token() -> None:
    select(row=st.session_state["token"])


def pick(view: str) -> None:
    """A sublayer was clicked, in the diagram or in a panel."""
    picked = st.session_state[view]["pick"]
    if not picked:
        return
    stack, layer, part = picked
    to_stack(stack)
    if part == "cross":
        select(kind="cross")
    elif part == "attention":
        select(kind=stack)
    select(layer=layer, part=part)
