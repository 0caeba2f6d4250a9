"""A Gram matrix as a file of numpy arrays."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Dataset


def write_gram(path: Path, gram: NDArray[np.float64], dataset: Dataset) -> None:
    """Write ``gram``, and where there are classes ``targets`` and ``class_names``, in one step.

    Names are text, so that nothing in the file needs to be unpickled.
    """
    arrays = {"gram": gram}
    if dataset.targets is not None:
        arrays["targets"] = np.asarray(dataset.targets)
        arrays["class_names"] = np.array([str(name) for name in dataset.class_names])
    partial = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with partial.open("wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
