"""Memory that a run kept is given back when it asks for that."""

import subprocess
import sys

import pytest

GROWN_AND_RETURNED = """
from pathlib import Path
from model.training.memory import return_memory, reuse_memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

reuse_memory()
blocks = [bytearray(b"x") * 2**20 for _ in range(300)]
blocks = blocks[::30]  # what lives on lies between the holes
kept = resident()
return_memory()
print(kept, resident())
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="speaks to glibc")
def test_holes_between_live_blocks_are_given_back():
    run = subprocess.run(
        [sys.executable, "-c", GROWN_AND_RETURNED], capture_output=True, text=True, check=True
    )
    kept, returned = map(int, run.stdout.split())
    assert kept - returned > 250 * 2**20
