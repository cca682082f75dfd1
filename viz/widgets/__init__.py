"""Controls and views that pages share."""
