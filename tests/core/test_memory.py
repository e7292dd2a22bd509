"""Freed memory is used again, not mapped anew."""

import subprocess
import sys

import pytest

from pipeline.core.memory import keep_freed_memory

COUNT = """
import resource, sys
import numpy as np
from pipeline.core.memory import keep_freed_memory
if len(sys.argv) > 1:
    keep_freed_memory()
for _ in range(20):
    [np.ones(3_000_000, np.uint8) for _ in range(4)]
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    [np.ones(3_000_000, np.uint8) for _ in range(4)]
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_pages_are_not_mapped_again() -> None:
    if not keep_freed_memory():
        pytest.skip("this C library has no such setting")
    usual, kept = (
        int(subprocess.run([sys.executable, "-c", COUNT, *more], capture_output=True, text=True, check=True).stdout)
        for more in ([], ["keep"])
    )
    assert kept < 100 < usual
