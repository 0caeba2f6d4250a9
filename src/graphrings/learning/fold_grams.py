"""Gram matrices for the folds of one dataset: shared wherever the kernel allows it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.selection import Selection
from graphrings.kernels.deep_graph import DeepGraph
from graphrings.kernels.kernel import Kernel
from graphrings.kernels.tables import Occurrences


class FoldKernel:
    """A kernel that compares graphs of a dataset with some of them, and learns from those alone.

    A kernel that learns nothing, or no more than a setting, has one Gram matrix of the whole
    dataset, made once for all selections of it. Any other learns from the training graphs, by what
    is counted once in all graphs; only its latest matrices are kept, for machines on one fold that
    differ in nothing else.
    """

    def __init__(self, name: str, kernel: Kernel, training: Selection) -> None:
        self.training, self._kernel = training, kernel
        self._settled = kernel.settled(training.cut_out()) if kernel.learns else kernel
        said = self._kernel if self._settled is None else self._settled
        self._key = f"gram of {name}, {sorted(said.get_params(deep=False).items())}"
        self._has_learned = False

    def gram(self, graphs: Selection) -> NDArray[np.float64]:
        """The kernel of graphs (one row each) with the training graphs (one column each)."""
        if self._settled is not None:
            return self._cut_out(self._settled, graphs)
        key = f"{self._key}, fitted to {digest(self.training)}"
        if np.array_equal(graphs.graphs, self.training.graphs):
            return graphs.cache.latest("training", key, self._own)["gram"]
        key = f"{key}, of {digest(graphs)}"
        return graphs.cache.latest("others", key, lambda: self._with_others(graphs))["gram"]

    def _cut_out(self, kernel: Kernel, graphs: Selection) -> NDArray[np.float64]:
        """The part of the whole dataset's matrix; the next machine on this fold has it already."""

        def cut_out() -> dict[str, NDArray[np.float64]]:
            arrays = cache.get(self._key, lambda: {"gram": kernel.fit_transform(graphs.dataset)})
            return {"gram": arrays["gram"][np.ix_(graphs.graphs, self.training.graphs)]}

        cache, key = graphs.cache, f"{self._key} of {digest(graphs)} with {digest(self.training)}"
        own = np.array_equal(graphs.graphs, self.training.graphs)
        return cache.latest("training" if own else "others", key, cut_out)["gram"]

    def _own(self) -> dict[str, NDArray[np.float64]]:
        kernel, counted = self._learned(self.training)
        return {"gram": kernel.gram(counted, self.training.graphs)}

    def _with_others(self, graphs: Selection) -> dict[str, NDArray[np.float64]]:
        kernel, counted = self._learned(graphs)
        return {"gram": kernel.gram(counted, self.training.graphs, graphs.graphs)}

    def _learned(self, graphs: Selection) -> tuple[DeepGraph, list[Occurrences]]:
        """The kernel when it has learned from the training graphs, and what it counts in all."""
        kernel = self._kernel
        assert isinstance(kernel, DeepGraph), "the only one to learn what no setting says"
        arrays = graphs.cache.get(
            f"counts for {self._key}", lambda: packed(kernel.counted(graphs.dataset))
        )
        counted = unpacked(arrays)
        if not self._has_learned:
            kernel.learn(counted, self.training.graphs)
            self._has_learned = True
        return kernel, counted


def packed(counted: list[Occurrences]) -> dict[str, NDArray[Any]]:
    """Occurrences as named arrays."""
    return {
        f"{name}-{number}": values
        for number, found in enumerate(counted)
        for name, values in found._asdict().items()
    }


def unpacked(arrays: Mapping[str, NDArray[Any]]) -> list[Occurrences]:
    """Occurrences from named arrays."""
    numbers = range(len(arrays) // len(Occurrences._fields))
    return [Occurrences(*(arrays[f"{name}-{k}"] for name in Occurrences._fields)) for k in numbers]


def digest(selection: Selection) -> str:
    """The numbers of some graphs as a short text."""
    return hashlib.sha256(selection.graphs.astype("<i8").tobytes()).hexdigest()[:32]
