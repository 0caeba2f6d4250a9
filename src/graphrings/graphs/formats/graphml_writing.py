"""Write GraphML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from graphrings.graphs.adapters.graph_data import GraphData
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.formats.writing import files_at, is_folder, plain_data, write_file

SUFFIX = ".graphml"
NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
START = f'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="{NAMESPACE}">'
END = "</graphml>\n"


class Key(NamedTuple):
    """A declared kind of data."""

    name: str
    of: str
    kind: str


def write_graphml(dataset: Dataset, path: Path) -> None:
    """Write a file per graph into a new folder or a zip, or all graphs into one .graphml file."""
    graphs = plain_data(dataset, path)
    if not is_folder(path) and path.suffix.lower() == SUFFIX:
        write_file(path, document(list(graphs)))
        return
    with files_at(path) as create:
        for i, graph in enumerate(graphs):
            with create(f"{i}{SUFFIX}") as file:
                file.writelines(document([graph]))


def document(graphs: list[GraphData]) -> Iterator[bytes]:
    """The lines of a document with these graphs."""
    keys: dict[Key, str] = {}
    for graph in graphs:
        for of, data in _data(graph):
            for name, values in data.items():
                for kind in {_kind(value) for value in values}:
                    keys.setdefault(Key(name, of, kind), f"d{len(keys)}")
    yield f"{START}\n".encode()
    for (name, of, kind), key in keys.items():
        yield f'<key id="{key}" for="{of}" attr.name="{name}" attr.type="{kind}"/>\n'.encode()
    for graph in graphs:
        yield from (f"{line}\n".encode() for line in _lines(graph, keys))
    yield END.encode()


def _data(graph: GraphData) -> tuple[tuple[str, Mapping[str, list[Any]]], ...]:
    own = {name: [value] for name, value in graph.graph.items()}
    return ("graph", own), ("node", graph.nodes), ("edge", graph.edges)


def _kind(value: Any) -> str:
    if isinstance(value, str):
        return "string"
    return "double" if isinstance(value, float) else "long"


def _lines(graph: GraphData, keys: Mapping[Key, str]) -> Iterator[str]:
    def data(of: str, columns: Mapping[str, list[Any]], i: int) -> str:
        return "".join(
            f'<data key="{keys[Key(name, of, _kind(values[i]))]}">{escape(str(values[i]))}</data>'
            for name, values in columns.items()
        )

    (_, own), *_ = _data(graph)
    directions = "directed" if graph.directed else "undirected"
    yield f'<graph edgedefault="{directions}">{data("graph", own, 0)}'
    for i in range(graph.n_nodes):
        yield f'<node id="n{i}">{data("node", graph.nodes, i)}</node>'
    for i, (u, v) in enumerate(graph.pairs.tolist()):
        yield f'<edge source="n{u}" target="n{v}">{data("edge", graph.edges, i)}</edge>'
    yield "</graph>"
