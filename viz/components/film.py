"""A film of heads: maps that morph from moment to moment, what was written then, curves and a time line.

It plays in the browser from what it got at once. What it tells Python: the moment where it came to rest, and
the head that was clicked.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from viz.components import source
from viz.components.library import view
from viz.figures.scales import ticks

MARKUP = """
<div class="film" role="group">
  <div class="bar">
    <button class="play" type="button"></button>
    <div class="told"><p class="sentence"></p><p class="written"></p></div>
    <p class="now"></p>
  </div>
  <div class="middle">
    <figure class="map">
      <div class="looked-at"></div>
      <div class="columns"></div>
      <div class="looking"></div>
      <div class="rows"></div>
      <div class="cells"><canvas></canvas><div class="tip" role="status" hidden></div></div>
      <div class="legend"><span class="unit"></span><div class="scale"><div class="ramp"></div>
      <div class="ticks"></div></div></div>
    </figure>
    <div class="beside">
      <p class="heading heads-title"></p>
      <div class="heads"></div>
      <p class="heading named-title"></p>
      <div class="named"></div>
    </div>
    <div class="time">
      <div class="labels"></div>
      <div class="track" role="slider" tabindex="0">
        <div class="strips"></div>
        <div class="marks"></div>
        <div class="moments"></div>
        <div class="steps"></div>
        <div class="cursor"></div>
      </div>
    </div>
  </div>
  <p class="blended"></p>
  <p class="defined"></p>
</div>
"""
STYLE = source.style("film/view.css")
LONGEST = 160  # letters of a translation: noise goes on for ever

_mount = view("film", html=MARKUP, css=STYLE)


class Curve(NamedTuple):
    """One number of the training, over the time line."""

    name: str
    points: Sequence[tuple[float, float]]  # both from 0 to 1
    values: Sequence[str]  # at every moment
    most: str  # where its strip ends


class Named(NamedTuple):
    """A head that has a name, and the moment it appears."""

    label: str
    moment: int
    head: tuple[str, int, int]  # kind, layer, head


def film(
    maps: np.ndarray,  # (M, H, Q, K), weight × 255
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    key: str,
    places: Sequence[float],  # of each moment on the time line, from 0 to 1
    steps: Sequence[str],  # of each moment, in words
    scale: Sequence[tuple[float, str]],  # the numbers of the time line
    written: Sequence[str],  # at each moment
    curves: Sequence[Curve],
    named: Sequence[Named],
    head: tuple[str, int, int],  # the one that is shown large: kind, layer, head
    names: Sequence[str],  # of the heads, in words
    moment: int,
    begins: bool,  # whether it plays by itself: nobody has asked for a moment
    colour: str,
    causal: bool,
    pages: bool,  # whether page keys step as well
    text: Mapping[str, str],
    on_moment: Callable[[], None],
    on_pick: Callable[[], None],
) -> None:
    """Show it. `moment` and `pick` ([kind, layer, head, moment or None]) come back in session_state[key]."""
    header = {
        "queries": list(queries), "keys": list(keys), "places": [round(place, 4) for place in places],
        "steps": list(steps), "scale": list(scale), "written": [shortened(each) for each in written],
        "curves": [curve._asdict() for curve in curves], "named": [each._asdict() for each in named],
        "head": head, "names": list(names), "moment": moment, "begins": begins, "colour": colour,
        "ticks": ticks(colour), "causal": causal, "pages": pages, "text": dict(text),
    }  # fmt: skip
    _mount(key=key, data=packed(header, maps), on_moment_change=on_moment, on_pick_change=on_pick)


def packed(header: Mapping[str, Any], maps: np.ndarray) -> bytes:
    """A JSON header, then every weight as the byte that was recorded."""
    if maps.dtype != np.uint8 or maps.shape[2:] != (len(header["queries"]), len(header["keys"])):
        raise ValueError(f"{maps.dtype} {maps.shape} are no maps of these words")
    words = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return struct.pack("<I", len(words)) + words + np.ascontiguousarray(maps).tobytes()


def shortened(written: str) -> str:
    """
    >>> shortened("uy" * 100)[-5:], shortened("Oui.")
    ('uyuy…', 'Oui.')
    """
    return written if len(written) <= LONGEST else written[:LONGEST] + "…"
