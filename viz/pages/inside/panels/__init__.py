"""The way to one weight, step by step, and two questions about it."""
