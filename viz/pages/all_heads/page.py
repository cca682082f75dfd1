"""All heads: what patterns are there? Every head of the current sentence at once, small and exact."""

from collections.abc import Callable, Mapping

import streamlit as st

from model import Trace
from model.network.kinds import KINDS
from viz.components.head_grid import FROM_NOTHING, Block, Least, head_grid, payload
from viz.export import files, standalone
from viz.figures.grid_svg import Maps, grid_svg
from viz.figures.labels import readable
from viz.pages.all_heads import AllHeads
from viz.pages.all_heads.numbers import MEASURES, measures
from viz.state.language import say
from viz.state.picture import sides
from viz.state.runs import current_trace, translation_of
from viz.state.session import chosen, go, select, selection
from viz.state.walking import arriving
from viz.text import translate
from viz.widgets.controls import choose
from viz.widgets.names import named_heads, names_on_file
from viz.widgets.panel import Facts, Panel


def show() -> Panel:
    trace = current_trace()
    st.title(say("all_heads.title"), anchor=False)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="controls"):
        choose("measure")
        choose("reading")
        choose("colour")
    measure, made = chosen(AllHeads).measure, blocks(trace, selection().reading)
    with st.container(key="panel"):
        head_grid(
            made, selection(), measure, say, on_open=_open, on_least=_sift, least=_told(chosen(AllHeads))
        )
        if measure != "none":
            st.markdown(say(f"all_heads.seen.{measure}"))
        st.markdown(_explained(made))
    return _take_home(trace, made, measure)


def blocks(trace: Trace, reading: str) -> list[Block]:
    """Every head of every kind, with what each measure says of it."""
    measured, known = {name: measures(trace, name) for name in MEASURES}, named_heads()
    made = []
    for kind in KINDS:
        looking, looked_at = sides(trace, kind, reading)
        named = "source" if kind == "encoder" else f"{kind}.{reading}"
        made.append(
            Block(
                kind=kind,
                weights=trace.attention[kind],
                mask=trace.mask[kind],
                queries=[readable(piece, say) for piece in looking.pieces],
                keys=[readable(piece, say) for piece in looked_at.pieces],
                axes=say(f"all_heads.rows.{named}"),
                measures={name: by_kind[kind] for name, by_kind in measured.items()},
                names={where[1:]: names for where, names in known.items() if where[0] == kind},
            )
        )
    return made


def _explained(made: list[Block]) -> str:
    """What one sees; names only where there are any. A wall has room for one line, and somebody who tells."""
    named = any(block.names for block in made)
    if named and selection().present == "on":
        return say("all_heads.named")
    return f"{say('all_heads.seen')} {say('all_heads.named')}" if named else say("all_heads.seen")


def _open() -> None:
    """A head was clicked: on to Look at all of it, at none of its cells."""
    opened = st.session_state["all_heads"]["open"]
    if opened:
        select(**opened | {"head": tuple(opened["head"]), "row": None, "column": None})
        go("look")


def _sift() -> None:
    """Some heads were sifted out, in the browser; a head that is only pointed at says nothing here."""
    if sifted := st.session_state["all_heads"]["least"]:
        st.session_state["only"] = f"{sifted['measure']}:{sifted['least']:.2f}" if sifted["least"] else ""
        st.session_state["only_said"] = st.session_state["only"]


def _told(asked: AllHeads) -> Least:
    """What the browser is told to sift by: again only if it did not say so itself."""
    before: Least = st.session_state.setdefault("only_told", FROM_NOTHING)
    if arriving() or asked.only != st.session_state.get("only_said"):
        st.session_state["only_said"] = asked.only
        before = st.session_state["only_told"] = Least(before.times + 1, least(asked))
    return before


def least(asked: AllHeads) -> float:
    """The value of the measure from which on heads are shown; that of another measure is forgotten."""
    measure, _, value = asked.only.partition(":")
    try:
        return float(value) if measure == asked.measure else 0.0
    except ValueError:
        return 0.0


def _take_home(trace: Trace, made: list[Block], measure: str) -> Panel:
    speak, here, explained = translate(st.session_state.language), selection(), _explained(made)
    maps = [Maps(say(f"kind.{block.kind}"), block.weights, block.mask, block.names) for block in made]
    names, sifted = names_on_file(), Least(1, least(chosen(AllHeads)))
    said = {
        "sentence": st.session_state.shown,
        "translation": translation_of(trace).text,
        "explanation": explained,
    }

    def numbers(about: Facts) -> Mapping[str, Callable[[], str | bytes]]:
        everyone = {**about, "names": names}
        return {
            "CSV": lambda: files.measures_csv(made, names),
            "JSON": lambda: files.trace_json(trace, everyone),
            "NPZ": lambda: files.trace_npz(trace, everyone),
        }

    return Panel(
        {"grid": lambda: grid_svg(maps, say, title=said["sentence"], colour=here.colour)},
        explained=explained,
        headings={"grid": say("all_heads.short")},
        name="all-heads",
        numbers=numbers,
        alone=lambda: standalone.grid_page(
            payload(made, here, measure, speak, sifted), speak, title=speak("all_heads.title"), **said
        ),
    )
