"""Write a dataset in the format that its path asks for."""

from __future__ import annotations

import warnings
from pathlib import Path

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.check import check_dataset
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.formats import FORMATS, Format


def write(dataset: Dataset, path: str | Path) -> None:
    """Write a dataset in one step: to ``.npz`` with everything, to ``.zip`` or a folder as TU.

    What a format cannot hold is refused, or said as a ``DatasetNote`` warning.
    """
    path = Path(path)
    if not isinstance(dataset, Dataset):
        raise DatasetError(f"a {type(dataset).__name__} to write to {path}; expected a Dataset")
    if not path.absolute().parent.is_dir():
        raise DatasetError(f"{path.parent}: no such folder to write to")
    writer = format_for(path)
    assert writer.write is not None, "it was chosen by what it writes"
    check_dataset(dataset, dataset.name)
    writer.write(dataset, path)
    if dataset.folds and not writer.keeps_folds:
        warnings.warn(
            f"{path}: the {len(dataset.folds)} folds of {dataset.name} are left out, since the "
            f"{writer.name} format has no place for them",
            DatasetNote,
            stacklevel=2,
        )


def format_for(path: Path) -> Format:
    """The format in which a path is written."""
    suffix = "" if path.is_dir() else path.suffix.lower()
    writers = [known for known in FORMATS if known.write is not None]
    for writer in writers:
        if suffix in writer.suffixes:
            return writer
    endings = [
        f"{' or '.join(ending or 'a folder' for ending in writer.suffixes)} ({writer.name})"
        for writer in writers
    ]
    raise DatasetError(f"{path}: no format is written to {suffix}; expected {', '.join(endings)}")
