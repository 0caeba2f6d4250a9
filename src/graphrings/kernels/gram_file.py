"""A Gram matrix as a file of numpy arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Dataset
from graphrings.whole_files import whole_file


def write_gram(path: Path, gram: NDArray[np.float64], dataset: Dataset) -> None:
    """Write ``gram``, and where there are classes ``targets`` and ``class_names``.

    Names are text, so that nothing in the file needs to be unpickled.
    """
    arrays = {"gram": gram}
    if dataset.targets is not None:
        arrays["targets"] = np.asarray(dataset.targets)
        arrays["class_names"] = np.array([str(name) for name in dataset.class_names])
    with whole_file(path) as place, place.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
