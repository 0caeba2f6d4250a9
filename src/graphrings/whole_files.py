"""Files and folders that are there as a whole, or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

STDOUT = "-"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A place to write to; what was written takes ``path`` in one step if nothing fails.

    A file that is there keeps its mode, and a link stays one: its target is written. A device or a
    pipe is no file to be replaced: it is given what was written. ``-`` is standard output.
    """
    if str(path) == STDOUT:
        with TemporaryDirectory() as folder:
            yield (place := Path(folder) / "output")
            sys.stdout.buffer.write(place.read_bytes())
            sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with TemporaryDirectory() as folder:
            yield (place := Path(folder) / target.name)
            with told_of(path), place.open("rb") as made, path.open("wb") as device:
                shutil.copyfileobj(made, device)
        return
    partial = beside(target)
    try:
        with told_of(path, partial):
            if target.exists():  # what only its owner may read, nobody else reads meanwhile
                partial.touch(mode=0o600)
            yield partial
            if target.exists():
                partial.chmod(target.stat().st_mode)
            partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A new folder beside ``path`` to fill; it takes that path in one step if nothing fails."""
    path = path.absolute()
    partial = beside(path)
    try:
        partial.mkdir()
        yield partial
        partial.rename(path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def told_of(path: Path, place: Path | None = None) -> Iterator[None]:
    """Let an error name the file that was asked for, not the hidden place or none at all."""
    try:
        yield
    except OSError as error:
        hidden = place is not None and str(error.filename) == str(place)
        if hidden or (error.filename is None and error.errno in FULL):
            error.filename = str(path)
        raise


def beside(path: Path) -> Path:
    """A hidden place in the same folder, under a name that nobody can have taken beforehand."""
    return path.with_name(f".{path.name}-{secrets.token_hex(8)}")
