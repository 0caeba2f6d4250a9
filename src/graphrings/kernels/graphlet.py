"""The graphlet kernel."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state

from graphrings.graphs.dataset import Dataset
from graphrings.kernels.graphlet_counts import count_graphlets, count_labelled_graphlets
from graphrings.kernels.graphlet_samples import sample_graphlets
from graphrings.kernels.kernel import FeatureKernel, Occurrences
from graphrings.settings import FAR, Setting, Settings, is_whole, switch, whole

N_SAMPLES = 5174  # shares of the 34 graphlets of size 5 within 0.1 in total, nine times in ten
SIZE = Setting("nodes of a graphlet", "3, 4 or 5", lambda size: is_whole(size, 3) and size <= 5)


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

    settings: ClassVar[Settings] = {
        "size": SIZE,
        "connected": switch("whether to leave out graphlets in several parts"),
        "labelled": switch("whether to tell nodes apart by their labels"),
        "shares": switch("whether counts are divided by their total"),
        "n_samples": whole(
            "sets of nodes to draw from every graph, for sizes 4 and 5", most=1000 * FAR
        ),
        "random_state": Setting(
            "the seed of what is drawn",
            "None, a whole number, 0 or larger, or a RandomState of numpy",
            lambda state: check_random_state(state) is not None,
        ),
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
        counted = self._counted(dataset)
        if not self.shares:
            return counted
        totals = np.bincount(counted.graphs, counted.counts, len(dataset))
        return counted._replace(counts=counted.counts / totals[counted.graphs])

    def _counted(self, dataset: Dataset) -> Occurrences:
        labels = dataset.node_labels if self.labelled else None
        if self.size > 3:
            draws = self.size, self.connected, int(self.n_samples), self.seed_
            return sample_graphlets(dataset, labels, *draws)
        if labels is None:
            return count_graphlets(dataset, self.connected)
        return count_labelled_graphlets(dataset, labels, self.connected)
