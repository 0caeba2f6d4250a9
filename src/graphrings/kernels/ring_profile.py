"""The scalar product of ring profiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.graph_table import DEGREE, LABEL_AND_DEGREE, NODES, WORDS
from graphrings.distances.ring_profile import pair_counts
from graphrings.graphs.carried import NODE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import FeatureKernel, Occurrences
from graphrings.settings import Settings, one_of, whole

Reals = NDArray[np.float64]
SCALES: dict[str, Callable[[Reals], Reals]] = {
    "counts": lambda counts: counts,
    "roots": np.sqrt,
    "logs": np.log1p,
}


class ProfileKernel(FeatureKernel):
    r"""How far the ring profiles of two graphs agree.

    .. math:: k(G, G') = \sum_{j=0}^{r} \sum_{a \le b} f(C^j_{ab}(G)) \, f(C^j_{ab}(G'))

    with the :math:`C^j = X^\top SP^j X` of ``gr.ring_profile``, what a filter of radius r can count
    before anything is learned. With f(c) = c pairs of frequent labels outweigh all others; the root
    (whose normalised kernel is the overlap of two distributions) and log(1 + c) hold them back.
    """

    settings: ClassVar[Settings] = {
        "radius": whole("the largest distance of a pair", least=0),
        "nodes": one_of(
            "what the nodes of a pair are told apart by; where they have no labels, degrees", NODES
        ),
        "scale": one_of("what becomes of a count c: c, its root, or log(1 + c)", SCALES),
    }

    def __init__(
        self,
        radius: int = 3,
        nodes: str = LABEL_AND_DEGREE,
        scale: str = "roots",
        normalize: bool = False,
    ) -> None:
        self.radius = radius
        self.nodes = nodes
        self.scale = scale
        self.normalize = normalize

    @property
    def sees(self) -> tuple[str, ...]:
        """Node labels, but not where degrees were asked for."""
        return () if self.nodes == DEGREE else (NODE_LABELS,)

    def node_words(self, dataset: Dataset) -> tuple[Sequence[Any], NDArray[np.int32]]:
        """What nodes are told apart by, and the number of every node's."""
        return WORDS[self.nodes if dataset.node_labels is not None else DEGREE](dataset)

    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """Graph after graph its pairs of labels, by distance."""
        words, numbers = self.node_words(dataset)
        matrix, codes, _ = pair_counts(dataset, self.radius, numbers, len(words))
        graphs = np.repeat(np.arange(len(dataset)), np.diff(matrix.indptr))
        return Occurrences(graphs, codes[matrix.indices], SCALES[self.scale](matrix.data))
