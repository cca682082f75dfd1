"""The drawings of Decoding: numbers and words in, marks out."""
