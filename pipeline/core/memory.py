"""How the C library hands memory back to the system.

A reader makes and drops arrays of some megabytes all the time. By default glibc returns such memory to the system at
once and asks for it again a moment later, and every page that comes back must be mapped and cleared anew: that takes
several per cent of all time, more in virtual machines.
"""

import contextlib
import ctypes

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # <malloc.h> of glibc

KEPT = 128 * 1024 * 1024
"""Bytes of freed memory that a process keeps at most at the top of its heap."""

OWN_MAPPING = 32 * 1024 * 1024
"""Bytes from which an array has memory of its own, which is returned when it is dropped (glibc takes no more)."""


def keep_freed_memory() -> bool:
    """Let this process use freed memory again instead of returning it; False where the C library knows no such thing.

    What is computed stays the same.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):  # not glibc; no C library to be found (Windows)
        mallopt = ctypes.CDLL(None).mallopt
        return bool(mallopt(_M_TRIM_THRESHOLD, KEPT) and mallopt(_M_MMAP_THRESHOLD, OWN_MAPPING))
    return False
