"""What papers said before, in and after 2017, each figure with its source, and what follows from it."""
