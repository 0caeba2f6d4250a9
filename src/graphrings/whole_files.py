"""Files and folders that are there as a whole, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place beside ``path`` to write to; it takes that path in one step if nothing fails."""
    partial = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        yield partial
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A new folder beside ``path`` to fill; it takes that path in one step if nothing fails."""
    path = path.absolute()
    partial = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        partial.mkdir()
        yield partial
        partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
