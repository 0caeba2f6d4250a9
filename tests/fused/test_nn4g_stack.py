"""All layers of NN4G in one step, against one plain layer after the other."""

from dataclasses import replace
from typing import Any

import pytest
import torch

import graphrings as gr
from dense import random_rows
from graphrings.fused.ring_filter import WITHIN
from graphrings.networks.nn4g import NN4G
from lanes import assert_lanes_agree
from networks.sharing import batch_of

# A triangle with a tail, nodes alone, and a star.
EDGES: list[list[tuple[int, int]]] = [
    [(0, 1), (1, 2), (0, 2), (2, 3)],
    [],
    [(0, leaf) for leaf in range(1, 8)],
]
GRAPHS = gr.from_edges(EDGES, n_nodes=[5, 2, 8], node_labels=[[0, 1, 1, 0, 1], [0, 1], [0] * 8])


@pytest.mark.parametrize("activation", WITHIN)
@pytest.mark.parametrize("channels", [(4,), (3, 2), (2, 35, 32, 3)])  # in spans, beside them
@pytest.mark.parametrize("shared", [True, False])
def test_it_is_one_plain_layer_after_the_other(
    activation: str, channels: tuple[int, ...], shared: bool
) -> None:
    torch.manual_seed(0)
    settings: dict[str, Any] = {"channels": channels, "activation": activation, "readout": "sum"}
    network = NN4G(3, 2, **settings).double()
    batch = batch_of(network.view, GRAPHS, "label", shared)
    x = random_rows(len(batch.features), 3).requires_grad_()
    sources = [x, *network.parameters()]
    seen = replace(batch, features=x)
    assert_lanes_agree(lambda: network(seen), sources, rtol=1e-10, atol=1e-10)


def test_graphs_without_edges_see_their_features_alone() -> None:
    alone = gr.from_edges([[], []], n_nodes=[2, 3], node_labels=[[0, 1], [1, 1, 0]])
    torch.manual_seed(0)
    network = NN4G(2, 2, channels=(3, 2, 2)).double()
    batch = batch_of(network.view, alone, "label")
    assert not any(len(near.indices) > near.n_rows for near in batch.rows)
    sources = [network.first.weight, network.convs[1].own.bias]
    assert_lanes_agree(lambda: network(batch), sources, rtol=1e-10, atol=1e-10)
