"""How time and memory grow with the number of graphs: ``python -m benchmarks.large [SIZE ...]``.

Molecules of 25 to 35 atoms, by default from 1,000 to 1,000,000 of them, mapped from a folder. Every
figure comes from a process of its own: CPU time of one thread, and the most memory that it ever
held, of which libraries and graphs alone take what the first row says.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import graphrings as gr
from benchmarks.processor import print_processor
from graphrings.errors import SizeNote

SIZES = (1_000, 10_000, 100_000, 1_000_000)
DISTINCT = 10_000  # molecules, repeated
ATOMS = (25, 35)
MEMORY = "500MB"  # for the structure of the graphs that are trained on
ALONE = "--alone"  # how a process is told to measure one thing


def many_molecules(n_graphs: int) -> gr.Dataset:
    """So many molecules, the same ten thousand again and again."""
    some = gr.synthetic.molecules(min(DISTINCT, n_graphs), 2, n_nodes=ATOMS)
    times = n_graphs // len(some)
    assert some.node_labels is not None
    assert some.targets is not None
    return gr.Dataset(
        "molecules",
        repeated(some.graph_ptr, times),
        repeated(some.indptr, times),
        np.concatenate([some.indices + np.int32(k * some.n_nodes) for k in range(times)]),
        targets=np.tile(some.targets, times),
        class_names=some.class_names,
        node_labels=np.tile(some.node_labels, times),
        label_names=some.label_names,
    )


def repeated(bounds: np.ndarray, times: int) -> np.ndarray:
    parts = [bounds[1:] + np.int32(k * int(bounds[-1])) for k in range(times)]
    return np.concatenate([bounds[:1], *parts])


def hold(graphs: gr.Dataset, folder: Path) -> None:
    del graphs, folder


def rings(graphs: gr.Dataset, folder: Path) -> None:
    del folder
    gr.rings(graphs, 3)


def train(graphs: gr.Dataset, folder: Path) -> None:
    """One epoch, and the model's file, by shards where rings and levels take more than memory."""
    model = gr.PGCClassifier(max_epochs=1, random_state=0, memory=MEMORY)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SizeNote)
        model.fit(graphs).save(folder / "trained")


def pgc_dgcnn(graphs: gr.Dataset, folder: Path) -> None:
    gr.load_model(folder / "pgc").predict(graphs)


def ring_forest(graphs: gr.Dataset, folder: Path) -> None:
    gr.load_model(folder / "forest").predict(graphs)


WORK: dict[str, Callable[[gr.Dataset, Path], None]] = {
    "the graphs": hold,
    "rings of radius 3": rings,
    "train, pgc-dgcnn": train,
    "predict, pgc-dgcnn": pgc_dgcnn,
    "predict, ring-forest": ring_forest,
}


def measure(name: str, n_graphs: int, folder: Path) -> None:
    """Print CPU seconds and gigabytes of one piece of work, after it was compiled."""
    graphs = gr.read(folder / f"{n_graphs}.graphs")
    WORK[name](graphs[:1_000], folder)
    start = time.process_time()
    WORK[name](graphs, folder)
    seconds = time.process_time() - start
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9)


def main() -> None:
    if sys.argv[1:2] == [ALONE]:
        _, _, work, size, name = sys.argv
        measure(work, int(size), Path(name))
        return
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    training = gr.synthetic.molecules(1_000, 1, n_nodes=ATOMS)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        gr.PGCClassifier(max_epochs=2, random_state=0).fit(training).save(folder / "pgc")
        gr.ForestClassifier(random_state=0).fit(training).save(folder / "forest")
        for size in sizes:
            gr.write(many_molecules(size), folder / f"{size}.graphs")
        print_processor()
        print(f"{'':24}" + "".join(f"{size:>26,}" for size in sizes))
        for work in WORK:
            cells = []
            for size in sizes:
                said = subprocess.run(  # noqa: S603, this file itself
                    [sys.executable, "-m", "benchmarks.large", ALONE, work, str(size), name],
                    capture_output=True,
                    text=True,
                    check=True,
                    env={**os.environ, "OMP_NUM_THREADS": "1"},
                ).stdout.split()
                seconds, gigabytes = map(float, said)
                rate = f"{size / seconds:,.0f}/s" if seconds > 1e-3 else ""
                cells.append(f"{seconds:8.2f} s {rate:>9} {gigabytes:4.1f}G")
            print(f"{work:24}" + "".join(f"{cell:>26}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
