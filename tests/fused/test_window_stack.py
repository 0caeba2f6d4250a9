import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.window_stack import window_stack
from graphrings.layers.window_conv import WindowConv


def layers() -> tuple[WindowConv, nn.Linear, nn.Linear]:
    """Windows of five of seven positions; 3 channels become 4, then 5, then 2 classes."""
    torch.manual_seed(0)
    return WindowConv(3, 4, 5).double(), nn.Linear(12, 5).double(), nn.Linear(5, 2).double()


def fused(x: Tensor, parts: tuple[WindowConv, nn.Linear, nn.Linear], kept: Tensor | None) -> Tensor:
    conv, *dense = parts
    linear = [(part.weight, part.bias) for part in (conv.filters, *dense)]
    return window_stack(x, conv.size, linear, kept)


def some_rows() -> Tensor:
    return random_rows(42, 3).view(6, 7, 3).requires_grad_()


def some_kept(dropout: bool) -> Tensor | None:
    return (random_rows(6, 5, seed=2) > 0) * 2.0 if dropout else None


@pytest.mark.parametrize("dropout", [False, True])
def test_it_is_one_layer_after_the_other(dropout: bool) -> None:
    (conv, dense, out), x, kept = layers(), some_rows(), some_kept(dropout)
    result = fused(x, (conv, dense, out), kept)
    hidden = torch.relu(dense(torch.relu(conv(x)).flatten(1)))
    expected = out(hidden if kept is None else hidden * kept)
    assert_close(result, expected)
    sources = (x, *conv.parameters(), *dense.parameters(), *out.parameters())
    weighing = random_rows(*result.shape, seed=1)
    ours, theirs = (torch.autograd.grad(y, sources, weighing) for y in (result, expected))
    assert all(grad.any() for grad in ours)
    assert_close(ours, theirs)


def test_gradients_are_those_of_differences() -> None:
    parts, kept = layers(), some_kept(dropout=True)
    sources = (some_rows(), *(p for part in parts for p in part.parameters()))
    assert torch.autograd.gradcheck(lambda x, *_: fused(x, parts, kept), sources)


def test_rows_that_do_not_lie_in_one_piece_are_read_right() -> None:
    x = random_rows(42, 7).view(6, 7, 7)[:, :, :3]
    assert_close(fused(x, layers(), None), fused(x.contiguous(), layers(), None))


def test_what_is_no_number_stays_none() -> None:
    """A training that has diverged must show it, and ReLU must not hide it."""
    x = some_rows().detach()
    x[0, 0, 0] = torch.nan
    result = fused(x, layers(), None)
    assert result[0].isnan().all()
    assert result[1:].isfinite().all()
