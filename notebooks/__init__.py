"""The story of the paper on the model that ships, as a notebook in each language of the interface."""
