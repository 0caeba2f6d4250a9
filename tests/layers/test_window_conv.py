import pytest
import torch
from torch import nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.layers.window_conv import WindowConv, windows


@pytest.mark.parametrize(("positions", "size"), [(5, 5), (9, 5), (4, 1), (6, 2)])
def test_it_is_the_convolution_of_torch(positions: int, size: int) -> None:
    ours, theirs = WindowConv(3, 4, size).double(), nn.Conv1d(3, 4, size).double()
    ours.filters.weight.data = theirs.weight.data.transpose(1, 2).reshape(4, -1).clone()
    ours.filters.bias.data = theirs.bias.data.clone()
    x = random_rows(2 * positions, 3).view(2, positions, 3).requires_grad_()
    out, expected = ours(x), theirs(x.transpose(1, 2)).transpose(1, 2)
    assert_close(out, expected)
    weighing = random_rows(out.numel(), 1).view_as(out)
    (x_grad, weight_grad, bias_grad) = torch.autograd.grad(out, [x, *ours.parameters()], weighing)
    peers = torch.autograd.grad(expected, [x, *theirs.parameters()], weighing)
    assert_close(x_grad, peers[0])
    assert_close(weight_grad, peers[1].transpose(1, 2).reshape(4, -1))
    assert_close(bias_grad, peers[2])


def test_rows_that_do_not_lie_in_one_piece_are_read_right() -> None:
    conv, x = WindowConv(3, 4, 5), torch.randn(2, 3, 9).transpose(1, 2)
    assert_close(conv(x), conv(x.contiguous()))


def test_a_window_lists_position_after_position() -> None:
    x = torch.arange(6.0).view(1, 3, 2)
    assert windows(x, 2).tolist() == [[0, 1, 2, 3], [2, 3, 4, 5]]
