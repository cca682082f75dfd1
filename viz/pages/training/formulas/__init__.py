"""The formulas of Training in LaTeX, with this run's numbers in them."""
