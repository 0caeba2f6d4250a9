"""The Weisfeiler-Lehman subtree kernel, on neighbours or on distance rings."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.colours import refine
from graphrings.distances.rings import rings
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import FeatureKernel, Occurrences
from graphrings.settings import FAR, Settings, whole


class RingWeisfeilerLehman(FeatureKernel):
    r"""Weisfeiler-Lehman subtree kernel on distance rings: the counterpart of the paper's filter.

    .. math:: k(G, G') = \sum_{i=0}^{h} \langle \phi_i(G), \phi_i(G') \rangle

    where :math:`\phi_i` counts the colours after i rounds; a round gives nodes one colour if they
    had one and see the same colours, equally often, in every ring 1 .. radius. Colours begin with
    node labels, or with one colour where there are none. Radius 1 is ``WeisfeilerLehman``; with
    radius 0 nothing is seen, and every round repeats the first.
    """

    settings: ClassVar[Settings] = {
        "height": whole("rounds of refinement", 0, FAR),
        "radius": whole("the largest distance at which a node sees others", 0, FAR),
    }

    def __init__(self, height: int = 5, radius: int = 2, normalize: bool = False) -> None:
        self.height = height
        self.radius = radius
        self.normalize = normalize

    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """Node after node its colours of all rounds."""
        colours = colours_by_round(dataset, self.radius, self.height)
        graphs = np.repeat(dataset.owner.astype(np.int64), len(colours))
        return Occurrences(graphs, np.stack(colours, axis=1).ravel(), np.ones(len(graphs)))


class WeisfeilerLehman(RingWeisfeilerLehman):
    r"""Weisfeiler-Lehman subtree kernel (Shervashidze et al., JMLR 12, 2011).

    .. math:: k(G, G') = \sum_{i=0}^{h} \sum_{c \in \Sigma_i} \#_c(G) \, \#_c(G')

    over the colours :math:`\Sigma_i` of round i, where a node's new colour stands for its old one
    and the multiset of its neighbours' colours. Height 0 compares the counts of node labels.
    """

    def __init__(self, height: int = 5, normalize: bool = False) -> None:
        super().__init__(height, 1, normalize)


def colours_by_round(dataset: Dataset, radius: int, height: int) -> list[NDArray[np.int64]]:
    """The colours of all nodes after 0 .. height rounds; no two rounds share a number."""
    labels = dataset.node_labels
    start = np.zeros(dataset.n_nodes, dtype=np.int32) if labels is None else labels
    near, by_round, used = rings(dataset, radius), [start.astype(np.int64)], dataset.n_labels + 1
    for _ in range(height):
        colours = refine(near, by_round[-1], rounds=1).astype(np.int64)
        by_round.append(colours + used)
        used += int(colours.max(initial=-1)) + 1
    return by_round
