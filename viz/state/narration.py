"""What is told beside a view: a step of the opening, or the sentence of a scene.

Either belongs to the view that it was told of. Once a visitor looks at anything else, it has ended.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from viz.state.choices import Choices, integer, word

MOST_STEPS = 6  # of the opening


@dataclass(frozen=True)
class Narration(Choices):
    opening: int = integer(0, below=MOST_STEPS + 1)  # the step, from 1; 0: there is no opening
    scene: str = word("")  # its name


TOLD = Narration.names()
AS_BEFORE = (*TOLD, "lang", "present")  # none of these is another view


def settled(page: str, here: Mapping[str, str]) -> Mapping[str, str]:
    """The link to what is on screen, without what was told of another view.

    Only before the widgets of this run are drawn.
    """
    if not any(name in here for name in TOLD):
        return here
    view = {name: value for name, value in here.items() if name not in AS_BEFORE} | {"page": page}
    if st.session_state.narrated is None:
        st.session_state.narrated = view
    if st.session_state.narrated == view:
        return here
    tell()
    return {name: value for name, value in here.items() if name not in TOLD}


def tell(opening: int = 0, scene: str = "") -> None:
    """Tell this of the view that is about to be shown, and nothing else."""
    st.session_state.opening, st.session_state.scene, st.session_state.narrated = opening, scene, None
