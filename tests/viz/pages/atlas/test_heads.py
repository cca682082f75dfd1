"""The map of all heads: every number is drawn, and a click on it knows its head."""

import json

import numpy as np

from viz.pages.atlas.figures import heads as figures


def test_a_block_shows_every_number_and_knows_its_heads():
    values = np.array([[0.25, np.nan], [1.0, -0.5]])
    drawn = figures.block(values, "encoder", 1.0, "t", roles={(0, 0): 2}, chosen=(1, 0))
    picks = {tuple(mark["pick"]): mark["tip"] for mark in drawn.marks if "pick" in mark}
    assert picks[("encoder", 0, 0)].endswith("0.25") and picks[("encoder", 0, 1)].endswith("–")
    json.dumps(drawn.data())
    drawn.svg()
