"""A dataset as a folder of arrays that processes map into memory instead of reading it again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from graphrings.graphs.array_cache import read_arrays, write_arrays
from graphrings.graphs.dataset import Dataset

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
    write_arrays(folder / "dataset", _arrays(dataset))
    (folder / "names.json").write_text(json.dumps({"name": dataset.name, **_names(dataset)}))


def open_mapped(folder: Path) -> Dataset:
    """The dataset that ``write_mapped`` has laid down; its arrays stay on disk."""
    arrays: dict[str, Any] = dict(read_arrays(folder / "dataset"))
    names = json.loads((folder / "names.json").read_text())
    arrays |= {name: tuple(names[name]) for name in NAMES}
    return Dataset(name=names["name"], **arrays)


def contents(dataset: Dataset) -> str:
    """A hash of all that a fit may see, also of what the fingerprint leaves out: 32 digits."""
    digest = hashlib.sha256(json.dumps(_names(dataset)).encode())
    for name, values in _arrays(dataset).items():
        digest.update(f"{name} {values.dtype.str} {values.shape}".encode())
        digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()[:32]


def _arrays(dataset: Dataset) -> dict[str, Any]:
    found = {name: getattr(dataset, name) for name in ARRAYS}
    return {name: values for name, values in found.items() if values is not None}


def _names(dataset: Dataset) -> dict[str, Any]:
    return {name: getattr(dataset, name) for name in NAMES}
