"""A page inside a notebook: a frame that holds all of it, over a still picture of what it shows.

The page brings its own script and asks nobody for anything. It shows itself once that script has run; where a
notebook lets none run, as on GitHub or before one is trusted, the picture stays.
"""

import base64

from viz.figures.svg import escape, tag

ONE_PLACE = "grid-area: 1 / 1; "  # both lie on one spot, the frame on top


def framed(page: str, svg: str, said: str) -> str:
    """`svg` is the still picture, `said` the same in words for those who hear it."""
    data = base64.b64encode(svg.encode()).decode()
    still = tag("img", src=f"data:image/svg+xml;base64,{data}", alt=said, style=f"{ONE_PLACE}max-width: 100%")
    # Not an empty element: HTML would read on to the end of the notebook.
    frame = (
        f'<iframe class="headlight" srcdoc="{escape(page)}" title="Headlight" '
        f'style="{ONE_PLACE}width: 100%; height: 100%; border: 0; opacity: 0"></iframe>'
    )
    return tag("div", still, frame, style="display: grid; justify-items: start")
