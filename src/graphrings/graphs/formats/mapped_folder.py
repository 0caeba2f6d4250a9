"""Our own format for datasets larger than memory: a folder of arrays that are mapped, not read.

A folder ``NAME.graphs`` has the files that an ``.npz`` file has inside: ``dataset.json`` and one
``.npy`` per array. Pages come from disk when they are looked at and go when memory is short.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.check import DATASET_RULES, bounds, check_dataset, check_packed
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import Files
from graphrings.graphs.formats.format import Format
from graphrings.graphs.formats.npz import (
    HEADER,
    TYPES,
    array_shape,
    assembled,
    everything_of,
    header_of,
)
from graphrings.whole_files import whole_folder

ENDING = ".graphs"
AT_ONCE = 10_000  # graphs that are checked together


def recognises(files: Files) -> bool:
    """Whether this is a folder with our header."""
    return not files.zipped and not files.alone and HEADER in files.names


def read_mapped(files: Files) -> Dataset:
    """Map a dataset into memory and check it, some graphs at a time; nothing is trusted."""
    dataset = assembled(files, _mapped)
    check_lengths(dataset, str(files.path))
    check_packed(dataset, DATASET_RULES, str(files.path), ("name", "folds"))
    for first in range(0, len(dataset), AT_ONCE):
        check_dataset(dataset[first : first + AT_ONCE], f"{files.path} from graph {first} on")
    return dataset


def check_lengths(dataset: Dataset, place: str) -> None:
    """Refuse arrays of which no part could be cut out."""
    n_nodes, n_entries = dataset.n_nodes, len(dataset.indices)
    for field, last in (("graph_ptr", n_nodes), ("indptr", n_entries)):
        values = getattr(dataset, field)
        if values.dtype != np.int32 or values.ndim != 1 or not bounds(values, last):
            raise DatasetError(f"{place}: {field} does not rise from 0 to {last:,}")
    lengths = {
        "targets": len(dataset),
        "node_labels": n_nodes,
        "node_attributes": n_nodes,
        "edge_labels": n_entries,
        "edge_attributes": n_entries,
    }
    for field, length in lengths.items():
        values = getattr(dataset, field)
        if values is not None and len(values) != length:
            raise DatasetError(f"{place}: {field} has {len(values):,} rows; expected {length:,}")
    if dataset.smiles and len(dataset.smiles) != len(dataset):
        raise DatasetError(
            f"{place}: smiles are {len(dataset.smiles):,} for {len(dataset):,} graphs"
        )


def write_mapped(dataset: Dataset, path: Path) -> None:
    """Write everything that a dataset holds to a new folder."""
    if path.exists():
        raise DatasetError(f"{path}: is there already; a folder of graphs is not written over")
    with whole_folder(path) as folder:
        (folder / HEADER).write_text(header_of(dataset), encoding="utf-8")
        for name, values in everything_of(dataset).items():
            with (folder / f"{name}.npy").open("wb") as file:
                npy.write_array(file, values, allow_pickle=False)
                file.flush()
                os.fsync(file.fileno())


def _mapped(files: Files, name: str) -> NDArray[Any]:
    path = files.path / name
    with path.open("rb") as file:
        shape, dtype, start = array_shape(file, path.stat().st_size, files.place(name))
    if 0 in shape:  # of which there is nothing to map
        return np.empty(shape, TYPES[dtype])
    values = np.memmap(path, dtype, "r", start, shape).view(np.ndarray)
    return np.require(values, TYPES[dtype], "A")


MAPPED_FOLDER = Format(
    name="mapped",
    looks_for=f"{HEADER} beside arrays in a folder",
    suffixes=(ENDING,),
    recognises=recognises,
    read=read_mapped,
    write=write_mapped,
    keeps_folds=True,
)
