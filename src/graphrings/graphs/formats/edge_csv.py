"""Edge lists in CSV: edges.csv, and if need be nodes.csv and graphs.csv beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.graph_data import GraphData
from graphrings.graphs.adapters.listed import Listed
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import Files
from graphrings.graphs.formats.csv_table import CsvTable, read_csv
from graphrings.graphs.formats.csv_writing import csv_line, csv_names
from graphrings.graphs.formats.format import Format
from graphrings.graphs.formats.graph_files import assembled
from graphrings.graphs.formats.writing import files_at, plain_data
from graphrings.graphs.natural_order import natural_key

EDGES, NODES, GRAPHS = "edges.csv", "nodes.csv", "graphs.csv"


def recognises(files: Files) -> bool:
    """Whether there is a table of edges, in a folder or a zip."""
    return not files.alone and _file(files, EDGES) is not None


def read_files(files: Files) -> Dataset:
    """Read the tables; graphs and nodes may be called anything.

    Graphs stand in the order of graphs.csv, else in the natural order of their names; nodes in
    that of nodes.csv, else in the natural order of theirs. Edges may be listed once or both ways.
    """
    edges, nodes, graphs = (_table(files, name) for name in (EDGES, NODES, GRAPHS))
    assert edges is not None, "the format is known by this file"
    rows, ends = _by_graph(edges, nodes, graphs), _Ends(edges, nodes)
    listed = [ends.graph(name, *own) for name, own in rows.items()]
    if graphs is not None:
        more = graphs.typed_columns
        listed = [
            replace(graph, graph_data={key: cells[i] for key, cells in more.items()})
            for i, graph in enumerate(listed)
        ]
    return assembled(files, listed, _targets(graphs), one_way=True)


def _file(files: Files, name: str) -> str | None:
    """The file of this name, in whatever folder of the dataset."""
    return next((n for n in files.names if PurePosixPath(n).name.lower() == name), None)


def _table(files: Files, name: str) -> CsvTable | None:
    file = _file(files, name)
    return None if file is None else read_csv(files, file)


def _targets(graphs: CsvTable | None) -> list[Any] | None:
    """The targets, if the table of graphs has them."""
    if graphs is None or "target" not in graphs.columns:
        return None
    graphs.column("target")  # no cell is empty
    return graphs.typed("target")


Rows = dict[str, tuple[list[int], list[int]]]  # of every graph the rows of its edges and nodes


def _by_graph(edges: CsvTable, nodes: CsvTable | None, graphs: CsvTable | None) -> Rows:
    """The graphs in their order, and which rows of the tables are theirs."""
    tables = [edges] if nodes is None else [edges, nodes]
    if graphs is None:
        names = {name for table in tables for name in table.column("graph")}
        order = sorted(names, key=natural_key)
    else:
        order = graphs.column("graph")
        seen: set[str] = set()
        for line, name in zip(graphs.lines, order, strict=True):
            if name in seen:
                raise DatasetError(f"{graphs.place}:{line}: the graph {name!r} twice")
            seen.add(name)
    rows: Rows = {name: ([], []) for name in order}
    for which, table in enumerate(tables):
        for i, name in enumerate(table.column("graph")):
            if name not in rows:
                raise DatasetError(
                    f"{table.place}:{table.lines[i]}: the graph {name!r}, which {GRAPHS} does not "
                    "list"
                )
            rows[name][which].append(i)
    return rows


class _Ends:
    """The tables of edges and nodes, from whose rows graphs are made."""

    def __init__(self, edges: CsvTable, nodes: CsvTable | None) -> None:
        self.edges, self.nodes = edges, nodes
        self.sides = edges.column("source"), edges.column("target")
        self.called = [] if nodes is None else nodes.column("node")

    def graph(self, name: str, edges: list[int], nodes: list[int]) -> Listed:
        """One graph from its rows."""
        number = self._numbers(name, edges, nodes)
        if not number:
            raise DatasetError(
                f"{self.edges.place}: graph {name!r} has no nodes; {NODES} lists those without "
                "edges"
            )
        for i in edges:
            for side in self.sides:
                if side[i] not in number:
                    raise DatasetError(
                        f"{self.edges.place}:{self.edges.lines[i]}: the node {side[i]!r}, which "
                        f"{NODES} does not list in graph {name!r}"
                    )
        pairs = [[number[side[i]] for side in self.sides] for i in edges]
        return Listed(
            len(number),
            np.array(pairs, dtype=np.int64).reshape(-1, 2),
            {} if self.nodes is None else _data(self.nodes, nodes, ("graph", "node")),
            _data(self.edges, edges, ("graph", "source", "target")),
            directed=True,
            nodes=list(number),
        )

    def _numbers(self, name: str, edges: list[int], nodes: list[int]) -> dict[str, int]:
        """The number of every node: in the order of their table, or in natural order."""
        if self.nodes is None:
            ends = {side[i] for side in self.sides for i in edges}
            return {node: k for k, node in enumerate(sorted(ends, key=natural_key))}
        number: dict[str, int] = {}
        for i in nodes:
            if self.called[i] in number:
                raise DatasetError(
                    f"{self.nodes.place}:{self.nodes.lines[i]}: the node {self.called[i]!r} of "
                    f"graph {name!r} twice"
                )
            number[self.called[i]] = len(number)
        return number


def _data(table: CsvTable, rows: list[int], but: tuple[str, ...]) -> dict[str, list[Any]]:
    """The further columns, whose cells are what all cells of the column are."""
    return {
        name: [cells[i] for i in rows]
        for name, cells in table.typed_columns.items()
        if name not in but
    }


def write_edge_csv(dataset: Dataset, path: Path) -> None:
    """Write the three tables into a new folder or a zip."""
    graphs = list(plain_data(dataset, path, csv_names))
    with files_at(path) as create:
        for name, lines in (
            (GRAPHS, _graph_lines(graphs)),
            (NODES, _node_lines(graphs)),
            (EDGES, _edge_lines(graphs)),
        ):
            with create(name) as file:
                file.writelines(lines)


def _graph_lines(graphs: list[GraphData]) -> Iterator[bytes]:
    headings = list(graphs[0].graph)
    yield csv_line(["graph", *headings])
    for i, graph in enumerate(graphs):
        yield csv_line([i, *(graph.graph[name] for name in headings)])


def _node_lines(graphs: list[GraphData]) -> Iterator[bytes]:
    headings = list(graphs[0].nodes)
    yield csv_line(["graph", "node", *headings])
    for i, graph in enumerate(graphs):
        for node in range(graph.n_nodes):
            yield csv_line([i, node, *(graph.nodes[name][node] for name in headings)])


def _edge_lines(graphs: list[GraphData]) -> Iterator[bytes]:
    """A graph without edges may lack columns that others have."""
    headings = list(dict.fromkeys(name for graph in graphs for name in graph.edges))
    yield csv_line(["graph", "source", "target", *headings])
    for i, graph in enumerate(graphs):
        for k, pair in enumerate(graph.pairs.tolist()):
            yield csv_line([i, *pair, *(graph.edges[name][k] for name in headings)])


EDGE_CSV = Format(
    name="edge list CSV",
    looks_for=f"{EDGES} in a folder or zip",
    suffixes=("", ".zip"),
    recognises=recognises,
    read=read_files,
    write=write_edge_csv,
)
