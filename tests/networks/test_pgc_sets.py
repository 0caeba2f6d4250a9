import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from graphrings.networks.pgc_sets import PGCSets, largest
from graphrings.networks.ring_layers import side_by_side
from networks.sharing import assert_sharing_changes_nothing, batch_of

readouts = pytest.mark.parametrize("readout", ["deep-sets", "mean-sum-max"])


@readouts
@pytest.mark.parametrize("training", [False, True])
def test_shared_rows_change_nothing(readout: str, training: bool) -> None:
    torch.manual_seed(0)
    network = PGCSets(1, 2, channels=(4, 4), readout=readout, dense=8, dropout=0.0)
    assert_sharing_changes_nothing(network.train(training), gr.load("MUTAG")[:20], "constant")


@readouts
def test_it_is_the_equation_with_one_row_per_node(readout: str) -> None:
    """Graph by graph: rho of a sum of phi, or mean, sum and maximum; then torch's own norm."""
    dataset = gr.synthetic.molecules(9)
    network = PGCSets(4, 2, channels=(3, 3), readout=readout, dense=6, dropout=0.0).double()
    batch = batch_of(network.view, dataset, "label", shared=False)
    rows = side_by_side(network.layers(batch), batch)[batch.members]
    sets = [rows[a:b] for a, b in zip(dataset.graph_ptr, dataset.graph_ptr[1:], strict=False)]
    if readout == "deep-sets":
        x = torch.stack([torch.relu(network.readout.phi(own)).sum(0) for own in sets])
    else:
        x = torch.stack([torch.cat([s.mean(0), s.sum(0), s.max(0).values]) for s in sets])
    x = nn.BatchNorm1d(x.shape[1]).double()(x)
    expected = network.out(torch.relu(network.dense(x)))
    assert_close(network(batch), expected, rtol=1e-5, atol=1e-6)


def test_the_maximum_is_below_zero_where_all_nodes_are() -> None:
    dataset = gr.from_edges([[(0, 1)], []], n_nodes=[2, 1])
    batch = batch_of(PGCSets(1, 2, channels=(2,)).view, dataset, "constant", shared=False)
    rows = torch.tensor([[-3.0], [-1.0], [-2.0]])
    assert np.diff(batch.graph_ptr).tolist() == [2, 1]
    assert largest(rows, batch)[:, 0].tolist() == [-1, -2]
