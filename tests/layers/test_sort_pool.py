import pytest
import torch

from dense import random_rows
from graphrings.errors import LayerError
from graphrings.fused.lane import lane
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


@pytest.mark.parametrize(
    ("sizes", "often", "message"),
    [
        ([10**7, 10 - 10**7], None, "sizes that are not from 0 to 10"),
        ([11, -1], None, "sizes that are not from 0 to 10"),
        ([4, 5], None, "the sizes add up to 9; there are 10 rows"),
        ([5.0, 5.0], None, "sizes is an array of float64; expected whole numbers"),
        ([[10]], None, "sizes has 2 dimensions; expected one"),
        ([5, 5], [1] * 9, "9 multiplicities for 10 rows"),
        ([5, 5], [1] * 9 + [0], "a row that stands for no nodes"),
        ([5, 5], [1] * 9 + [-3], "a row that stands for no nodes"),
    ],
)
@pytest.mark.parametrize("fused", [True, False])
def test_sizes_and_multiplicities_that_fit_no_rows_are_refused(
    sizes: list[int], often: list[int] | None, message: str, fused: bool
) -> None:
    with lane(fused=fused), pytest.raises(LayerError, match=message):
        SortPool(5)(torch.ones(10, 2), sizes, often)


@pytest.mark.parametrize("fused", [True, False])
def test_a_row_that_stands_for_billions_of_nodes_takes_no_memory(fused: bool) -> None:
    with lane(fused=fused):
        out = SortPool(3)(torch.tensor([[1.0], [2.0]]), [2], [10**12, 1])
    assert out[0, :, 0].tolist() == [2, 1, 1]


@pytest.mark.parametrize("shape", [(10, 0), (10,), (2, 5, 1)])
def test_rows_have_a_last_column(shape: tuple[int, ...]) -> None:
    with pytest.raises(LayerError, match=r"expected \(n, c\) with a last column"):
        SortPool(5)(torch.ones(shape), [5, 5])


@pytest.mark.parametrize("k", [0, -1, 2.5, 2**40, True])
def test_k_is_a_whole_number_above_zero(k: int) -> None:
    with pytest.raises(LayerError, match="expected a whole number above 0"):
        SortPool(k)
