"""The shell: one file a command of `python -m model`."""
