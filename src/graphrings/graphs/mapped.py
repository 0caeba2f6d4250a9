"""A dataset as a folder of arrays that processes map into memory instead of reading it again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np

from graphrings.graphs.array_cache import read_arrays, write_arrays
from graphrings.graphs.arrays import arrays_of, dataset_from, names_of
from graphrings.graphs.dataset import Dataset


def write_mapped(dataset: Dataset, folder: Path) -> None:
    """Lay the arrays of a dataset into a new folder."""
    folder.mkdir(parents=True)
    write_arrays(folder / "dataset", arrays_of(dataset))
    (folder / "names.json").write_text(json.dumps({"name": dataset.name, **names_of(dataset)}))


def open_mapped(folder: Path) -> Dataset:
    """The dataset that ``write_mapped`` has laid down; its arrays stay on disk."""
    names = json.loads((folder / "names.json").read_text())
    return dataset_from(names["name"], names, read_arrays(folder / "dataset"))


def contents(dataset: Dataset) -> str:
    """A hash of all that a fit may see, also of what the fingerprint leaves out: 32 digits."""
    digest = hashlib.sha256(json.dumps(names_of(dataset)).encode())
    for name, values in arrays_of(dataset).items():
        digest.update(f"{name} {values.dtype.str} {values.shape}".encode())
        digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()[:32]
