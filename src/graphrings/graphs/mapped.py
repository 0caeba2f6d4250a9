"""A dataset as a folder of arrays that processes map into memory instead of reading it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from graphrings.graphs.dataset import Dataset
from graphrings.graphs.shared import read_arrays, write_arrays

ARRAYS = (
    "graph_ptr",
    "indptr",
    "indices",
    "targets",
    "node_labels",
    "node_attributes",
    "edge_labels",
    "edge_attributes",
)
NAMES = ("class_names", "label_names", "edge_label_names")


def write_mapped(dataset: Dataset, folder: Path) -> None:
    """Lay the arrays of a dataset into a new folder."""
    folder.mkdir(parents=True)
    arrays = {name: getattr(dataset, name) for name in ARRAYS}
    write_arrays(folder / "dataset", {k: v for k, v in arrays.items() if v is not None})
    names = {name: getattr(dataset, name) for name in NAMES}
    (folder / "names.json").write_text(json.dumps({"name": dataset.name, **names}))


def open_mapped(folder: Path) -> Dataset:
    """The dataset that ``write_mapped`` has laid down; its arrays stay on disk."""
    arrays: dict[str, Any] = dict(read_arrays(folder / "dataset"))
    names = json.loads((folder / "names.json").read_text())
    arrays |= {name: tuple(names[name]) for name in NAMES}
    return Dataset(name=names["name"], **arrays)
