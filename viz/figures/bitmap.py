"""Small maps as pictures of one pixel a number, scaled without smoothing."""

import base64
import io

import numpy as np
from PIL import Image

PIXELATED = {"preserveAspectRatio": "none", "style": "image-rendering: pixelated"}


def address(colours: np.ndarray, seen: np.ndarray) -> str:  # (Q, K, 3), (Q, K)
    """A PNG as a data address; where nothing may be seen it is clear."""
    coloured = np.dstack([colours, np.where(seen, 255, 0).astype(np.uint8)])
    file = io.BytesIO()
    Image.fromarray(coloured, "RGBA").save(file, "PNG", optimize=False)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()
