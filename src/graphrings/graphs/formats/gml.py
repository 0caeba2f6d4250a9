"""GML: nested lists of keys and values, one graph per file; read by networkx."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.adapters.graph_data import LABEL, GraphData
from graphrings.graphs.adapters.listed import Listed
from graphrings.graphs.adapters.networkx import listed
from graphrings.graphs.dataset import Dataset, Names
from graphrings.graphs.formats.format import Format
from graphrings.graphs.formats.graph_files import has_files, read_graph_files
from graphrings.graphs.formats.writing import (
    Written,
    files_at,
    holds_integer,
    is_folder,
    plain_data,
    write_file,
    written_names,
)
from graphrings.graphs.libraries import library

SUFFIX = ".gml"
NO_GML = (ValueError, LookupError, TypeError, AttributeError, RecursionError)  # in networkx' words
LARGEST = 2**31 - 1  # integers that GML has
NODE_LABEL = "node_label"
POSITION = re.compile(r"at \((\d+), \d+\)")  # line and column, in messages of networkx
SPECIAL = re.compile(r'[^ -~]|[&"]')


def parse_gml(content: bytes, place: str) -> list[Listed]:
    """The one graph of a file."""
    networkx = library("networkx", "networkx", "reading GML")
    try:
        graph = networkx.parse_gml(content.decode("utf-8-sig"), label=None)
    except (networkx.NetworkXError, *NO_GML) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        line = f":{at[1]}" if (at := POSITION.search(reason)) else ""
        raise DatasetError(f"{place}{line}: not GML ({reason})") from error
    return [listed(graph)]


def without_names(graphs: list[Listed], place: str) -> list[Listed]:
    """The same graphs without a ``label`` that calls every node of a graph differently.

    That is how networkx and others write what a node is called; the numbers of nodes, which it
    writes where they have no names, go without a word.
    """
    columns = [list(map(str, graph.node_data.get("label", ()))) for graph in graphs]
    numbers = all(
        c == [str(node) for node in g.nodes] for c, g in zip(columns, graphs, strict=True)
    )
    different = all(len(set(c)) == g.n_nodes for c, g in zip(columns, graphs, strict=True))
    if not numbers and not (different and any(graph.n_nodes > 1 for graph in graphs)):
        return graphs
    if not numbers:
        note = f"{place}: left node 'label', which calls every node of a graph differently"
        warnings.warn(note, DatasetNote, stacklevel=4)
    return [
        replace(g, node_data={k: v for k, v in g.node_data.items() if k != "label"}) for g in graphs
    ]


def write_gml(dataset: Dataset, path: Path) -> None:
    """Write a file per graph into a new folder or a zip; a .gml file holds one graph."""
    alone = not is_folder(path) and path.suffix.lower() == SUFFIX
    if alone and len(dataset) != 1:
        raise DatasetError(
            f"{path}: {len(dataset):,} graphs; a {SUFFIX} file holds one, a folder or a .zip as "
            "many as there are"
        )
    graphs = plain_data(dataset, path, gml_names)
    if alone:
        write_file(path, lines(next(graphs)))
        return
    with files_at(path) as create:
        for i, graph in enumerate(graphs):
            with create(f"{i}{SUFFIX}") as file:
                file.writelines(lines(graph))


def gml_names(names: Names, what: str) -> Written:
    """Integers of 32 bits, or text that networkx does not take for an empty list."""
    if any(name in ("()", "[]") for name in names):
        return Written(tuple(map(repr, names)), f"{what} are written as text")
    return written_names(names, what, lambda name: holds_integer(name) and abs(name) <= LARGEST)


def lines(graph: GraphData) -> Iterator[bytes]:
    """One graph; ``label`` is what networkx calls the node, ``node_label`` what we call it."""
    nodes = {NODE_LABEL if key == LABEL else key: column for key, column in graph.nodes.items()}
    yield f"graph [\n  directed {graph.directed:d}\n".encode()
    for key, value in graph.graph.items():
        yield f"  {key} {_value(value)}\n".encode()
    for i in range(graph.n_nodes):
        yield f'  node [ id {i} label "{i}"{_pairs(nodes, i)} ]\n'.encode()
    for i, (u, v) in enumerate(graph.pairs.tolist()):
        yield f"  edge [ source {u} target {v}{_pairs(graph.edges, i)} ]\n".encode()
    yield b"]\n"


def _pairs(columns: Mapping[str, list[Any]], i: int) -> str:
    return "".join(f" {key} {_value(values[i])}" for key, values in columns.items())


def _value(value: Any) -> str:
    """A value as GML has it: quoted text in ASCII, real numbers with a point."""
    if isinstance(value, str):
        return '"' + SPECIAL.sub(lambda found: f"&#{ord(found[0])};", value) + '"'
    text = repr(value)
    if isinstance(value, float) and "." not in text:
        text = text.replace("e", ".0e")
    return text


GML = Format(
    name="GML",
    looks_for=f"{SUFFIX} files",
    suffixes=(SUFFIX, "", ".zip"),
    recognises=partial(has_files, suffix=SUFFIX),
    read=partial(read_graph_files, suffix=SUFFIX, parse=parse_gml, tidy=without_names),
    write=write_gml,
)
