"""GraphML: XML with one or several graphs, and declared data of nodes, edges and graphs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NoReturn
from xml.parsers import expat

import numpy as np

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.data_keys import MISSING
from graphrings.graphs.adapters.listed import Listed
from graphrings.graphs.formats.format import Format
from graphrings.graphs.formats.graph_files import has_files, read_graph_files
from graphrings.graphs.formats.graphml_writing import SUFFIX, Key, write_graphml

TRUTH = {"true": True, "1": True, "false": False, "0": False}
TYPES: dict[str, Callable[[str], Any]] = {
    "boolean": lambda text: TRUTH[text.lower()],
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "string": str,
}
OWN_ENCODINGS = {"utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "us-ascii"}  # expat's


@dataclass
class _Open:
    """A graph that is being read: data by node and by edge, and where the edges stand."""

    directed: bool
    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)
    edges: list[tuple[str, str, int, dict[str, Any]]] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)


def parse_graphml(content: bytes, place: str) -> list[Listed]:
    """The graphs of a GraphML document; document types, and with them entities, are refused."""
    reader = _Reader(place)
    try:
        reader.parser.Parse(content, True)
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise DatasetError(f"{place}:{error.lineno}: not XML ({why})") from error
    return reader.graphs


def _has_a_byte_per_letter(encoding: str) -> bool:
    """Whether the parser can be told what every byte means."""
    try:
        return len(bytes(range(256)).decode(encoding, "replace")) == 256
    except (LookupError, ValueError):
        return False


class _Reader:
    """Follows a document element by element."""

    def __init__(self, place: str) -> None:
        self.place, self.graphs = place, list[Listed]()
        self.keys: dict[str, Key] = {}
        self.defaults: dict[str, Any] = {}
        self.graph: _Open | None = None
        self.element: dict[str, Any] | None = None  # whose data are read
        self.key, self.text, self.reading = "", "", False
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.XmlDeclHandler = self.declaration
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters

    def refuse(self, why: str) -> NoReturn:
        raise DatasetError(f"{self.place}:{self.parser.CurrentLineNumber}: {why}")

    def declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        del version, standalone
        if (
            encoding
            and encoding.lower() not in OWN_ENCODINGS
            and not _has_a_byte_per_letter(encoding)
        ):
            self.refuse(f"the encoding {encoding!r}; expected UTF-8 or one with a byte per letter")

    def doctype(self, *_: Any) -> None:
        self.refuse("a document type; expected GraphML without one, since it may hide anything")

    def start(self, tag: str, given: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        handler = {
            "key": self.start_key,
            "graph": self.start_graph,
            "node": self.start_node,
            "edge": self.start_edge,
            "data": self.start_data,
            "default": self.start_default,
            "hyperedge": self.start_hyperedge,
        }.get(name)
        if handler is not None:
            handler(given)

    def end(self, tag: str) -> None:
        name = tag.rpartition(" ")[2]
        if name in ("data", "default") and self.reading:
            self.reading = False
            self.end_data(default=name == "default")
        elif name in ("node", "edge") and self.graph is not None:
            self.element = self.graph.data
        elif name == "graph":
            self.end_graph()

    def characters(self, text: str) -> None:
        if self.reading:
            self.text += text

    def start_key(self, given: Mapping[str, str]) -> None:
        kind = given.get("attr.type", "string")
        self.key = self.need(given, "id")
        if kind not in TYPES:
            self.refuse(f"attr.type {kind!r}; expected one of {', '.join(TYPES)}")
        self.keys[self.key] = Key(given.get("attr.name", self.key), given.get("for", "all"), kind)

    def start_graph(self, given: Mapping[str, str]) -> None:
        if self.graph is not None:
            self.refuse("a graph inside a graph; expected graphs side by side")
        self.graph = _Open(given.get("edgedefault", "undirected") == "directed")
        self.element = self.graph.data

    def start_node(self, given: Mapping[str, str]) -> None:
        graph, name = self.inside(), self.need(given, "id")
        if name in graph.nodes:
            self.refuse(f"a second node {name!r}")
        self.element = graph.nodes[name] = {}

    def start_edge(self, given: Mapping[str, str]) -> None:
        ends = self.need(given, "source"), self.need(given, "target")
        self.element = {}
        line = self.parser.CurrentLineNumber
        self.inside().edges.append((*ends, line, self.element))

    def start_hyperedge(self, given: Mapping[str, str]) -> None:
        del given
        self.refuse("a hyperedge; expected edges between two nodes")

    def start_data(self, given: Mapping[str, str]) -> None:
        self.key, self.text, self.reading = self.need(given, "key"), "", True
        if self.key not in self.keys:
            self.refuse(f"data of the key {self.key!r}, which is not declared")

    def start_default(self, given: Mapping[str, str]) -> None:
        del given
        if self.key not in self.keys:
            self.refuse("a default outside a key")
        self.text, self.reading = "", True

    def end_data(self, default: bool) -> None:
        key = self.keys[self.key]
        try:
            value = TYPES[key.kind](self.text if key.kind == "string" else self.text.strip())
        except (ValueError, KeyError):
            self.refuse(f"{key.name} is {self.text.strip()!r}; expected a value of type {key.kind}")
        if default:
            self.defaults[self.key] = value
        elif self.element is not None:
            self.element[key.name] = value

    def end_graph(self) -> None:
        graph = self.inside()
        number = {name: k for k, name in enumerate(graph.nodes)}
        for *ends, line, _ in graph.edges:
            for end in ends:
                if end not in number:
                    raise DatasetError(f"{self.place}:{line}: an edge of {end!r}, which is no node")
        pairs = [(number[source], number[target]) for source, target, *_ in graph.edges]
        self.graphs.append(
            Listed(
                len(number),
                np.array(pairs, dtype=np.int64).reshape(-1, 2),
                self.columns(list(graph.nodes.values()), "node"),
                self.columns([data for *_, data in graph.edges], "edge"),
                graph.data,
                graph.directed,
                list(number),
            )
        )
        self.graph = self.element = None

    def columns(self, rows: list[dict[str, Any]], of: str) -> dict[str, list[Any]]:
        """Data as columns; where some lack them, the declared default stands for them."""
        declared = {
            self.keys[key].name: value
            for key, value in self.defaults.items()
            if self.keys[key].of in (of, "all")
        }
        names = dict.fromkeys(chain(declared, *rows))
        return {n: [row.get(n, declared.get(n, MISSING)) for row in rows] for n in names}

    def inside(self) -> _Open:
        if self.graph is None:
            self.refuse("a node or an edge outside a graph")
        return self.graph

    def need(self, given: Mapping[str, str], name: str) -> str:
        if name not in given:
            self.refuse(f"an element without {name!r}")
        return given[name]


GRAPHML = Format(
    name="GraphML",
    looks_for=f"{SUFFIX} files",
    suffixes=(SUFFIX, "", ".zip"),
    recognises=partial(has_files, suffix=SUFFIX),
    read=partial(read_graph_files, suffix=SUFFIX, parse=parse_graphml),
    write=write_graphml,
)
