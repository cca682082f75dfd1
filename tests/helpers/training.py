"""A short training run on the tiny world, through the shell."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.helpers.paths import ROOT
from tests.helpers.tiny import VOCABULARY, write_pairs

STEPS = 40
FLAGS = f"""--preset tiny --vocabulary {VOCABULARY} --tokens 600 --warmup 10 --dev-pairs 6 --save-every 7
--snapshot-every 4 --average 3 --evaluate-every 20 --piece-dropout 0.1 --cooldown 10
--joined 0.3 --consistency 0.5""".split()
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


def command(folder: Path, *more: str, steps: int = STEPS, processes: int = 1) -> list[str]:
    """`python -m model train` on the tiny world, or the same under torchrun."""
    film = write_pairs(folder / "film.tsv", [("A dog.", "Un chien."), ("The cat.", "Le chat.")])
    pairs = write_pairs(folder / "pairs.tsv")
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(processes)]
    return [
        sys.executable, *(torchrun if processes > 1 else []), "-m", "model", "train", "--pairs", pairs,
        "--dev", pairs, "--film", film, "--out", str(folder / "out"), "--steps", str(steps), *FLAGS, *more,
    ]  # fmt: skip


def run(arguments: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(arguments, env=ENVIRONMENT, capture_output=True, text=True, timeout=300)


def log_of(folder: Path) -> list[dict]:
    """All that was logged, without the clock."""
    lines = (folder / "out" / "training" / "log.jsonl").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "seconds"} for line in lines]
