"""The panels of Why attention. Each has `controls()`, its row of widgets, and `show()`, which draws it."""
