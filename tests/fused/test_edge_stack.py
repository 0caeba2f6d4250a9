from dataclasses import replace

import pytest
from torch import Tensor
from torch.nn import init

import graphrings as gr
from graphrings.networks.ecc import ECC
from lanes import assert_lanes_agree
from networks.oracle import randomised
from networks.sharing import batch_of

# A path and a pair with edges of two kinds, a node alone beside an edge, and no edge at all.
EDGES = [[(0, 1), (1, 2), (2, 3)], [(0, 1)], [(0, 1)], []]
LABELS = [["a", "b", "a"], ["b"], ["a"], []]
GRAPHS = gr.from_edges(EDGES, n_nodes=[4, 2, 3, 2], edge_labels=LABELS)


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("hidden", [(), (3, 4)])
def test_it_is_one_plain_layer_after_the_other(training: bool, hidden: tuple[int, ...]) -> None:
    """Also for the gradient of the features; rows are shared and stand for several nodes."""
    settings = {"channels": (9, 3), "filter_hidden": hidden, "dense": 4, "dropout": 0.0}
    network = randomised(ECC(1, 2, **ECC.measure(GRAPHS), **settings), 0).double().train(training)
    for seen in network.buffers():
        init.uniform_(seen, 0.5, 2)
    batch = batch_of(network.view, GRAPHS, "constant")
    assert batch.rows[-1].n_rows < GRAPHS.n_nodes
    features = batch.features.requires_grad_()

    def outputs() -> Tensor:
        result: Tensor = network(replace(batch, features=features))
        return result

    assert_lanes_agree(outputs, [features, *network.parameters()], rtol=1e-9, atol=1e-9)


def test_attributes_are_left_to_the_plain_layers() -> None:
    """Every edge has filters of its own there."""
    values = [[1.0, 2.0, 4.0], [3.0], [0.5], []]
    graphs = gr.from_edges(EDGES, n_nodes=[4, 2, 3, 2], edge_attributes=values)
    network = randomised(ECC(1, 2, **ECC.measure(graphs), channels=(3, 2)), 0).double().eval()
    batch = batch_of(network.view, graphs, "constant")
    assert network.by_hand() is None
    parameters = list(network.parameters())
    assert_lanes_agree(lambda: network(batch), parameters, rtol=1e-9, atol=1e-9)
