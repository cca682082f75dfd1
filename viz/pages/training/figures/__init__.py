"""The drawings of Training: numbers and words in, marks out."""
