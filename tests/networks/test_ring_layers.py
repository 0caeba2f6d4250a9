import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import ring_means
from graphrings.networks.ring_layers import RingLayers, side_by_side
from graphrings.networks.views import RingMeans
from networks.sharing import batch_of


@pytest.mark.parametrize("norm", ["none", "batch", "layer"])
@pytest.mark.parametrize("residual", [False, True])
def test_it_is_the_dense_stack_with_one_row_per_node(norm: str, residual: bool) -> None:
    dataset = gr.load("MUTAG")[:8]
    used = sorted(set(dataset.node_labels.tolist()))
    stack = RingLayers(
        len(used), (4, 4, 4), 2, activation="gelu+tanh", bias=False, norm=norm, residual=residual
    ).double()
    batch = batch_of(RingMeans(3, 2), dataset, "label")
    out = side_by_side(stack(batch), batch)[batch.members]
    nodes = np.repeat(np.arange(len(batch.members)), batch.multiplicity)

    h, rows = torch.from_numpy(np.eye(7)[dataset.node_labels][:, used]), []
    for conv, own in zip(stack.convs, stack.norms, strict=True):
        blocks = conv.filters.weight.view(3, 4, -1)
        x = torch.cat(
            [m @ h @ w.t() for m, w in zip(ring_means(dataset, 2), blocks, strict=True)], 1
        )
        if norm == "batch":
            x = nn.BatchNorm1d(12).double()(x)
        elif norm == "layer":
            x = own(x)
        x = torch.cat([nn.functional.gelu(x[:, :4]), torch.tanh(x[:, 4:])], dim=1)
        h = x + h if residual and x.shape == h.shape else x
        rows.append(h)
    expected = torch.cat(rows, dim=1)
    for graph in range(len(dataset)):
        mine = out[nodes[dataset.graph_ptr[graph] : dataset.graph_ptr[graph + 1]]]
        theirs = expected[dataset.graph_ptr[graph] : dataset.graph_ptr[graph + 1]]
        order = [np.lexsort(part.detach().numpy().round(5).T) for part in (mine, theirs)]
        assert_close(mine[order[0]], theirs[order[1]], rtol=1e-5, atol=1e-5)


def test_the_gradient_reaches_the_first_of_eight_layers_where_they_add_up() -> None:
    """Without it next to nothing comes through eight averages."""
    dataset, reached = gr.load("MUTAG")[:8], {}
    batch = batch_of(RingMeans(8, 2), dataset, "constant")
    for residual in (False, True):
        torch.manual_seed(0)
        stack = RingLayers(
            1, (4,) * 8, 2, activation="tanh", bias=True, norm="none", residual=residual
        ).double()
        h = stack(batch)[-1]
        (grad,) = torch.autograd.grad(h.square().mean(), [stack.convs[0].filters.weight])
        reached[residual] = float(grad.abs().mean())
    assert reached[True] > 100 * reached[False]
