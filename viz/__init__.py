"""What is seen: figures, pages, and every word on screen."""
