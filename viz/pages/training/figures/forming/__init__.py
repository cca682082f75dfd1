"""Pictures of a small training: every head's map at a moment, and the curves over all moments."""
