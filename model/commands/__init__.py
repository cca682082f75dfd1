"""The shell: one file per command of `python -m model`."""
