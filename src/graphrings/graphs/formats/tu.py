"""The TU text format: one file for each kind of line, all graphs in one numbering."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import Files, open_files
from graphrings.graphs.formats.format import Format
from graphrings.graphs.formats.tu_names import NAMES_OF, named
from graphrings.graphs.formats.tu_writing import write_tu
from graphrings.graphs.numbering import NOTHING, Numbered, renumber
from graphrings.graphs.pack import pack
from graphrings.graphs.text import float_table, integer_table, is_blank

MARK, INDICATOR = "_A.txt", "_graph_indicator.txt"  # every TU dataset has these files


def recognises(files: Files) -> bool:
    """Whether the files are those of a TU dataset, if perhaps not all of them."""
    return not files.alone and any(name.endswith((MARK, INDICATOR)) for name in files.names)


def read_tu(path: str | Path) -> Dataset:
    """Read a TU folder or zip; labels and classes become 0, 1, ... in sorted order.

    They are named by their numbers, or by the files of names that ``gr.write`` adds.
    Graphs to predict may come without ``graph_labels``: then they have no targets.
    """
    return read_files(open_files(Path(path)))


def read_files(files: Files) -> Dataset:
    """Read the one TU dataset among these files."""
    stem = tu_stem(files)

    def optional(kind: str, rows: int, of: str, parse: Callable[[bytes, str], Any]) -> Any:
        name = f"{stem}_{kind}.txt"
        if name not in files.names:
            return None
        text = files.read(name)
        if rows == 0 and is_blank(text):
            return None
        table = parse(text, files.place(name))
        if len(table) != rows:
            raise DatasetError(f"{files.place(name)}: {len(table):,} lines for {rows:,} {of}")
        return table

    def labels(kind: str, rows: int, of: str) -> Numbered:
        values = optional(kind, rows, of, integer_table)
        names = f"{stem}_{NAMES_OF[kind]}.txt"
        if values is None or values.shape[1] > 1 or names not in files.names:
            return NOTHING if values is None else renumber(values)
        return named(values[:, 0], files.read(names), files.place(names))

    graph_ptr = _graph_bounds(files, stem + INDICATOR)
    n_graphs, n_nodes = len(graph_ptr) - 1, int(graph_ptr[-1])
    edges = _edges(files, stem + MARK, graph_ptr)
    targets = labels("graph_labels", n_graphs, "graphs")
    if targets is NOTHING:
        values = optional("graph_attributes", n_graphs, "graphs", float_table)
        targets = NOTHING if values is None else (_one_value(files, stem, values), ())
    return pack(
        PurePosixPath(stem).name,
        graph_ptr,
        edges[:, 0],
        edges[:, 1],
        targets=targets,
        node_labels=labels("node_labels", n_nodes, "nodes"),
        node_attributes=optional("node_attributes", n_nodes, "nodes", float_table),
        edge_labels=labels("edge_labels", len(edges), "edges"),
        edge_attributes=optional("edge_attributes", len(edges), "edges", float_table),
    )


def tu_stem(files: Files) -> str:
    """What all files of the one TU dataset in there begin with."""
    stems = [name.removesuffix(MARK) for name in files.names if name.endswith(MARK)]
    if not stems:
        raise DatasetError(f"{files.path}: no TU dataset; expected a file NAME{MARK}, the edges")
    if len(stems) > 1:
        several = " and ".join(PurePosixPath(stem).name for stem in stems)
        raise DatasetError(f"{files.path}: several datasets, {several}; expected one")
    return stems[0]


def _one_value(files: Files, stem: str, values: Any) -> NDArray[np.float64]:
    """The attribute of every graph, which is the target where graphs have no labels."""
    if values.shape[1] > 1:
        raise DatasetError(
            f"{files.place(f'{stem}_graph_attributes.txt')}: {values.shape[1]} columns; "
            "expected one, the target, where there are no graph labels"
        )
    return np.ascontiguousarray(values[:, 0])


def _need(files: Files, name: str) -> None:
    if name not in files.names:
        raise DatasetError(f"{files.place(name)}: missing; every TU dataset has this file")


def _graph_bounds(files: Files, name: str) -> NDArray[np.int64]:
    """Where every graph's nodes begin and end, from the graph number of every node."""
    _need(files, name)
    numbers = integer_table(files.read(name), files.place(name), columns=1)[:, 0]
    steps = np.diff(numbers, prepend=0)
    wrong = np.flatnonzero((steps != 0) & (steps != 1))
    if numbers[0] != 1:
        wrong = np.array([0])
    if len(wrong):
        line = wrong[0]
        before = int(numbers[line - 1]) if line else 0
        right = f"{before} or {before + 1}" if before else "1"
        raise DatasetError(
            f"{files.place(name)}:{line + 1}: graph number {numbers[line]}; expected {right}, "
            "since graphs are numbered from 1 without gaps and their nodes stand together"
        )
    return np.append(np.flatnonzero(steps), len(numbers))


def _edges(files: Files, name: str, graph_ptr: NDArray[np.int64]) -> NDArray[np.int32]:
    """The edge entries, counted from 0, none of them between two graphs."""
    text = files.read(name)
    if is_blank(text):  # graphs without a single edge are graphs
        return np.empty((0, 2), dtype=np.int32)
    edges = integer_table(text, files.place(name), columns=2)
    del text
    n_nodes = int(graph_ptr[-1])
    outside = (edges < 1) | (edges > n_nodes)
    if outside.any():
        line = int(np.flatnonzero(outside.any(axis=1))[0])
        node = edges[line][outside[line]][0]
        raise DatasetError(
            f"{files.place(name)}:{line + 1}: node {node}; expected a number from 1 to {n_nodes}"
        )
    zero_based = (edges - 1).astype(np.int32)
    owner = np.repeat(np.arange(len(graph_ptr) - 1, dtype=np.int32), np.diff(graph_ptr))
    astray = np.flatnonzero(owner[zero_based[:, 0]] != owner[zero_based[:, 1]])
    if len(astray):
        line = int(astray[0])
        u, v = zero_based[line]
        raise DatasetError(
            f"{files.place(name)}:{line + 1}: edge ({u + 1}, {v + 1}) joins graph {owner[u] + 1} "
            f"to graph {owner[v] + 1}; an edge must stay inside one graph"
        )
    return zero_based


TU = Format(
    name="TU",
    looks_for=f"NAME{MARK} and NAME{INDICATOR} in a folder or zip",
    suffixes=("", ".zip"),
    recognises=recognises,
    read=read_files,
    write=write_tu,
)
