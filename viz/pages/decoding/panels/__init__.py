"""The panels of Decoding. Each has `controls(now)`, its row of widgets, and `show(now)`, which draws it."""
