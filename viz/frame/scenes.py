"""The list of scenes, each with a small picture and what it shows; and the sentence of the open one."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from viz.figures.numbers import fixed, percent
from viz.figures.thumbnail import thumbnail
from viz.frame import sheet
from viz.state import session
from viz.state.language import say
from viz.state.narration import Narration, tell
from viz.state.scenes import Scene, scene, scenes
from viz.text import verbatim
from viz.widgets.names import head_name, phenomenon_name

SHARES = ("was", "now", "error", "rule")  # written as percentages


def choose_scene() -> None:
    """What is in the list; it is made when somebody opens it first, and kept for everybody."""
    sheet.put("scenes")
    st.caption(say("examples.what"))
    with st.container(key="scenes", gap="small"):
        for each in scenes():
            with st.container(key=f"scene_{each.name}", horizontal=True, gap="small"):
                st.html(_picture(each))
                with st.container(gap=None):
                    st.button(
                        verbatim(each.sentence), key=f"example_{each.name}", type="tertiary",
                        on_click=open_scene, args=(each,),
                    )  # fmt: skip
                    st.caption(verbatim(said(each)))


def open_scene(each: Scene) -> None:
    """All that the scene shows, and nothing of what was chosen before."""
    st.session_state["examples"] = False  # the list closes
    session.reset()
    session.select(**each.view)
    session.write(each.sentence)
    st.session_state.edits = each.edits
    session.go(each.page)
    tell(scene=each.name)


def read_scene() -> None:
    """The one sentence of the open scene, for as long as its view is shown."""
    if (name := session.chosen(Narration).scene) and (found := scene(name)):
        sheet.put("scenes")
        st.html(f'<p class="scene">{escape(said(found))}</p>')


def said(each: Scene) -> str:
    """In words, with the numbers of this checkpoint."""
    return say(f"scene.{each.told}", **_written(each.values))


def _written(values: Mapping[str, object]) -> dict[str, str]:
    written = {}
    for name, value in values.items():
        if name == "head" and isinstance(value, tuple):
            written[name] = head_name(*value)
        elif name == "phenomenon":
            written[name] = phenomenon_name(str(value))
        elif isinstance(value, float):
            written[name] = _chance(value) if name in SHARES else fixed(value, 2)
        else:
            written[name] = str(value)
    return written


def _chance(share: float) -> str:
    return percent(share, 0) if share >= 0.01 else say("scene.less", than=percent(0.01, 0))


def _picture(each: Scene) -> str:
    if each.weights is not None:
        return f'<div class="thumbnail">{thumbnail(each.weights, each.hue)}</div>'
    before, after = map(escape, each.words or ("", ""))
    first = "s" if each.edits != "[]" else "span"  # only what the model no longer writes is struck out
    return f'<div class="thumbnail"><{first}>{before}</{first}><b>{after or "–"}</b></div>'
