"""A button that saves a drawing as PNG; the visitor's own browser makes the pixels.

The drawing travels with the button, so put it where it is asked for, as in a dialog.
"""

from viz.components import source
from viz.components.library import view

_mount = view("save_png", html='<button type="button"></button>\n', css=source.style("save_png.css"))


def save_png(svg: str, file_name: str, label: str, key: str) -> None:
    """Offer `svg` as a PNG of twice its size."""
    _mount(key=key, data={"svg": svg, "file_name": file_name, "label": label})
