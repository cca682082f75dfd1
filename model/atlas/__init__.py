"""What every head does over a corpus: measures, baselines, roles, and the report of them."""
