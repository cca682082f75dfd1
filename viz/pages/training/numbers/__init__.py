"""What the panels of Training compute: arrays and records in, plain numbers out."""
