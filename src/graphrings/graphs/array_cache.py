"""What is computed once for a dataset and then used by every fit on it."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.locks import locked
from graphrings.whole_files import whole_folder

Arrays = Mapping[str, NDArray[Any]]


class ArrayCache:
    """Named sets of arrays of one dataset, each made by whoever asks first.

    With a folder they are kept there, and other processes with the same folder map them into
    memory instead of making them again; without one they stay in this process.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._held: dict[str, Arrays] = {}
        self._latest: dict[str, tuple[str, Arrays]] = {}

    def get(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a key; ``make`` is called if nobody has made them yet."""
        if key not in self._held:
            self._held[key] = make() if self._folder is None else self._from_disk(key, make)
        return self._held[key]

    def latest(self, purpose: str, key: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of a key; only those last asked for under a purpose stay, in this process."""
        if purpose not in self._latest or self._latest[purpose][0] != key:
            self._latest[purpose] = key, make()
        return self._latest[purpose][1]

    def _from_disk(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        assert self._folder is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        place = self._folder / hashlib.sha256(key.encode()).hexdigest()[:32]
        with locked(place.with_suffix(".lock")):
            if not place.exists():
                write_arrays(place, make())
        return read_arrays(place)


def write_arrays(folder: Path, arrays: Arrays) -> None:
    """Write arrays to a new folder, which appears in one step; one process at a time."""
    for left in folder.parent.glob(f".{folder.name}-*"):  # by a process that was killed
        shutil.rmtree(left, ignore_errors=True)
    with whole_folder(folder) as partial:
        for name, values in arrays.items():
            with (partial / f"{name}.npy").open("wb") as file:
                np.save(file, values, allow_pickle=False)
                file.flush()
                os.fsync(file.fileno())  # before the folder has its name, also if the power fails


def read_arrays(folder: Path) -> Arrays:
    """Map the arrays of a folder into memory, shared with all who do; a change stays private."""
    return {
        path.stem: np.load(path, mmap_mode="c", allow_pickle=False).view(np.ndarray)
        for path in sorted(folder.glob("*.npy"))
    }
