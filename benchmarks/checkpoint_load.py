"""Size and load time of a checkpoint, after imports.

python -m benchmarks.checkpoint_load [NAME|FOLDER]
"""

import sys

from benchmarks.interleaved import best_times
from model import checkpoint, load


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "en-fr"
    size = sum(path.stat().st_size for path in checkpoint.find(name).iterdir() if path.is_file())
    seconds = best_times({"load": lambda: load(name)}, rounds=5)["load"]
    print(f"{name}: {size / 1e6:.1f} MB on disk (budget 40), loads in {seconds:.2f} s (budget 1)")


if __name__ == "__main__":
    main()
