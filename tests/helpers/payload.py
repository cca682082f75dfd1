"""What is sent to the browser, as the browser reads it."""

import json
import struct

import numpy as np

from viz.components.payload import FORBIDDEN, SCALE


def unpack(data: bytes) -> tuple[dict, np.ndarray]:
    """What is said about the numbers, and the numbers as they travel."""
    (length,) = struct.unpack_from("<I", data)
    return json.loads(data[4 : 4 + length]), np.frombuffer(data[4 + length :], "<u2")


def numbers_of_map(header: dict, sent: np.ndarray) -> np.ndarray:
    """The numbers of a heatmap, a row a query, NaN where nobody may look."""
    numbers = np.asarray(sent, float).reshape(len(header["queries"]), len(header["keys"]))
    least, most = header["least"], header["most"]
    return np.where(numbers == FORBIDDEN, np.nan, least + numbers / SCALE * (most - least))
