"""Pure figures: arrays and words in, drawings out; Plotly for notebooks only."""
