"""Experiments to start from: each was measured on this checkpoint, is one click, and teaches one thing."""

from collections.abc import Sequence

import streamlit as st

from model.inspect.edits import Edit
from viz.figures.changes import marked
from viz.pages.experiment import Experiment
from viz.pages.experiment.numbers import stories as told
from viz.pages.experiment.numbers.stories import Story
from viz.state import runs, session
from viz.state.language import say
from viz.state.session import chosen, select
from viz.text import verbatim
from viz.widgets.names import head_name, phenomenon_name


def starts() -> None:
    """A button for each; none where nobody has looked for any. While nothing is changed, they are cards."""
    offered = told.offered(runs.stories()) if session.edits() or chosen(Experiment).test != "compare" else []
    if not offered:
        return
    with st.container(horizontal=True, gap="small", key="starts"):
        for story in offered:
            _button(story, f"story_{story['name']}", "tertiary")
        _why()


def invitation() -> None:
    """Nothing is changed yet: what becomes of a translation in each experiment, and the way there."""
    if offered := told.offered(runs.stories()):
        with st.container(key="invitation", gap="small"):
            for place, story in enumerate(offered):
                _button(story, f"story_{story['name']}", "secondary" if place else "primary")
                before, after = story["before"], story["after"]
                st.html(f'<p class="ink card">{marked(before, after)}<br>→ {marked(after, before)}</p>')
            _why()


def _why() -> None:
    """Why the one word and not the other?"""
    if story := contested():
        words = story["word"]
        label = say("story.contrast", this=words["before"], that=words["after"])
        st.button(verbatim(label), key="story_contrast", on_click=_ask_why, args=(story,), type="tertiary")


def taught(text: str, made: Sequence[Edit]) -> str:
    """What the experiment on screen teaches, where it is one of ours."""
    story = told.on_screen(runs.stories(), text, made)
    if story is None:
        return ""
    phenomenon = story["phenomenon"]
    return told.lesson(story, _head(story), phenomenon_name(phenomenon) if phenomenon else "", say)


def contested() -> Story | None:
    """The best story in which one word takes another's place: there one can ask why."""
    fitting = (each for each in runs.stories() if each["way"] == "head" and all(each["word"].values()))
    return next((each for each in fitting if each["kind"] != "encoder"), None)


def _button(story: Story, key: str, kind: str) -> None:
    st.button(
        verbatim(told.label(story, _head(story), say)), key=key, type=kind,  # type: ignore[arg-type]
        help=verbatim(story["sentence"]), on_click=_begin, args=(story,),
    )  # fmt: skip


def _head(story: Story) -> str:
    return head_name(story["kind"], story["layer"], story["head"])


def _begin(story: Story) -> None:
    """Sentence, change, and the part that was changed: one click."""
    session.write(story["sentence"])
    session.change(*told.edits_of(story))
    _look_at(story)
    select(test="compare", row=story["row"])


def _ask_why(story: Story) -> None:
    """The same words, and the question why the one and not the other; asked at once."""
    text, made, row = story["sentence"], told.edits_of(story), story["at"]
    session.write(text)
    session.change()
    _look_at(story)
    rival = runs.edited_trace(text, made).target.predicted_ids[row]
    select(test="contrast", row=row, rival=rival)
    st.session_state["asked_at_once"] = True


def _look_at(story: Story) -> None:
    select(
        kind=story["kind"], layer=story["layer"], head=(story["head"],), column=story["column"],
        reading="predicted",
    )  # fmt: skip
