"""Figure 1 of the paper in forty pixels: where in the model a page looks.

Two shapes for a style sheet: all parts as outlines, and those that are lit. Colours are the page's own.
"""

from urllib.parse import quote

from viz.figures.svg import tag

WIDE, HIGH = 40, 32
BOXES = {  # left, top, width, height
    "encoder": (4, 19, 13, 4),
    "encoder.feed_forward": (4, 13, 13, 4),
    "decoder": (24, 20, 13, 3.5),
    "cross": (24, 14.5, 13, 3.5),
    "decoder.feed_forward": (24, 9, 13, 3.5),
    "softmax": (24, 1.5, 13, 3.5),
    "positions.encoder": (7, 27, 7, 4),
    "positions.decoder": (27, 27, 7, 4),
}
SEVERAL = {  # what is more than one box
    "attention": ("encoder", "decoder", "cross"),
    "positions": ("positions.encoder", "positions.decoder"),
    "whole": tuple(BOXES),
}
PARTS = (*SEVERAL, *(name for name in BOXES if not name.startswith("positions.")))
FRAMES = ((2, 11, 17, 14), (22, 7, 17, 18))
MEMORY = "M10.5 11V8.5H20.5V16.2H23.5"  # from the encoder to the cross-attention


def outline() -> str:
    """Every part, as the address of a picture whose colour does not matter."""
    line = {"fill": "none", "stroke": "black"}
    boxes = [_box(each, **line) for each in (*BOXES.values(), *FRAMES)]
    return _address(*boxes, tag("path", d=MEMORY, **line))


def lit(part: str) -> str:
    """The boxes of this part alone."""
    return _address(*(_box(BOXES[name]) for name in SEVERAL.get(part, (part,))))


def key(part: str) -> str:
    """The part as a style sheet may name it.

    >>> key("encoder.feed_forward")
    'encoder_feed_forward'
    """
    return part.replace(".", "_")


def _box(place: tuple[float, float, float, float], **look: object) -> str:
    x, y, wide, high = place
    return tag("rect", x=x, y=y, width=wide, height=high, rx=1, **look)


def _address(*parts: str) -> str:
    size = {"width": WIDE, "height": HIGH, "viewBox": f"0 0 {WIDE} {HIGH}"}
    whole = tag("svg", *parts, xmlns="http://www.w3.org/2000/svg", **size)
    return f'url("data:image/svg+xml,{quote(whole, safe=" =:/")}")'.replace("%22", "'")
