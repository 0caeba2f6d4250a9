"""The Nystroem approximation: graphs seen by how like some of them, the landmarks, they are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import svd

from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import Kernel
from graphrings.learning.chunks import in_chunks
from graphrings.limits import Work, begin

SMALLEST = 1e-12  # singular value: what landmarks say less of is noise
BYTES_A_NUMBER = 8

Reals = NDArray[np.float64]


class Landmarks(NamedTuple):
    r"""Some graphs, and the map from the kernel with them to features.

    .. math:: \phi(G) = K_{GL} \, K_{LL}^{-1/2}

    whose scalar products are the kernel itself where one side is a landmark (Williams and Seeger,
    2001).
    """

    graphs: Dataset
    whitening: Reals

    def weights(self, coefficients: Reals) -> Reals:
        """What every landmark counts for, given what every feature does, a row per decision."""
        weights: Reals = coefficients @ self.whitening.T
        return np.ascontiguousarray(weights)


def learn_landmarks(kernel: Kernel, dataset: Dataset, n_landmarks: int, seed: int) -> Landmarks:
    """Draw landmarks from training graphs; the kernel is fitted to them."""
    chosen = np.arange(len(dataset))
    if len(chosen) > n_landmarks:
        rng = np.random.default_rng(seed)
        chosen = np.sort(rng.choice(chosen, n_landmarks, replace=False))
    what = f"a table of {len(dataset):,} graphs and {len(chosen):,} landmarks"
    needed = len(dataset) * len(chosen) * BYTES_A_NUMBER
    instead = "take fewer landmarks or fewer graphs"
    begin(Work(what, instead, needed, "landmarks, cubed", float(len(chosen)) ** 3))
    gram = kernel.fit_transform(dataset[chosen])
    left, values, right = svd(gram)
    whitening = left / np.sqrt(np.maximum(values, SMALLEST)) @ right
    return Landmarks(dataset[chosen], whitening.T)


def landmark_rows(kernel: Any, landmarks: Landmarks, dataset: Dataset) -> Reals:
    """The features of graphs, by a kernel that is fitted to the landmarks."""
    rows: Reals = in_chunks(lambda part: kernel.transform(part) @ landmarks.whitening, dataset)
    return rows
