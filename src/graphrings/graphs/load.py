"""A dataset by its name: from the package, a folder of the user's, the cache, or the TU server."""

import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from graphrings.errors import DatasetError, DatasetNote, FetchError, UnknownDatasetError
from graphrings.graphs.catalogue import DGCNN, TU, Entry, check_content, hint, lookup, nearest
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import ARCHIVES, open_files
from graphrings.graphs.formats import SUFFIXES, format_of, recognise
from graphrings.graphs.formats.dgcnn_text import DGCNN_TEXT
from graphrings.graphs.read import read

BUNDLED = Path(__file__).parent / "bundled"
DATA_VARIABLE = "GRAPHRINGS_DATA"


def load(name: str | Path, root: str | Path | None = None, **options: Any) -> Dataset:
    """Load a dataset by name, or by the path of its file, folder or zip; see ``read`` for options.

    What exists as a path is one, and so is what has a dot or a slash. A name is looked up among the
    bundled datasets, then in ``root`` or ``$GRAPHRINGS_DATA`` (in any format, also one folder
    deep), then in the user's cache, and is downloaded from the TU collection at last. A known name
    must bring the content it promises.
    """
    if is_path(name):
        return read(name, **options)
    entry = lookup(str(name))
    path = locate(entry, root)
    if path is not None:
        return read_checked(path, entry, **options)
    return download(entry, root, **options)


def download(entry: Entry, root: str | Path | None = None, **options: Any) -> Dataset:
    """Bring a dataset into the cache and read it."""
    from graphrings.graphs.fetch import fetch  # the HTTP client takes a moment to import

    if TU not in entry.sources:
        raise FetchError(
            f"{entry.name} cannot be downloaded: it exists only as {DGCNN}; put "
            f"{entry.name}.zip into a folder and name that folder in ${DATA_VARIABLE}"
        )
    folder = data_folder(root)
    known = folder_names(folder) if folder else ()
    try:
        return fetch(entry, lambda path: read_checked(path, entry, **options))
    except UnknownDatasetError as error:
        raise UnknownDatasetError(f"{error}{hint(entry.name, known)}") from error
    except FetchError as error:
        near = "" if entry.fingerprints else nearest(entry.name, known)
        raise FetchError(f"{error}{near}") from error


def locate(entry: Entry, root: str | Path | None = None) -> Path | None:
    """Where the dataset lies on this machine, if it does."""
    bundled = BUNDLED / f"{entry.name}.zip"
    if bundled.exists():
        return bundled
    from graphrings.graphs.fetch import cached  # the HTTP client takes a moment to import

    folder = data_folder(root)
    own = search(entry, folder) if folder else None
    return own or (cached(entry) if cached(entry).exists() else None)


def data_folder(root: str | Path | None) -> Path | None:
    """The user's own folder of datasets."""
    named = root or os.environ.get(DATA_VARIABLE)
    if not named:
        return None
    if not Path(named).is_dir():
        origin = "" if root else f", named by ${DATA_VARIABLE}"
        raise DatasetError(f"{named}: no such folder{origin}")
    return Path(named)


def search(entry: Entry, folder: Path) -> Path | None:
    """Look for a dataset in a folder and one folder deeper.

    Of several, a format that keeps the published folds comes first. The published DGCNN text has
    no attributes: it is not what a dataset with attributes is read from.
    """
    places = (folder, *sorted(inner for inner in folder.iterdir() if inner.is_dir()))
    candidates = [
        place / f"{name}{suffix}" for place in places for name in entry.files for suffix in SUFFIXES
    ]
    there = [path for path in candidates if _is_dataset(path)]
    if entry.has_attributes:
        there = [path for path in there if format_of(open_files(path)) is not DGCNN_TEXT]
    return min(there, key=_loses_folds, default=None)


def _is_dataset(path: Path) -> bool:
    """Whether to read what is there: any archive, and else only what a format recognises."""
    return path.exists() and (path.suffix in ARCHIVES or recognise(open_files(path)) is not None)


def _loses_folds(path: Path) -> bool:
    return not format_of(open_files(path)).keeps_folds


def folder_names(folder: Path) -> Iterable[str]:
    """What the datasets in a folder seem to be called."""
    files = [path.name for path in (*folder.glob("*.*"), *folder.glob("*/*.*"))]
    endings = [suffix for suffix in SUFFIXES if suffix]
    return sorted(
        {name.removesuffix(end) for name in files for end in endings if name.endswith(end)}
    )


def read_checked(path: Path, entry: Entry, **options: Any) -> Dataset:
    """Read a file of a known dataset and compare it with what is expected."""
    dataset = read(path, **options)
    check_content(dataset, entry, str(path))
    if entry.plain and dataset.node_attributes is not None:
        note = f"{entry.name}: without its node attributes; {entry.with_attributes().name} has them"
        warnings.warn(DatasetNote(note), stacklevel=2)
        dataset = dataset.changed(node_attributes=None)
    if entry.has_attributes and dataset.node_attributes is None:
        raise DatasetError(f"{path}: no node attributes, which {entry.name} has")
    return dataset.changed(name=entry.name)


def is_path(name: str | Path) -> bool:
    """Whether the user named a place, not a dataset: it is there, or looks like a path."""
    if isinstance(name, Path) or any(mark in name for mark in (".", "/", os.sep)):
        return True
    return os.path.exists(name)  # noqa: PTH110, unlike Path.exists it takes any text
