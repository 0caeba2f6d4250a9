"""What a file format is to the rest of the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import Files
from graphrings.settings import Settings, check_settings
from graphrings.spelling import suggestion


@dataclass(frozen=True)
class Format:
    """A way to keep a dataset in files.

    ``looks_for`` says in words by what ``recognises`` knows its files; it ends the message about
    files that no format knows. ``suffixes`` are the endings of its paths, where "" stands for a
    folder; the first format that writes a suffix writes the paths that end in it. ``options`` are
    keyword arguments of ``read``, which ``gr.read`` and the commands pass on.
    """

    name: str
    looks_for: str
    suffixes: tuple[str, ...]
    recognises: Callable[[Files], bool]
    read: Callable[..., Dataset]
    write: Callable[[Dataset, Path], None] | None = None
    keeps_folds: bool = False
    options: Settings = field(default_factory=dict)

    def check_options(self, given: Mapping[str, Any], place: str) -> None:
        """Refuse an option that this format does not have, or a value that it does not take."""
        for name in given:
            if name not in self.options:
                known = f"; it has {', '.join(self.options) or 'none'}"
                raise DatasetError(
                    f"{place}: the {self.name} format has no option {name!r}"
                    f"{suggestion(name, self.options) or known}"
                )
        check_settings(given, self.options)

    @property
    def word(self) -> str:
        """The name as one word, as a command takes it."""
        return self.name.lower().replace(" ", "-")
