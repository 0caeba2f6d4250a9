"""What a file format is to the rest of the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import Files


@dataclass(frozen=True)
class Format:
    """A way to keep a dataset in files.

    ``looks_for`` says in words by what ``recognises`` knows its files; it ends the message about
    files that no format knows. ``suffixes`` are the endings of its paths, where "" stands for a
    folder; the first format that writes a suffix writes the paths that end in it.
    """

    name: str
    looks_for: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Files], bool]
    read: Callable[[Files], Dataset]
    write: Callable[[Dataset, Path], None] | None = None
    keeps_folds: bool = False

    @property
    def word(self) -> str:
        """The name as one word, as a command takes it."""
        return self.name.lower().replace(" ", "-")
