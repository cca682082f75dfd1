"""Pictures of a memory: what is expected with it, what a score is made of, and what it is worth."""

# Ways of reading, the same colour in every picture.
STROKES = {"memory": "mark", "emptied": "faint", "none": "series:1", "absolute": "series:2"}
