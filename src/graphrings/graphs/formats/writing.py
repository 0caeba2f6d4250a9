"""What writers share: files in a folder or zip, and names that text files can hold."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.adapters.graph_data import ATTRIBUTES, GraphData, data_of
from graphrings.graphs.dataset import Dataset, Names
from graphrings.whole_files import whole_file, whole_folder

Create = Callable[[str], AbstractContextManager[IO[bytes]]]  # opens a file of a name
ATTRIBUTE = "attribute_"  # and a number, in files that hold no vectors
LARGEST = 10**18 - 1  # integers with more digits are not read


def is_folder(path: Path) -> bool:
    """Whether a path is that of a folder, if perhaps of one to make."""
    return path.is_dir() or not path.suffix


@contextmanager
def files_at(path: Path, inside: str = "") -> Iterator[Create]:
    """Create the files of a new folder, or of a zip (``inside`` a folder), all at once or none."""
    if is_folder(path):
        if path.is_dir() and any(path.iterdir()):
            raise DatasetError(f"{path}: the folder is not empty; expected a new one")
        with whole_folder(path) as folder:
            yield lambda file: _in_folder(folder / file)
        return
    with whole_file(path) as place, zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        before = f"{inside}/" if inside else ""
        yield lambda file: archive.open(f"{before}{file}", "w", force_zip64=True)


def _in_folder(file: Path) -> IO[bytes]:
    file.parent.mkdir(exist_ok=True)
    return file.open("wb")


def write_file(path: Path, parts: Iterable[bytes]) -> None:
    """Write one file in one step."""
    with whole_file(path) as place, place.open("wb") as file:
        file.writelines(parts)


def holds_text(name: Any) -> bool:
    """Whether a name is one line of text that no reader trims."""
    return isinstance(name, str) and name.isprintable() and name == name.strip() != ""


def holds_integer(name: Any) -> bool:
    """Whether a name is an integer of 18 digits."""
    whole = isinstance(name, int | np.integer) and not isinstance(name, bool)
    return whole and abs(name) <= LARGEST


class Written(NamedTuple):
    """What names are called in a file, and what to say if that is not what they are."""

    names: Names
    note: str = ""


def written_names(
    names: Names, what: str, is_integer: Callable[[Any], bool] = holds_integer
) -> Written:
    """Names as they stand if all are integers, or all lines of text; else as text, with a note."""
    if all(map(is_integer, names)) or all(map(holds_text, names)):
        return Written(names)
    texts = [name if holds_text(name) else repr(name) for name in names]
    if len(set(texts)) < len(texts):
        texts = [repr(name) for name in names]
    return Written(tuple(texts), f"{what} are written as text")


def plain_data(
    dataset: Dataset, path: Path, rename: Callable[[Names, str], Written] = written_names
) -> Iterator[GraphData]:
    """The graphs with names that a file can hold and attributes as one number each.

    What names had to become something else is said in one note.
    """
    if len(dataset) == 0:
        raise DatasetError(f"{dataset.name}: no graphs; only an .npz file holds none")
    parts: dict[str, Any] = {
        "class_names": rename(dataset.class_names, "classes"),
        "label_names": rename(dataset.label_names, "node labels"),
        "edge_label_names": rename(dataset.edge_label_names, "edge labels"),
    }
    say(path, [written.note for written in parts.values()], stacklevel=5)
    return map(_with_numbers, data_of(dataset.changed(**{k: w.names for k, w in parts.items()})))


def say(path: Path, notes: Sequence[str], stacklevel: int = 4) -> None:
    """One note of all that is to be said, if anything is."""
    words = [note for note in notes if note]
    if words:
        warnings.warn(f"{path}: {'; '.join(words)}", DatasetNote, stacklevel=stacklevel)


def _with_numbers(graph: GraphData) -> GraphData:
    """The same graph with a column for every attribute."""
    for data in (graph.nodes, graph.edges):
        rows = data.pop(ATTRIBUTES, [])
        for k, column in enumerate(zip(*rows, strict=True)):
            data[f"{ATTRIBUTE}{k}"] = list(column)
    return graph
