"""Weights on their way to the browser: a JSON header, then 16-bit numbers, as raw bytes.

A weight is least + number × (most - least) ÷ 65534, so what is hovered is right to 1e-5; 65535 says
"may not look".
"""

import json
import struct
from collections.abc import Mapping

import numpy as np

SCALE, FORBIDDEN = 65534, 65535


def pack(
    header: Mapping, weights: np.ndarray, mask: np.ndarray, most: float = 1.0, least: float = 0.0
) -> bytes:
    """`weights` and `mask` (True = may look) of any one shape; `header` says what they are."""
    numbers = np.rint(np.clip((weights - least) / (most - least), 0, 1) * SCALE).astype("<u2")
    numbers = np.where(np.broadcast_to(mask, weights.shape), numbers, FORBIDDEN).astype("<u2")
    text = json.dumps({**header, "most": most}, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 2)  # 16-bit numbers begin at even places
    return struct.pack("<I", len(text)) + text + numbers.tobytes()
