"""Text to pieces, and sentences with what is known about them."""
