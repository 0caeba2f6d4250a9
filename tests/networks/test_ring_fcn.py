from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from graphrings.fused.lane import lane
from graphrings.networks.ring_fcn import RingFCN
from graphrings.networks.ring_layers import side_by_side
from networks.sharing import assert_sharing_changes_nothing, batch_of


def small(**settings: Any) -> RingFCN:
    torch.manual_seed(0)
    return RingFCN(1, 3, 12, channels=(4, 1), path_channels=(5, 4), **settings)


def test_there_is_no_dense_layer_and_no_weight_that_depends_on_k() -> None:
    shapes = [[p.shape for p in RingFCN(7, 2, k).parameters()] for k in (10, 50)]
    assert shapes[0] == shapes[1]


def test_it_is_sorting_and_convolutions_of_torch_and_a_mean_per_class() -> None:
    """The head from torch's own parts, graph by graph, with one row per node.

    In the plain lane, since nodes of a cycle have keys that are equal up to rounding.
    """
    dataset = gr.synthetic.ring_two(12)
    network = RingFCN(3, 2, 12, channels=(4, 1), path_channels=(5, 4)).double()
    batch = batch_of(network.view, dataset, "label", shared=False)
    with lane(fused=False):
        outputs, layers = network(batch), network.layers(batch)
    rows = side_by_side(layers, batch)[batch.members]
    expected = []
    for first, last in zip(dataset.graph_ptr[:-1], dataset.graph_ptr[1:], strict=True):
        own = rows[first:last]
        order = np.lexsort(own.detach().numpy().T)[::-1][:12]
        x = own[order.copy()].t()
        for conv in network.path_convs:
            theirs = nn.Conv1d(conv.in_features, conv.out_features, 5, padding=2).double()
            weight = conv.filters.weight.view(conv.out_features, 5, conv.in_features)
            theirs.weight.data, theirs.bias.data = weight.transpose(1, 2), conv.filters.bias
            x = torch.relu(theirs(x))
        expected.append(network.out.filters(x.t()).mean(dim=0))
    assert_close(outputs, torch.stack(expected), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("norm", ["none", "batch"])
def test_shared_rows_change_nothing(norm: str) -> None:
    """Norms of nearly equal rows would blow up the rounding of a batch's weights."""
    network = small(norm=norm, residual=True).train(norm == "none")
    assert_sharing_changes_nothing(network, gr.load("MUTAG")[:20], "constant")


def test_a_small_graph_has_a_short_path_and_is_not_filled_up() -> None:
    """One node: the mean over the path is what the last convolution says of it."""
    alone = gr.from_edges([[]], n_nodes=[1], node_labels=[["a"]])
    network = RingFCN(1, 2, 30).double()
    out = network(batch_of(network.view, alone, "label"))
    network.sort.k = 1
    assert_close(out, network(batch_of(network.view, alone, "label")))
