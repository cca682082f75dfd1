"""Pure figures: arrays and words in, a Plotly figure out."""
