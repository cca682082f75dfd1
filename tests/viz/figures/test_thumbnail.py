"""A small picture has a line for every weight that counts, and stays small."""

import re
from base64 import b64decode

import numpy as np

from viz.figures.palette import LIGHT
from viz.figures.thumbnail import LEAST, thumbnail


def test_every_weight_that_counts_is_a_line_in_the_hue_of_its_head():
    weights = np.random.default_rng(1).dirichlet(np.full(12, 0.2), size=14)
    drawn = thumbnail(weights, 9)
    lines = b64decode(re.search("base64,([^)]*)", drawn)[1]).decode()
    assert lines.count("<path") == (weights >= LEAST).sum()
    assert LIGHT.heads[9 % len(LIGHT.heads)] in drawn
    assert len(drawn) < 8_000
