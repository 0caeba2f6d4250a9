"""How time and memory grow with the number of graphs: ``python -m benchmarks.large [SIZE ...]``.

Molecules of 25 to 35 atoms, by default from 1,000 to 1,000,000 of them, mapped from a folder. Every
figure comes from a process of its own: CPU time of one thread, in brackets the operating system's
part of it (fresh memory, files), and the most memory that it ever held, libraries included.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import graphrings as gr
from benchmarks.processor import print_processor
from graphrings.errors import SizeNote

SIZES = (1_000, 20_000, 100_000, 1_000_000)
FEWEST = 1_000  # graphs that everything is compiled with
DISTINCT = 10_000  # molecules, repeated
ATOMS = (25, 35)
MEMORY = "500MB"  # for the structure of the graphs that are trained on
LEAST_SECONDS = 1e-2
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


def read(graphs: gr.Dataset, folder: Path) -> None:
    """Map the arrays, and check them."""
    gr.read(folder / f"{len(graphs)}.graphs")


def write(graphs: gr.Dataset, folder: Path) -> None:
    gr.write(graphs, Path(tempfile.mkdtemp(dir=folder)) / "copy.graphs")


def rings(graphs: gr.Dataset, folder: Path) -> None:
    del folder
    gr.rings(graphs, 3)


def pgc_dgcnn(graphs: gr.Dataset, folder: Path) -> None:
    gr.load_model(folder / "pgc").predict(graphs)


def ring_forest(graphs: gr.Dataset, folder: Path) -> None:
    gr.load_model(folder / "forest").predict(graphs)


def train(graphs: gr.Dataset, folder: Path) -> None:
    """One epoch, and the model's file, by shards where rings and levels take more than memory."""
    gr.PGCClassifier(max_epochs=1, random_state=0, memory=MEMORY).fit(graphs).save(folder / "new")


def train_linear(graphs: gr.Dataset, folder: Path) -> None:
    """A machine on counted features."""
    del folder
    gr.KernelClassifier("wl", linear=True).fit(graphs)


class Work(NamedTuple):
    """Something to measure, for at most so many graphs."""

    call: Callable[[gr.Dataset, Path], None]
    most: int = SIZES[-1]


WORK = {
    "read, mapped": Work(read),
    "write": Work(write),
    "rings of radius 3": Work(rings),
    "predict, ring-forest": Work(ring_forest),
    "predict, pgc-dgcnn": Work(pgc_dgcnn),
    "fit, wl, linear": Work(train_linear, 100_000),
    "one epoch, pgc-dgcnn": Work(train),
}


def measure(name: str, n_graphs: int, folder: Path) -> None:
    """Print CPU seconds, the operating system's among them, and gigabytes, after compilation."""
    warnings.simplefilter("ignore", SizeNote)
    WORK[name].call(gr.read(folder / f"{FEWEST}.graphs"), folder)
    graphs = gr.read(folder / f"{n_graphs}.graphs")
    start = resource.getrusage(resource.RUSAGE_SELF)
    WORK[name].call(graphs, folder)
    end = resource.getrusage(resource.RUSAGE_SELF)
    user, system = end.ru_utime - start.ru_utime, end.ru_stime - start.ru_stime
    print(user + system, system, end.ru_maxrss * 1024 / 1e9)


def prepare(n_graphs: int, folder: Path) -> None:
    """Write the graphs, and with the fewest of them the models that predict."""
    gr.write(many_molecules(n_graphs), folder / f"{n_graphs}.graphs")
    if n_graphs == FEWEST:
        training = gr.synthetic.molecules(FEWEST, 1, n_nodes=ATOMS)
        gr.PGCClassifier(max_epochs=2, random_state=0).fit(training).save(folder / "pgc")
        gr.ForestClassifier(random_state=0).fit(training).save(folder / "forest")


def alone(name: str, n_graphs: int, folder: Path) -> str:
    """What a process of its own says; it starts with the most memory that this one ever held."""
    return subprocess.run(  # noqa: S603, this file itself
        [sys.executable, "-m", "benchmarks.large", ALONE, name, str(n_graphs), str(folder)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    ).stdout


def cell(said: str, n_graphs: int) -> str:
    """One cell of the table."""
    seconds, system, gigabytes = map(float, said.split())
    rate = f"{n_graphs / seconds:,.0f}/s" if seconds > LEAST_SECONDS else ""
    return f"{seconds:7.2f} s ({system:.2f}) {rate:>11} {gigabytes:4.1f}G"


def main() -> None:
    if sys.argv[1:2] == [ALONE]:
        _, _, name, size, place = sys.argv
        if name in WORK:
            measure(name, int(size), Path(place))
        else:
            prepare(int(size), Path(place))
        return
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for size in sorted({FEWEST, *sizes}):
            alone("prepare", size, folder)
        print_processor()
        print(f"{'':22}" + "".join(f"{size:>36,}" for size in sizes))
        for name, work in WORK.items():
            asked = [size for size in sizes if size <= work.most]
            cells = [cell(alone(name, size, folder), size) for size in asked]
            print(f"{name:22}" + "".join(f"{text:>36}" for text in cells), flush=True)


if __name__ == "__main__":
    main()
