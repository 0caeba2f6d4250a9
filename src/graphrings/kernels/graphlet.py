"""The graphlet kernel."""

from __future__ import annotations

import operator
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state

from graphrings.graphs.dataset import Dataset
from graphrings.kernels.graphlet_counts import count_graphlets, count_labelled_graphlets
from graphrings.kernels.graphlet_samples import sample_graphlets
from graphrings.kernels.kernel import Checks, FeatureKernel, Occurrences

SIZES = 3, 4, 5
N_SAMPLES = 5174  # shares of the 34 graphlets of size 5 within 0.1 in total, nine times in ten


def claim(value: Any) -> bool:
    """Whether a setting is true or false."""
    return isinstance(value, bool)


def at_least_one(value: Any) -> bool:
    """Whether a setting is a whole number and not 0."""
    return not isinstance(value, bool) and operator.index(value) >= 1


class Graphlet(FeatureKernel):
    r"""Graphlet kernel (Shervashidze et al., 2009): which small subgraphs a graph has, how often.

    .. math:: k(G, G') = \langle f_G, f_{G'} \rangle, \quad
              f_G(g) = \frac{\#(g, G)}{\sum_{h} \#(h, G)}

    where :math:`\#(g, G)` is the number of sets of ``size`` nodes whose induced subgraph is
    isomorphic to g. All graphlets count, or with ``connected=True`` connected ones only. As in the
    paper cited, they enter as shares of the graph's total; with ``shares=False`` as they are.
    With ``labelled=True`` an isomorphism has to keep node labels. A graph without any graphlet,
    as one with fewer nodes, has no features.

    Size 3 is counted exactly. Sizes 4 and 5 are estimated without bias from ``n_samples`` random
    sets of nodes, drawn from ``random_state`` anew for every graph: where it stands among others
    makes no difference, but another numbering of its nodes gives another sample.

    GraKeL's ``GraphletSampling(k=3)`` is ``connected=True, shares=False``, but for one more of
    each graphlet in all graphs except the first that has it, and for sets of nodes that it misses
    (one path in the 14th graph of MUTAG); its samples mix all sizes up to k.
    """

    checks: ClassVar[Checks] = {
        "size": ("3, 4 or 5", lambda value: not isinstance(value, float) and value in SIZES),
        "connected": ("True or False", claim),
        "labelled": ("True or False", claim),
        "shares": ("True or False", claim),
        "n_samples": ("a whole number, 1 or larger", at_least_one),
    }

    def __init__(
        self,
        size: int = 3,
        connected: bool = False,
        labelled: bool = False,
        shares: bool = True,
        n_samples: int = N_SAMPLES,
        normalize: bool = False,
        random_state: Any = None,
    ) -> None:
        self.size = size
        self.connected = connected
        self.labelled = labelled
        self.shares = shares
        self.n_samples = n_samples
        self.normalize = normalize
        self.random_state = random_state

    def fit(self, graphs: Any, y: Any = None) -> Self:
        """Remember the graphs to compare with, and the seed of all samples."""
        super().fit(graphs, y)
        self.seed_ = int(check_random_state(self.random_state).randint(2**31 - 1))
        return self

    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """Graph after graph its graphlets, numbered by shape and labels."""
        found = self._counted(dataset)
        if not self.shares:
            return found
        totals = np.bincount(found.graphs, found.counts, len(dataset))
        return found._replace(counts=found.counts / totals[found.graphs])

    def _counted(self, dataset: Dataset) -> Occurrences:
        labels = dataset.node_labels if self.labelled else None
        if self.size > 3:
            draws = self.size, self.connected, int(self.n_samples), self.seed_
            return sample_graphlets(dataset, labels, *draws)
        if labels is None:
            return count_graphlets(dataset, self.connected)
        return count_labelled_graphlets(dataset, labels, self.connected)
