import pytest
import torch

from dense import random_rows
from graphrings.errors import LayerError
from graphrings.layers import SortPool


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
    with pytest.raises(LayerError, match="sizes add up to 3; there are 4 rows"):
        SortPool(2)(torch.ones(4, 1), sizes)
    with pytest.raises(LayerError, match="2 multiplicities for 4 rows"):
        SortPool(2)(torch.ones(4, 1), [4], [1, 1])
