"""Names beside TU files: what the numbers of classes and labels stand for.

The format itself has numbers only. A line such as ``0, "active"`` has a number and its name in
JSON, where tuples are lists.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.arrays import is_plain_name, plain_name, restored_name
from graphrings.graphs.dataset import Names
from graphrings.graphs.numbering import Numbered

NAMES_OF = {  # by the file of the numbers
    "graph_labels": "class_names",
    "node_labels": "node_label_names",
    "edge_labels": "edge_label_names",
}


def written_names(names: Names) -> bytes:
    """The lines of all names, numbered from 0; names that are no JSON are refused."""
    lines = (f"{k}, {json.dumps(plain_name(name))}\n" for k, name in enumerate(names))
    return "".join(lines).encode()


def named(values: NDArray[np.int64], content: bytes, place: str) -> Numbered:
    """Numbers of a TU file as numbers of the names in another, in the order of its lines."""
    names = _read(content, place)
    known = {number: k for k, number in enumerate(names)}
    distinct, inverse = np.unique(values, return_inverse=True)
    for number in distinct.tolist():
        if number not in known:
            raise DatasetError(f"{place}: no name for {number}, which occurs; expected one")
    places = np.array([known[number] for number in distinct.tolist()], dtype=np.int32)
    return places[inverse.reshape(-1)], tuple(names.values())


def _read(content: bytes, place: str) -> dict[int, Any]:
    """The name of every number."""
    names: dict[int, Any] = {}
    for line, text in enumerate(content.splitlines(), 1):
        number, _, name = text.partition(b",")
        try:
            key, value = int(number), json.loads(name)
        except (ValueError, RecursionError):
            key, value = 0, {}
        if not is_plain_name(value):
            raise DatasetError(
                f'{place}:{line}: no number and name; expected a line such as 0, "active"'
            )
        value = restored_name(value)
        if key in names or value in names.values():
            raise DatasetError(f"{place}:{line}: {key} or {value!r} for the second time")
        names[key] = value
    return names
