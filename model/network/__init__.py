"""The Transformer itself: its shape, its layers, and the points where one can look in."""
