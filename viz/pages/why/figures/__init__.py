"""The drawings of Why attention: numbers and words in, marks out."""
