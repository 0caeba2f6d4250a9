"""The Weisfeiler-Lehman optimal assignment kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import Occurrences
from graphrings.kernels.weisfeiler_lehman import WeisfeilerLehman


class WLOptimalAssignment(WeisfeilerLehman):
    r"""Weisfeiler-Lehman optimal assignment kernel (Kriege, Giscard and Wilson, NeurIPS 2016).

    .. math:: k(G, G') = \max_{B} \sum_{(v, v') \in B} \sum_{i=0}^{h} [c_i(v) = c_i(v')]
              = \sum_{i=0}^{h} \sum_{c \in \Sigma_i} \min(\#_c(G), \#_c(G'))

    over all assignments B of nodes to nodes. Colours form a hierarchy, each within one of the round
    before, so that the best assignment is worth the intersection of the histograms. That is a
    scalar product too: a graph with a colour n times has its first to its nth occurrence, and two
    graphs share as many of these as the smaller count.
    """

    def _occurrences(self, dataset: Dataset) -> Occurrences:
        """Every colour of every node, with how often the graph had it before."""
        graphs, colours, counts = super()._occurrences(dataset)
        nth = occurrence(graphs, colours, int(colours.max(initial=-1)) + 1)
        return Occurrences(graphs, nth * (colours.max(initial=0) + 1) + colours, counts)


@compiled
def occurrence(
    graphs: NDArray[np.int64], colours: NDArray[np.int64], n_colours: int
) -> NDArray[np.int64]:
    """How often a graph had the same colour before, for graphs one after the other."""
    seen_in = np.full(n_colours, -1, dtype=np.int64)
    seen = np.zeros(n_colours, dtype=np.int64)
    nth = np.empty(len(colours), dtype=np.int64)
    for i in range(len(colours)):
        colour = colours[i]
        if seen_in[colour] != graphs[i]:
            seen_in[colour], seen[colour] = graphs[i], 0
        nth[i] = seen[colour]
        seen[colour] += 1
    return nth
