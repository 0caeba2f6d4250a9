"""The Wasserstein Weisfeiler-Lehman kernel."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array
from scipy.spatial.distance import cdist

from graphrings.compiled import compiled
from graphrings.errors import DatasetError
from graphrings.graphs.carried import NODE_ATTRIBUTES, NODE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.libraries import library
from graphrings.kernels.kernel import Kernel, Numbers
from graphrings.kernels.products import mirror, shared_features, sparse_parts
from graphrings.kernels.propagation import diffuse
from graphrings.kernels.tables import tabulate
from graphrings.kernels.weisfeiler_lehman import WeisfeilerLehman
from graphrings.limits import Work, begin
from graphrings.settings import FAR, Settings, one_of, positive, whole


class WassersteinWL(Kernel):
    r"""Wasserstein Weisfeiler-Lehman kernel (Togninalli et al., NeurIPS 2019).

    .. math:: k(G, G') = e^{-\lambda W(G, G')}, \qquad
              W(G, G') = \min_{P} \sum_{v, v'} P_{vv'} \, d(v, v')

    over all ways P to move the nodes of G, each worth 1 / n, onto those of G'. With labels, the
    distance of two nodes is the share of the rounds 0 .. h in which their colours differ. Colours
    form a hierarchy, so that it is the distance in a tree, and the cheapest way moves within each
    colour whatever both sides have there:

    .. math:: W(G, G') = 1 - \frac{1}{h + 1} \sum_{i=0}^{h} \sum_{c \in \Sigma_i}
              \min\left(\frac{\#_c(G)}{n}, \frac{\#_c(G')}{n'}\right)

    which is exact and needs no solver. With attributes, d is the Euclidean distance of what a node
    and its neighbourhoods show, :math:`a_0 .. a_h` side by side, where
    :math:`a_{i+1}(v) = (a_i(v) + \text{mean of } a_i \text{ over the neighbours of } v) / 2` and a
    node without neighbours keeps its own; attributes are taken in the units that they have. The
    cheapest way is found by the library POT (``pip install 'graphrings[transport]'``), pair by
    pair, and the matrix need not be positive definite.
    """

    settings: ClassVar[Settings] = {
        "height": whole("rounds of refinement", 0, FAR),
        "scale": positive("how fast the kernel falls with the distance"),
        "nodes": one_of("what nodes are told apart by", ("labels", "attributes")),
    }

    def __init__(
        self,
        height: int = 5,
        scale: float = 1.0,
        nodes: str = "labels",
        normalize: bool = False,
    ) -> None:
        self.height = height
        self.scale = scale
        self.nodes = nodes
        self.normalize = normalize

    @property
    def sees(self) -> tuple[str, ...]:
        """What it sees of graphs besides their structure."""
        return (NODE_LABELS,) if self.nodes == "labels" else (NODE_ATTRIBUTES,)

    def _compare(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        distances = self._by_labels if self.nodes == "labels" else self._by_attributes
        return np.asarray(np.exp(-self.scale * distances(dataset, rows, columns)))

    def _selves(self, dataset: Dataset) -> NDArray[np.float64]:
        return np.ones(len(dataset))

    def _by_labels(self, dataset: Dataset, rows: Numbers, columns: Numbers) -> NDArray[np.float64]:
        counts = tabulate(WeisfeilerLehman(self.height)._occurrences(dataset), len(dataset))
        worth = 1 / (np.maximum(dataset.sizes, 1) * (self.height + 1.0))
        shares = csr_array(diags_array(worth) @ counts)
        mirrored = np.array_equal(rows, columns)
        moved = np.ones((len(rows), len(columns)))
        holders = shares[columns].T.tocsr()
        begin(shared_features(shares[rows], np.diff(holders.indptr)))
        take_common(moved, *sparse_parts(shares[rows]), *sparse_parts(holders), mirrored)
        if mirrored:
            mirror(moved)
        same = rows[:, None] == columns
        nothing = np.outer(dataset.sizes[rows] == 0, dataset.sizes[columns] == 0)
        return np.where(same | nothing, 0, np.maximum(moved, 0))  # rounding may leave a little

    def _by_attributes(
        self, dataset: Dataset, rows: Numbers, columns: Numbers
    ) -> NDArray[np.float64]:
        transport = library("ot", "transport", "wwl by attributes")
        of_graph = np.split(shown(dataset, self.height), dataset.graph_ptr[1:-1])
        mirrored = np.array_equal(rows, columns)
        begin(transports(dataset.sizes[rows], dataset.sizes[columns]))
        moved = np.zeros((len(rows), len(columns)))
        for i, row in enumerate(rows):
            for j in range(i + 1 if mirrored else 0, len(columns)):
                one, other = of_graph[row], of_graph[columns[j]]
                if row != columns[j]:
                    moved[i, j] = transport.emd2([], [], cdist(one, other))
        if mirrored:
            mirror(moved)
        return moved


def transports(rows: NDArray[np.integer[Any]], columns: NDArray[np.integer[Any]]) -> Work:
    """What it takes to move the nodes of graphs of these sizes onto each other."""
    n_steps = float(rows.sum()) * float(columns.sum()) / 2
    what = f"moving the nodes of {len(rows):,} graphs onto those of {len(columns):,}"
    instead = "nodes = 'labels' needs no solver; or take fewer graphs"
    return Work(what, instead, kind="nodes moved", n_steps=n_steps)


def shown(dataset: Dataset, height: int) -> NDArray[np.float64]:
    """What every node and its neighbourhoods show, rounds 0 .. height side by side."""
    if dataset.node_attributes is None:
        raise DatasetError("wwl by attributes: the nodes have none; expected nodes = 'labels'")
    rounds = [dataset.node_attributes.astype(np.float64)]
    for _ in range(height):
        near = diffuse(dataset.indptr, dataset.indices, rounds[-1])
        rounds.append((rounds[-1] + near) / 2)
    return np.hstack(rounds)


@compiled
def take_common(
    moved: NDArray[np.float64],
    indptr: NDArray[np.int64],
    columns: NDArray[np.int32],
    values: NDArray[np.float64],
    holders_ptr: NDArray[np.int64],
    holders: NDArray[np.int32],
    held: NDArray[np.float64],
    mirrored: bool,
) -> None:
    """Take away what rows and holders of the same columns both have; if mirrored, one half of it.

    Holders are in order, so a row that is done takes itself off the front of its columns' lists.
    """
    front = holders_ptr[:-1].copy()
    for i in range(len(indptr) - 1):
        row = moved[i]
        for e in range(indptr[i], indptr[i + 1]):
            column, value = columns[e], values[e]
            for h in range(front[column], holders_ptr[column + 1]):
                row[holders[h]] -= min(value, held[h])
            front[column] += mirrored
