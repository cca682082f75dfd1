"""How a long run holds its memory: kept between steps, and given back now and then.

Both functions call glibc; on other systems they do nothing.
"""

import ctypes


def reuse_memory() -> None:
    """Keep freed memory: a step's large tensors otherwise fault in page by page, a tenth of its time."""
    trim_threshold, mmap_threshold = -1, -3  # the constants of malloc.h
    _glibc("mallopt", trim_threshold, 2**31 - 1)
    _glibc("mallopt", mmap_threshold, 2**30)


def return_memory() -> None:
    """Give back what lies unused between live blocks.

    Batches of many shapes leave holes that nothing fits into again: two processes that kept them all grew to
    12 GB each within a thousand steps, and from 4 to 10 GB within a hundred.
    """
    _glibc("malloc_trim", 0)


def _glibc(name: str, *numbers: int) -> None:
    try:
        call = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return
    call(*numbers)
