import os
import subprocess
import sys
from pathlib import Path
from platform import machine

import pytest

from graphrings.portable import MACHINES
from graphrings.processor import model_name, processor


def test_the_model_is_what_linux_says(tmp_path: Path) -> None:
    listing = tmp_path / "cpuinfo"
    listing.write_text("processor\t: 0\nmodel name\t: Example  CPU @ 2.0GHz\nflags\t: a b\n")
    assert model_name(listing) == "Example CPU @ 2.0GHz"


def test_without_a_listing_python_is_asked(tmp_path: Path) -> None:
    assert model_name(tmp_path / "none")


def test_it_says_what_loops_are_compiled_for() -> None:
    assert processor().startswith(model_name())
    assert processor().endswith(")")


@pytest.mark.slow
@pytest.mark.skipif(machine() not in MACHINES, reason="the loops named here are of x86-64")
@pytest.mark.parametrize("loops", ["Nehalem", "Haswell"])
def test_it_says_whose_products_openblas_takes(loops: str) -> None:
    """They round differently on one and the same processor."""
    code = "from graphrings.processor import processor; print(processor())"
    said = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "OPENBLAS_CORETYPE": loops},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert said.endswith(f", products of {loops})\n")
