"""A dataset by its name: from the package, a folder of the user's, the cache, or the TU server."""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from graphrings.errors import DatasetError, FetchError, UnknownDatasetError
from graphrings.graphs.catalogue import DGCNN, TU, Entry, check_content, lookup, suggestion
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import open_files
from graphrings.graphs.read import is_tu, read

BUNDLED = Path(__file__).parent / "bundled"
DATA_VARIABLE = "GRAPHRINGS_DATA"


def load(name: str | Path, root: str | Path | None = None) -> Dataset:
    """Load a dataset by name, or by the path of its folder or zip.

    A name is looked up among the bundled datasets, then in ``root`` or ``$GRAPHRINGS_DATA``
    (folders and zips in either format, also one folder deep), then in the user's cache, and is
    downloaded from the TU collection at last. A known name must bring the content it promises.
    """
    if is_path(name):
        return read(name)
    entry = lookup(str(name))
    path = locate(entry, root)
    if path is not None:
        return read_checked(path, entry)
    return download(entry, root)


def download(entry: Entry, root: str | Path | None = None) -> Dataset:
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
        return fetch(entry, lambda path: read_checked(path, entry))
    except UnknownDatasetError as error:
        raise UnknownDatasetError(f"{error}{suggestion(entry.name, known)}") from error
    except FetchError as error:
        if entry.fingerprints:
            raise
        raise FetchError(f"{error}{suggestion(entry.name, known)}") from error


def locate(entry: Entry, root: str | Path | None = None) -> Path | None:
    """Where the dataset lies on this machine, if it does."""
    from graphrings.graphs.fetch import cached

    bundled = BUNDLED / f"{entry.name}.zip"
    if bundled.exists():
        return bundled
    folder = data_folder(root)
    found = find(entry, folder) if folder else None
    return found or (cached(entry) if cached(entry).exists() else None)


def data_folder(root: str | Path | None) -> Path | None:
    """The user's own folder of datasets."""
    named = root or os.environ.get(DATA_VARIABLE)
    if not named:
        return None
    if not Path(named).is_dir():
        origin = "" if root else f", named by ${DATA_VARIABLE}"
        raise DatasetError(f"{named}: no such folder{origin}")
    return Path(named)


def find(entry: Entry, folder: Path) -> Path | None:
    """Look for a dataset in a folder and one folder deeper.

    Of several, the DGCNN text comes first: it brings the published folds.
    """
    found = []
    for place in (folder, *sorted(inner for inner in folder.iterdir() if inner.is_dir())):
        for name in entry.names:
            for candidate in (place / name, place / f"{name}.zip"):
                if candidate.is_file() or (candidate.is_dir() and open_files(candidate).names):
                    found.append(candidate)
    return min(found, key=is_tu, default=None)


def folder_names(folder: Path) -> Iterable[str]:
    """What the datasets in a folder seem to be called."""
    return sorted({path.stem for path in [*folder.glob("*.zip"), *folder.glob("*/*.zip")]})


def read_checked(path: Path, entry: Entry) -> Dataset:
    """Read a file of a known dataset and compare it with what is expected."""
    dataset = read(path)
    check_content(dataset, entry, str(path))
    return replace(dataset, name=entry.name)


def is_path(name: str | Path) -> bool:
    """Whether the user named a place rather than a dataset."""
    return isinstance(name, Path) or name.endswith(".zip") or "/" in name or os.sep in name
