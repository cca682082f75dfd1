"""The panels of Layers: one token's way up through the sublayers."""
