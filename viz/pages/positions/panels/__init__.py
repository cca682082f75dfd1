"""The panels of Positions: the table of waves, what it is good for, and a test without it."""
