import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.layers import SortPool
from graphrings.layers.sort_pool import RowFilter, pooled_rows, sort_places

WIDTHS = (3, 2, 2)  # of three layers


def test_ties_fall_to_the_column_before() -> None:
    h = torch.tensor([[5.0, 1.0], [7.0, 1.0], [0.0, 2.0]])
    assert SortPool(3)(h, [3])[0].tolist() == [[0, 2], [7, 1], [5, 1]]
    assert SortPool(3, ties="last")(h, [3])[0].tolist() == [[0, 2], [5, 1], [7, 1]]


def test_zero_rows_come_after_negative_keys() -> None:
    h = torch.tensor([[-3.0], [-1.0], [4.0]])
    assert SortPool(3)(h, [2, 1])[:, :, 0].tolist() == [[-1, -3, 0], [4, 0, 0]]


def test_a_graph_without_nodes_is_all_padding() -> None:
    assert SortPool(2)(torch.tensor([[1.0]]), [0, 1])[:, :, 0].tolist() == [[0, 0], [1, 0]]


def test_a_row_that_stands_for_three_nodes_fills_three_places() -> None:
    h = torch.tensor([[1.0], [2.0]])
    assert SortPool(4)(h, [2], [3, 2])[0, :, 0].tolist() == [2, 2, 1, 1]


def test_gradients_are_those_of_differences() -> None:
    h = random_rows(7, 2).requires_grad_()
    assert torch.autograd.gradcheck(lambda h: SortPool(4)(h, [5, 2], [1, 2, 1, 1, 1, 3, 1]), [h])


@pytest.mark.parametrize("sizes", [[3], [2, 1]])
def test_sizes_that_do_not_add_up_are_refused(sizes: list[int]) -> None:
    with pytest.raises(ValueError, match="sizes add up to 3; there are 4 rows"):
        SortPool(2)(torch.ones(4, 1), sizes)
    with pytest.raises(ValueError, match="2 multiplicities for 4 rows"):
        SortPool(2)(torch.ones(4, 1), [4], [1, 1])


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
@pytest.mark.parametrize("fallback", [False, True])
def test_a_row_filter_is_a_convolution_relu_and_pooling_of_sorted_rows(
    k: int, fallback: bool
) -> None:
    layers, parents, _ = three_layers()
    places, steps, _ = places_and_oracle(k)
    rows = RowFilter(WIDTHS, 16).double()
    rows.filters.weight.data = steps[0].weight.data[:, 0].clone()
    rows.filters.bias.data = steps[0].bias.data.clone()
    sources = (rows.filters.weight, rows.filters.bias, *layers)
    starts = np.array([0, 4, 10])
    found = (
        pooled_rows(rows.filters.bias, rows.filter(layers), starts, parents, places)
        if fallback
        else rows(layers, parents, places)
    )
    padded = torch.cat([whole_rows(layers, parents), torch.zeros(1, 7, dtype=torch.float64)])
    sorted_rows = padded[torch.from_numpy(places).long()].flatten(1).unsqueeze(1)
    expected = steps(sorted_rows).transpose(1, 2)
    assert_close(found, expected)
    weighing = random_rows(found.numel(), 1).view_as(found)
    ours = torch.autograd.grad(found, sources, weighing)
    conv = steps[0].weight, steps[0].bias
    theirs = torch.autograd.grad(expected, (*conv, *layers), weighing)
    assert_close(ours, (theirs[0][:, 0], *theirs[1:]))


@pytest.mark.parametrize("k", [2, 7, 25])
def test_places_over_layers_are_those_of_the_whole_rows(k: int) -> None:
    layers, parents, _ = three_layers()
    places, _, expected = places_and_oracle(k)
    padded = torch.cat([whole_rows(layers, parents), torch.zeros(1, 7, dtype=torch.float64)])
    assert torch.equal(padded[torch.from_numpy(places).long()].flatten(1).unsqueeze(1), expected)
