"""Other processes that write to a store; one of them is this file, run as a script."""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]


def spawn(*words: object) -> subprocess.Popen[str]:
    """Run a function of this file in a process of its own; it prints a line when it is ready."""
    return subprocess.Popen(
        [sys.executable, __file__, *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
    )


def first_line(process: subprocess.Popen[str]) -> str:
    """What a process says first."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def hold(path: str) -> None:
    """Keep a store open for writing, with a running cell, until somebody ends us."""
    from graphrings.results.record import Cell
    from graphrings.results.store import Store
    from results.samples import WHEN, card

    with Store.write(path) as store:
        store.register(card())
        store.start("small", Cell("MUTAG", "PGC", 0, 0), "worker-1", WHEN)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.read()


def write_on(path: str) -> None:
    """Finish the missing folds one after the other, and say each that is on the disk."""
    from graphrings.results.store import Store
    from results.samples import card, record

    with Store.write(path) as store:
        store.register(card(n_folds=100_000))
        fold = len(store.finished("small"))
        while True:
            store.add("small", record("MUTAG", "PGC", 0, fold))
            sys.stdout.write(f"{fold}\n")
            sys.stdout.flush()
            fold += 1


def fill(path: str, most_bytes: str) -> None:
    """Write until the disk, which ends at some size of a file, is full."""
    import resource

    from graphrings.errors import StoreError
    from graphrings.results.store import Store
    from results.samples import card, record

    fold = -1
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(most_bytes), resource.RLIM_INFINITY))
    try:
        with Store.write(path) as store:
            store.register(card(n_folds=100_000))
            for fold in range(100_000):
                store.add("small", record("MUTAG", "PGC", 0, fold))
    except StoreError as error:
        sys.stdout.write(f"{fold} {error}\n")


if __name__ == "__main__":
    {"hold": hold, "write_on": write_on, "fill": fill}[sys.argv[1]](*sys.argv[2:])
