"""The panels of Training. Each has `controls()`, its row of widgets, and `show()`, which draws it."""
