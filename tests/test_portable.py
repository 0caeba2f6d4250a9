"""Libraries that are held to one set of instructions compute the same bits on any of them."""

import os
import platform
import subprocess
import sys

import pytest

from graphrings import portable
from graphrings.errors import SettingError
from graphrings.portable import PORTABLE, VARIABLES, portable_variables
from graphrings.processor import processor

BITS = """
import hashlib, numpy, scipy.linalg, torch
a = numpy.random.default_rng(0).normal(size=(200, 200))
t = torch.from_numpy(a.astype(numpy.float32))
made = [
    a @ a, t.numpy() @ t.numpy(), scipy.linalg.svd(a)[1], numpy.exp(a), numpy.log(abs(a)),
    t @ t, torch.exp(t), t.sum(0), torch.log_softmax(t, 1),
    torch.conv1d(t[None, :16], torch.ones(4, 16, 5) / 3),
]
print(*(hashlib.sha256(numpy.ascontiguousarray(x).tobytes()).hexdigest()[:8] for x in made))
"""
ANOTHER = {  # what a processor without AVX-512 takes
    "ATEN_CPU_CAPABILITY": "avx2",
    "MKL_ENABLE_INSTRUCTIONS": "AVX2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",
    "NUMBA_CPU_NAME": "haswell",
}
pytestmark = pytest.mark.skipif(
    platform.machine().lower() not in portable.MACHINES, reason="not an x86-64 processor"
)


def bits(**variables: str) -> list[str]:
    """The bits of some sums, in a process that begins with these variables."""
    settings = {**os.environ, "OMP_NUM_THREADS": "1", **variables}
    words = [sys.executable, "-W", "ignore", "-c", BITS]
    said = subprocess.run(words, env=settings, capture_output=True, text=True, check=True)
    return said.stdout.split()


@pytest.mark.slow
def test_other_instructions_change_no_bit_of_what_is_portable() -> None:
    portable_bits = bits(**portable_variables())
    assert bits(**{**ANOTHER, **portable_variables()}) == portable_bits
    assert bits(**ANOTHER) != portable_bits


def test_a_portable_process_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    assert processor() != PORTABLE
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    assert processor.__wrapped__() == PORTABLE
    monkeypatch.setenv("MKL_CBWR", "AUTO")
    assert processor.__wrapped__() != PORTABLE


def test_other_kinds_of_processors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "arm64")
    with pytest.raises(SettingError, match=r"^portable on a processor of kind arm64; expected x86"):
        portable_variables()
