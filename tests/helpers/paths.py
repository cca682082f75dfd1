"""Where the project stands on disk."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
