"""The formulas of Why attention in LaTeX, with this run's numbers in them."""
