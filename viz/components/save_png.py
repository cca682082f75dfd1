"""A button that saves a drawing as PNG; the visitor's own browser makes the pixels.

The drawing travels with the button, so put it where it is asked for, as in a dialog.
"""

from pathlib import Path

import streamlit as st

HERE = Path(__file__).parent
_mount = st.components.v2.component(
    "headlight_save_png",
    html='<button type="button"></button>\n',
    css=(HERE / "save_png.css").read_text("utf-8"),
    js=(HERE / "save_png.js").read_text("utf-8"),
)


def save_png(svg: str, file_name: str, label: str, key: str) -> None:
    """Offer `svg` as a PNG of twice its size."""
    _mount(key=key, data={"svg": svg, "file_name": file_name, "label": label})
