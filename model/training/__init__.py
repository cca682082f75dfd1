"""How a model learns from pairs of sentences, and what a run leaves behind."""
