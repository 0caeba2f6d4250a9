"""Gram matrices for the folds of one dataset: shared wherever the kernel allows it."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.selection import Selection
from graphrings.kernels.kernel import Kernel


class FoldKernel:
    """A kernel that compares graphs of a dataset with some of them, and learns from those alone.

    A kernel that learns nothing, or no more than a setting, has one Gram matrix of the whole
    dataset, made once for all selections of it. Any other is fitted to the training graphs; only
    its latest matrices are kept, for machines on one fold that differ in nothing else.
    """

    def __init__(self, name: str, kernel: Kernel, training: Selection) -> None:
        self.training, self._kernel = training, kernel
        self._settled = kernel.settled(training.cut_out()) if kernel.learns else kernel
        said = self._kernel if self._settled is None else self._settled
        self._key = f"gram of {name}, {sorted(said.get_params(deep=False).items())}"
        self._is_fitted = False

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
        self._is_fitted = True
        return {"gram": self._kernel.fit_transform(self.training.cut_out())}

    def _with_others(self, graphs: Selection) -> dict[str, NDArray[np.float64]]:
        if not self._is_fitted:  # its own matrix was made by another one like it
            self._kernel.fit(self.training.cut_out())
            self._is_fitted = True
        return {"gram": self._kernel.transform(graphs.cut_out())}


def digest(selection: Selection) -> str:
    """The numbers of some graphs as a short text."""
    return hashlib.sha256(selection.graphs.astype("<i8").tobytes()).hexdigest()[:32]
