"""All layers of neural fingerprints in one step, against one plain layer after the other."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import graphrings as gr
from dense import random_rows
from graphrings.distances.weights import summed
from graphrings.fused.degree_filter import sort_by_degree
from graphrings.networks.fingerprint import Fingerprint
from lanes import assert_lanes_agree
from networks.sharing import batch_of

# A triangle with a tail, nodes alone, and a star with more leaves than there are degrees.
EDGES: list[list[tuple[int, int]]] = [
    [(0, 1), (1, 2), (0, 2), (2, 3)],
    [],
    [(0, leaf) for leaf in range(1, 8)],
]
GRAPHS = gr.from_edges(EDGES, n_nodes=[5, 2, 8], node_labels=[[0, 1, 1, 0, 1], [0, 1], [0] * 8])
SETTINGS: list[dict[str, Any]] = [
    {"channels": (4, 3), "length": 37},  # a span, and some beside it
    {"channels": (33,), "length": 3, "max_degree": 0},
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("shared", [True, False])
def test_it_is_one_plain_layer_after_the_other(
    settings: dict[str, Any], training: bool, shared: bool
) -> None:
    """Rows of one feature are filtered before they are added up, those of many features after."""
    torch.manual_seed(0)
    network = Fingerprint(3, 2, **settings).double().train(training)
    for seen in network.buffers():
        seen.uniform_(0.5, 2)
    before = [seen.clone() for seen in network.buffers()]
    batch = batch_of(network.view, GRAPHS, "label", shared)
    h = random_rows(len(batch.features), 3).requires_grad_()

    def fingerprints() -> torch.Tensor:
        for seen, kept in zip(network.buffers(), before, strict=True):
            seen.copy_(kept)
        return network.fingerprints(replace(batch, features=h))

    layers = [network.convs, network.norms, network.writes]
    parameters = [parameter for part in layers for parameter in part.parameters()]
    assert_lanes_agree(fingerprints, [h, *parameters], rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize(("max_degree", "first"), [(0, True), (5, False)])
def test_who_has_few_rows_filters_first(max_degree: int, first: bool) -> None:
    """One feature and four rows after a layer: fewer for one degree, more for six of them."""
    path = gr.from_edges([[(0, 1), (1, 2), (2, 3)], [(0, 1)], []], n_nodes=[4, 2, 1])
    network = Fingerprint(1, 2, channels=(2,), max_degree=max_degree).double().eval()
    batch = batch_of(network.view, path, "constant")
    written = network.fingerprints(batch)
    (conv,) = written.grad_fn.layers._convs  # type: ignore[union-attr]
    assert conv._filters_first == first


def test_rows_are_sorted_by_degree_and_lead_to_sorted_rows() -> None:
    """Degrees 1, 2, 1, 0 of a path and a node alone; from 2 on they count as one."""
    path = gr.from_edges([[(0, 1), (1, 2)], []], n_nodes=[3, 1])
    near = summed(gr.rings(path, 1))
    given = near.indptr, near.indices, near.weights_as("float64")
    places, bounds, ends, members, weights = sort_by_degree(*given, np.empty(0, dtype=np.int32), 3)
    assert places.tolist() == [1, 3, 2, 0]
    assert bounds.tolist() == [0, 1, 3, 4]
    assert ends.tolist() == [0, 1, 3, 5, 8]
    assert members.tolist() == [3, 0, 1, 2, 1, 1, 0, 2]
    assert weights.tolist() == [1.0] * 8
    again = sort_by_degree(*given, places, 2)
    assert again[1].tolist() == [0, 1, 4]
    assert again[3].tolist() == [0, 1, 3, 3, 1, 2, 2, 3]
