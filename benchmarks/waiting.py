"""What one waits for before anything is computed: ``make bench``.

Processor seconds of new processes: loading a small dataset; a first short fit where nothing is
compiled yet; the same fit again, with the machine code that the first has kept.
"""

from __future__ import annotations

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

from benchmarks.processor import print_processor

LOAD = "import graphrings as gr; gr.load('MUTAG')"
FIT = f"{LOAD}; gr.PGCClassifier(radius=2, max_epochs=2).fit(gr.load('MUTAG'))"


def cpu_seconds(script: str, folder: str) -> float:
    """Of a process that finds its machine code in a folder, the interpreter's start included."""
    before = os.times()
    environment = {**os.environ, "NUMBA_CACHE_DIR": folder, "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)  # noqa: S603
    after = os.times()
    return (
        after.children_user + after.children_system - before.children_user - before.children_system
    )


def main() -> None:
    """Print the table."""
    print_processor()
    print("| | seconds |")
    print("|---|---:|")
    with TemporaryDirectory() as folder:
        for what, script in (
            ("loading MUTAG", LOAD),
            ("the first fit", FIT),
            ("the second", FIT),
        ):
            print(f"| {what} | {cpu_seconds(script, folder):.2f} |", flush=True)


if __name__ == "__main__":
    main()
