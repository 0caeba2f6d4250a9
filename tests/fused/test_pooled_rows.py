import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.pooled_rows import filtered_rows, pooled_rows
from graphrings.fused.sorted_places import sort_places
from graphrings.layers import SortPool

WIDTHS = (3, 2, 2)  # of three layers


def three_layers() -> tuple[list[Tensor], list[np.ndarray], np.ndarray]:
    """Rows of three layers, who goes with whom, and all of a row of the last layer together."""
    rng = np.random.default_rng(3)
    layers = [
        random_rows(n, c, seed=c).requires_grad_() for n, c in zip((4, 6, 9), WIDTHS, strict=True)
    ]
    parents = [rng.integers(0, 4, 6).astype(np.int32), rng.integers(0, 6, 9).astype(np.int32)]
    return layers, parents, rng.integers(0, 9, 20).astype(np.int32)


def whole_rows(layers: list[Tensor], parents: list[np.ndarray]) -> Tensor:
    middle = torch.from_numpy(parents[1]).long()
    first = torch.from_numpy(parents[0]).long()[middle]
    return torch.cat([layers[0][first], layers[1][middle], layers[2]], dim=1)


def places_and_oracle(k: int) -> tuple[np.ndarray, nn.Sequential, Tensor]:
    """Two graphs of 14 and 6 nodes: their places, the head's first steps, the sorted rows."""
    layers, parents, members = three_layers()
    bounds, often = np.array([0, 14, 20]), np.ones(20, dtype=np.int32)
    places = sort_places(layers, parents, bounds, members, often, k)
    steps = nn.Sequential(
        nn.Conv1d(1, 16, sum(WIDTHS), sum(WIDTHS)), nn.ReLU(), nn.MaxPool1d(2, 2)
    ).double()
    rows = whole_rows(layers, parents)[torch.from_numpy(members).long()]
    return places, steps, SortPool(k)(rows, [14, 6]).flatten(1).unsqueeze(1)


@pytest.mark.parametrize("k", [2, 7, 10])
def test_they_are_a_convolution_relu_and_pooling_of_sorted_rows(k: int) -> None:
    layers, parents, _ = three_layers()
    places, steps, _ = places_and_oracle(k)
    weight = steps[0].weight.data[:, 0].clone().requires_grad_()
    bias = steps[0].bias.data.clone().requires_grad_()
    lengths = [len(h) for h in layers]
    pooled = pooled_rows(filtered_rows(layers, weight), bias, lengths, parents, places)
    padded = torch.cat([whole_rows(layers, parents), torch.zeros(1, 7, dtype=torch.float64)])
    sorted_rows = padded[torch.from_numpy(places).long()].flatten(1).unsqueeze(1)
    expected = steps(sorted_rows).transpose(1, 2)
    assert_close(pooled, expected)
    weighing = random_rows(pooled.numel(), 1).view_as(pooled)
    ours = torch.autograd.grad(pooled, (weight, bias, *layers), weighing)
    conv = steps[0].weight, steps[0].bias
    theirs = torch.autograd.grad(expected, (*conv, *layers), weighing)
    assert_close(ours, (theirs[0][:, 0], *theirs[1:]))


@pytest.mark.parametrize("k", [2, 7, 25])
def test_places_over_layers_are_those_of_the_whole_rows(k: int) -> None:
    layers, parents, _ = three_layers()
    places, _, expected = places_and_oracle(k)
    padded = torch.cat([whole_rows(layers, parents), torch.zeros(1, 7, dtype=torch.float64)])
    assert torch.equal(padded[torch.from_numpy(places).long()].flatten(1).unsqueeze(1), expected)
