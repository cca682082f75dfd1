"""Style sheets of single parts of the frame, sent only while they are shown."""

from functools import cache
from pathlib import Path

import streamlit as st

from viz.components.source import tight, variables
from viz.figures.palette import DARK, LIGHT

MARK = f":root {{ --mark: light-dark({LIGHT.mark}, {DARK.mark}); }}\n"


def put(name: str) -> None:
    """The style sheet of this name, here."""
    st.html(_style(name))


@cache
def _style(name: str) -> str:
    sheet = Path(__file__).with_name(f"{name}.css").read_text("utf-8")
    return f"<style>{tight(variables(sheet, ':root') + MARK + sheet)}</style>"
