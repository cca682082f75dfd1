"""A translation of one's own, typed: what cannot be read is refused in one sentence, and nothing is lost."""

import streamlit as st

from viz.state import runs
from viz.state.language import say
from viz.state.refusals import reason
from viz.text import language_name


def target_language() -> str:
    """What the model writes, as a word."""
    return language_name(runs.translator().config.target, say)


def refusal(typed: str, longest: int | None = None) -> str | None:
    """Why this cannot be a translation, in one sentence. None: it can, or nothing was typed.

    `longest` is how many pieces there is room for, where that is less than the model reads.
    """
    if not typed.strip():
        return None
    translator = runs.translator()
    try:
        most = min(longest or translator.config.length, translator.config.length)
        translator.tokenizer.target.encode(typed, most)
    except ValueError as error:
        return reason(error)
    return say("typed.foreign", language=target_language()) if runs.outside_vocabulary(typed) else None


def last_readable(key: str, sentence: str, typed: str, longest: int | None = None) -> str | None:
    """What somebody typed, or the last that could be read for this sentence; None where there is neither."""
    kept = f"{key}_last"
    if not typed.strip():
        st.session_state.pop(kept, None)
        return None
    if refusal(typed, longest) is None:
        st.session_state[kept] = (sentence, typed)
    last_sentence, last = st.session_state.get(kept, ("", ""))
    return last if last_sentence == sentence else None


def leave_behind(key: str, sentence: str) -> None:
    """A translation belongs to its sentence: with another one the box is empty again. Before it is drawn."""
    kept, typed = f"{key}_typed_for", st.session_state[key]
    before, text = st.session_state.get(kept, (sentence, typed))
    if before != sentence and text == typed:
        st.session_state[key] = typed = ""
    st.session_state[kept] = (sentence, typed)
