"""Pictures of one step of training."""
