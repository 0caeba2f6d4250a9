import math

import pytest
import torch
from torch import nn

import graphrings as gr
from graphrings.layers.block_linear import BlockLinear, start_linear


def test_every_block_starts_within_the_bound_of_its_own_matrix() -> None:
    """Glorot's bound for 20 columns in and 30 out, reached by every block of five."""
    torch.manual_seed(0)
    start_linear(filters := BlockLinear(20, 30, n_blocks=5))
    largest = [float(block.abs().max()) for block in filters.weight.detach().chunk(5)]
    bound = math.sqrt(6 / (20 + 30))
    assert all(0.98 * bound < one <= bound for one in largest)
    assert not filters.bias.any()


def test_a_single_block_starts_as_any_linear_map() -> None:
    torch.manual_seed(0)
    start_linear(one := BlockLinear(3, 4, n_blocks=1))
    torch.manual_seed(0)
    nn.init.xavier_uniform_((other := nn.Linear(3, 4)).weight)
    assert torch.equal(one.weight, other.weight)


@pytest.mark.parametrize("network", ["pgc-dgcnn", "walk-dgcnn", "gcn", "gin", "gat"])
def test_the_radius_does_not_change_how_a_ring_starts(network: str) -> None:
    """The first layer's filters have the same range in every ring, whatever the radius."""
    ranges = []
    for radius in (0, 3):
        model = gr.NetworkClassifier(network, radius=radius, max_epochs=1, random_state=0)
        model.fit(gr.synthetic.ring_two(20))
        (filters, *_) = (m for m in model.build_network().modules() if isinstance(m, BlockLinear))
        assert filters.n_blocks == radius + 1
        blocks = filters.weight.detach().chunk(radius + 1)
        ranges += [float(block.abs().max()) for block in blocks]
    assert max(ranges) < 1.15 * min(ranges)
