"""What the panels of Why attention compute: arrays and records in, plain numbers out."""
