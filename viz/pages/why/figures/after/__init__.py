"""Pictures of what papers measured before, in and after 2017."""
