"""A small French language model with a memory (Transformer-XL): loaded, trained, and measured."""
