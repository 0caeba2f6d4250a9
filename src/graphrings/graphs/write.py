"""Write a dataset in the format that its path asks for."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.formats import FORMATS, Format
from graphrings.spelling import suggestion


def write(dataset: Dataset, path: str | Path, format: str | None = None) -> None:  # noqa: A002
    """Write a dataset in one step, in the format that the path asks for.

    ``.npz`` holds everything; a ``.zip`` or a folder is TU unless ``format`` names another, such as
    ``GraphML``. What a format cannot hold is refused, or said as a ``DatasetNote`` warning.
    """
    path = Path(path)
    if not isinstance(dataset, Dataset):
        raise DatasetError(f"a {type(dataset).__name__} to write to {path}; expected a Dataset")
    if not path.absolute().parent.is_dir():
        raise DatasetError(f"{path.parent}: no such folder to write to")
    writer = format_for(path, format)
    assert writer.write is not None, "it was chosen by what it writes"
    writer.write(dataset, path)
    if dataset.folds and not writer.keeps_folds:
        warnings.warn(
            f"{path}: the {len(dataset.folds)} folds of {dataset.name} are left out, since the "
            f"{writer.name} format has no place for them",
            DatasetNote,
            stacklevel=2,
        )


def format_for(path: Path, name: str | None = None) -> Format:
    """The format in which a path is written, or the one of a name, if it writes such paths."""
    suffix = "" if path.is_dir() else path.suffix.lower()
    writers = [known for known in FORMATS if known.write is not None]
    if name is not None:
        writers = [named_format(name, writers)]
    for writer in writers:
        if suffix in writer.suffixes:
            return writer
    where = suffix or "a folder"
    if name is not None:
        right = _places(writers[0].suffixes)
        raise DatasetError(f"{path}: {writers[0].name} is not written to {where}; but to {right}")
    own = {suffix: writer for writer in reversed(writers) for suffix in writer.suffixes}
    endings = [
        f"{_places(places)} ({writer.name})"
        for writer in writers
        if (places := [suffix for suffix in writer.suffixes if own[suffix] is writer])
    ]
    raise DatasetError(f"{path}: no format is written to {where}; expected {', '.join(endings)}")


def _places(suffixes: Sequence[str]) -> str:
    return " or ".join(suffix or "a folder" for suffix in suffixes)


def named_format(name: str, writers: Sequence[Format]) -> Format:
    """The format of a name, with spaces or hyphens and in any case."""
    words = {writer.word: writer for writer in writers}
    word = name.lower().replace(" ", "-")
    if word not in words:
        raise DatasetError(
            f"format {name!r}; expected one of {', '.join(w.name for w in writers)}"
            f"{suggestion(word, words)}"
        )
    return words[word]
