"""What the panels of Decoding compute: arrays and records in, plain numbers out."""
