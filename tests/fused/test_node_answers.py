import numpy as np
import pytest
import torch
from torch.testing import assert_close

from dense import random_rows
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.node_answers import node_answers
from graphrings.layers.weighted_sum import plain_sum
from graphrings.networks.readout import DenseHead


@pytest.mark.parametrize("of_x", [True, False])
@pytest.mark.parametrize("mostly_zeros", [True, False])
def test_it_is_the_sum_of_what_the_head_says_of_every_row(of_x: bool, mostly_zeros: bool) -> None:
    """Graphs that share row 1, with weights, and a graph without nodes; row 3 is nobody's."""
    near = WeightedRows(1, [0, 2, 2, 4], [0, 1, 1, 2], [0.5, 2.0, 1.0, 3.0])
    torch.manual_seed(0)
    head = DenseHead(3 + 20, 2, dense=6, dropout=0.0).double()
    h, x, places = random_rows(4, 3).requires_grad_(), random_rows(3, 20, seed=1), [2, 0, 2, 0]
    if mostly_zeros:
        x[:, :18] = 0
    x.requires_grad_(of_x)
    chosen = np.array(places, dtype=np.int32)
    outputs = node_answers(h, x, chosen, near, head.parameters_in_order())
    expected = plain_sum(head([h, x[places]]), near, blocks=False)
    assert_close(outputs, expected)
    sources = [h, *head.parameters(), *([x] if of_x else [])]
    weighing = random_rows(3, 2, seed=2)
    ours, theirs = (torch.autograd.grad(y, sources, weighing) for y in (outputs, expected))
    assert_close(ours, theirs)
    assert np.array_equal(outputs[1].detach(), [0, 0])
