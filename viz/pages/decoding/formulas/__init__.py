"""The formulas of Decoding in LaTeX, with this run's numbers in them."""
