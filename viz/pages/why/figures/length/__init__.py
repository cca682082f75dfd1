"""The pictures of Longer sentences: curves by length, what the five wrote, and where they looked."""

STROKES = {  # no heads stand here: what recurs in sepia, what reads all at once in violet
    "recurrent": "series:3", "additive": "series:1", "multiplicative": "series:5",
    "convolutional": "series:2", "transformer": "series:0",
}  # fmt: skip
