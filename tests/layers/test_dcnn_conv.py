import numpy as np
import torch
from torch import Tensor, nn
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, mean_over, random_rows
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.layers import DiffusionConv


def conv_of(width: int, hops: int) -> DiffusionConv:
    conv = DiffusionConv(width, hops).double()
    conv.weight.data = random_rows((hops + 1) * width, 1, seed=1)[:, 0]
    return conv


def test_it_is_the_dense_formula() -> None:
    dataset = gr.load("MUTAG")[:3]
    conv, h = conv_of(2, 3), random_rows(dataset.n_nodes, 2)
    transition = mean_over(adjacency(dataset))
    hops: list[Tensor] = [torch.linalg.matrix_power(transition, j) @ h for j in range(4)]
    expected = torch.cat(hops, dim=1) * conv.weight
    assert_close(conv(h, gr.rings(dataset, 1)), expected)


def test_blocks_of_weighted_rows_are_hops() -> None:
    """One row over two nodes: hop 0 is their mean, hop 1 three times the second."""
    conv = conv_of(1, 1)
    weights, members = np.array([0.5, 0.5, 3.0]), np.array([0, 1, 1], dtype=np.int32)
    hops = WeightedRows(2, np.array([0, 2, 3]), members, weights)
    out = conv(torch.tensor([[1.0], [2.0]]).double(), hops)
    assert_close(out, torch.tensor([[1.5, 6.0]]) * conv.weight)


def test_a_lonely_node_has_only_itself() -> None:
    lonely = gr.from_edges([[]], n_nodes=[1])
    out = DiffusionConv(2, 2)(torch.ones(1, 2), gr.rings(lonely, 1))
    assert out.tolist() == [[1, 1, 0, 0, 0, 0]]


def test_its_gradients() -> None:
    near, conv = gr.rings(gr.from_edges([[(0, 1), (1, 2), (1, 3)]]), 1), conv_of(2, 2)
    weight = nn.Parameter(conv.weight.data.clone())

    def out(h: Tensor, weight: Tensor) -> Tensor:
        return torch.func.functional_call(conv, {"weight": weight}, (h, near))

    h = random_rows(4, 2).requires_grad_()
    assert torch.autograd.gradcheck(out, (h, weight))
