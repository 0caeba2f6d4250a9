"""graph6: one line of printable characters per graph, which is its adjacency and nothing else."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.listed import Listed
from graphrings.graphs.dataset import Dataset, Graph
from graphrings.graphs.formats.csv_writing import csv_table, written_targets
from graphrings.graphs.formats.format import Format
from graphrings.graphs.formats.graph_files import has_files, read_graph_files
from graphrings.graphs.formats.writing import files_at, is_folder, say, write_file

SUFFIX = ".g6"
HEADER = b">>graph6<<"
FIRST, LAST = 63, 126  # the characters, six bits each
MOST_NODES = 20_000  # a graph of so many takes 200 million bits


def parse_graph6(content: bytes, place: str) -> list[Listed]:
    """The graphs of a file, one per line; blank lines are nothing."""
    lines = content.removeprefix(HEADER).splitlines()
    return [
        parse_line(line.strip(), f"{place}:{i}") for i, line in enumerate(lines, 1) if line.strip()
    ]


def parse_line(line: bytes, place: str) -> Listed:
    """One graph: the number of its nodes, then the upper triangle of its adjacency by columns."""
    values = np.frombuffer(line, dtype=np.uint8)
    if values.min() < FIRST or values.max() > LAST:
        raise DatasetError(f"{place}: not graph6, whose characters go from ? to ~")
    values = values - FIRST
    n_nodes, values = _size(values)
    n_pairs = n_nodes * (n_nodes - 1) // 2
    if n_nodes < 1 or len(values) != -(-n_pairs // 6):
        raise DatasetError(
            f"{place}: {len(values):,} characters for {n_nodes:,} nodes; expected at least one "
            f"node, and {-(-n_pairs // 6):,} characters behind their number"
        )
    bits = np.unpackbits(values[:, None], axis=1)[:, 2:].ravel()[:n_pairs]
    edges = np.flatnonzero(bits)
    column = ((1 + np.sqrt(1 + 8 * edges)) // 2).astype(np.int64)
    row = edges - column * (column - 1) // 2
    return Listed(n_nodes, np.stack([row, column], axis=1))


def _size(values: NDArray[np.uint8]) -> tuple[int, NDArray[np.uint8]]:
    """The number of nodes in one, three or six characters, and what follows."""
    head = values[:2].tolist()
    marks = 0 if head[0] != LAST - FIRST else 1 + (head[1:] == [LAST - FIRST])
    end = marks + (1, 3, 6)[marks]
    digits = reversed(values[marks:end].tolist())
    return sum(digit << 6 * k for k, digit in enumerate(digits)), values[end:]


def graph6_line(graph: Graph) -> bytes:
    """A graph as a line."""
    n = graph.n_nodes
    bits = np.zeros(-(-(n * (n - 1) // 2) // 6) * 6, dtype=np.uint8)
    row, column = graph.edges.T.astype(np.int64)
    bits[column * (column - 1) // 2 + row] = 1
    padded = np.pad(bits.reshape(-1, 6), ((0, 0), (2, 0)))
    body = np.packbits(padded, axis=1).ravel()
    return bytes([*_digits(n), *(body + FIRST).tolist(), ord("\n")])


def _digits(n: int) -> list[int]:
    length = 1 if n <= 62 else 3
    digits = [(n >> 6 * k) % 64 + FIRST for k in reversed(range(length))]
    return digits if length == 1 else [LAST, *digits]


def write_graph6(dataset: Dataset, path: Path) -> None:
    """Write the graphs to a .g6 file, or with their targets to a new folder or a zip."""
    if len(dataset) == 0:
        raise DatasetError(f"{dataset.name}: no graphs; only an .npz file holds none")
    if dataset.sizes.max() > MOST_NODES:
        raise DatasetError(
            f"{dataset.name}: a graph of {dataset.sizes.max():,} nodes; graph6 holds every pair of "
            f"nodes, and is written for up to {MOST_NODES:,}"
        )
    lines = map(graph6_line, dataset)
    alone = not is_folder(path) and path.suffix.lower() == SUFFIX
    lost = {
        "targets": alone and dataset.targets is not None,
        "node labels": dataset.n_labels > 0,
        "node attributes": dataset.node_attributes is not None,
        "edge labels": bool(dataset.edge_label_names),
        "edge attributes": dataset.edge_attributes is not None,
        "SMILES": bool(dataset.smiles),
    }
    words = [what for what, is_lost in lost.items() if is_lost]
    notes = [f"{' and '.join(words)} are left out, since graph6 has no place for them"] * bool(
        words
    )
    if alone:
        write_file(path, lines)
    else:
        with files_at(path) as create:
            with create(f"graphs{SUFFIX}") as file:
                file.writelines(lines)
            if dataset.targets is not None:
                targets, note = written_targets(dataset)
                notes.append(note)
                with create("graphs.csv") as file:
                    columns = {"graph": range(len(dataset)), "target": targets}
                    file.writelines(csv_table(columns))
    say(path, notes)


GRAPH6 = Format(
    name="graph6",
    looks_for=f"{SUFFIX} files",
    suffixes=(SUFFIX, "", ".zip"),
    recognises=partial(has_files, suffix=SUFFIX),
    read=partial(read_graph_files, suffix=SUFFIX, parse=parse_graph6),
    write=write_graph6,
)
