"""Node-link JSON: nodes and edges (or links) as lists of objects, as networkx and D3 have it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.data_keys import MISSING
from graphrings.graphs.adapters.graph_data import GraphData
from graphrings.graphs.adapters.listed import Listed
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.formats.format import Format
from graphrings.graphs.formats.graph_files import has_files, read_graph_files
from graphrings.graphs.formats.writing import files_at, is_folder, plain_data, write_file

SUFFIX = ".json"


def parse_json(content: bytes, place: str) -> list[Listed]:
    """The graph of a document, or the graphs of a list of them."""
    try:
        document = json.loads(content.decode("utf-8-sig"), parse_constant=_no_number)
    except RecursionError as error:
        raise DatasetError(f"{place}: not node-link JSON (lists inside lists)") from error
    except ValueError as error:
        line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise DatasetError(f"{place}{line}: not JSON ({reason})") from error
    if isinstance(document, list):
        return [_graph(graph, f"{place}: graph {i}") for i, graph in enumerate(document)]
    return [_graph(document, place)]


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _graph(document: Any, place: str) -> Listed:
    """One graph, all of whose parts are looked at."""
    if not isinstance(document, dict):
        raise DatasetError(f"{place}: a {type(document).__name__}; expected an object with nodes")
    nodes = _objects(document, ("nodes",), place)
    edges = _objects(document, ("edges", "links"), place)
    number: dict[Any, int] = {}
    for i, node in enumerate(nodes):
        name = _name(node, "id", f"{place}: nodes[{i}]")
        if name in number:
            raise DatasetError(f"{place}: nodes[{i}]: a second node {name!r}")
        number[name] = i
    pairs = []
    for i, edge in enumerate(edges):
        ends = [_name(edge, end, f"{place}: edges[{i}]") for end in ("source", "target")]
        for end in ends:
            if end not in number:
                raise DatasetError(f"{place}: edges[{i}]: an edge of {end!r}, which is no node")
        pairs.append([number[end] for end in ends])
    own = document.get("graph", {})
    return Listed(
        len(nodes),
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        _columns(nodes, ("id",)),
        _columns(edges, ("source", "target", "key")),
        own if isinstance(own, dict) else {},
        document.get("directed") is True,
        list(number),
    )


def _objects(document: Mapping[str, Any], names: Sequence[str], place: str) -> list[dict[str, Any]]:
    for name in names:
        listed = document.get(name)
        if isinstance(listed, list):
            for i, entry in enumerate(listed):
                if not isinstance(entry, dict):
                    raise DatasetError(f"{place}: {name}[{i}] is no object")
            return listed
    raise DatasetError(f"{place}: no list {names[0]!r}; expected node-link JSON")


def _name(entry: Mapping[str, Any], key: str, place: str) -> Any:
    name = entry.get(key)
    if not isinstance(name, str | int | float):
        raise DatasetError(f"{place}: {key} is {name!r}; expected text or a number")
    return name


def _columns(rows: list[dict[str, Any]], but: Sequence[str]) -> dict[str, list[Any]]:
    """Data as columns; null is nothing."""
    keys = [key for key in dict.fromkeys(k for row in rows for k in row) if key not in but]
    return {key: [MISSING if row.get(key) is None else row[key] for row in rows] for key in keys}


def write_json(dataset: Dataset, path: Path) -> None:
    """Write a file per graph into a new folder or a zip, or a list of all into one .json file."""
    graphs = plain_data(dataset, path)
    if not is_folder(path) and path.suffix.lower() == SUFFIX:
        write_file(path, _list(graphs))
        return
    with files_at(path) as create:
        for i, graph in enumerate(graphs):
            with create(f"{i}{SUFFIX}") as file:
                file.write(json.dumps(document(graph)).encode())


def _list(graphs: Iterator[GraphData]) -> Iterator[bytes]:
    """One graph per line."""
    before = "[\n"
    for graph in graphs:
        yield f"{before}{json.dumps(document(graph))}".encode()
        before = ",\n"
    yield b"\n]\n"


def document(graph: GraphData) -> dict[str, Any]:
    """What ``networkx.node_link_graph`` reads."""

    def data(columns: Mapping[str, list[Any]], i: int) -> dict[str, Any]:
        return {key: values[i] for key, values in columns.items()}

    return {
        "directed": graph.directed,
        "multigraph": False,
        "graph": graph.graph,
        "nodes": [{"id": i, **data(graph.nodes, i)} for i in range(graph.n_nodes)],
        "edges": [
            {"source": u, "target": v, **data(graph.edges, i)}
            for i, (u, v) in enumerate(graph.pairs.tolist())
        ],
    }


NODE_LINK = Format(
    name="node-link JSON",
    looks_for=f"{SUFFIX} files",
    suffixes=(SUFFIX, "", ".zip"),
    recognises=partial(has_files, suffix=SUFFIX),
    read=partial(read_graph_files, suffix=SUFFIX, parse=parse_json),
    write=write_json,
)
