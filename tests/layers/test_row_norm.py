from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.lane import lane
from graphrings.layers.row_norm import RowNorm

COUNTS = np.array([3, 1, 0, 5])


@pytest.fixture(params=[True, False], ids=["fused", "plain"])
def norms(request: pytest.FixtureRequest) -> Iterator[tuple[RowNorm, nn.BatchNorm1d]]:
    """Ours in both lanes, and that of torch."""
    ours, theirs = RowNorm(2).double(), nn.BatchNorm1d(2).double()
    for norm in (ours, theirs):
        norm.weight.data, norm.bias.data = torch.tensor([2.0, -1.0]), torch.tensor([0.5, 0.25])
    with lane(fused=request.param):
        yield ours.double(), theirs.double()


def test_a_row_counts_as_often_as_it_stands(norms: tuple[RowNorm, nn.BatchNorm1d]) -> None:
    ours, theirs = norms
    h = random_rows(4, 2)
    expected = theirs(h.repeat_interleave(torch.from_numpy(COUNTS), dim=0))
    out = ours(h, COUNTS).repeat_interleave(torch.from_numpy(COUNTS), dim=0)
    assert_close(out, expected)


def test_what_was_seen_in_training_counts_afterwards(
    norms: tuple[RowNorm, nn.BatchNorm1d],
) -> None:
    ours, theirs = norms
    for seed in range(3):
        h = random_rows(4, 2, seed)
        ours(h, COUNTS)
        theirs(h.repeat_interleave(torch.from_numpy(COUNTS), dim=0))
    expected = theirs.state_dict()
    for name, values in ours.state_dict().items():
        assert_close(values, expected[name])
    assert_close(ours.eval()(h), theirs.eval()(h))


def test_gradients(norms: tuple[RowNorm, nn.BatchNorm1d]) -> None:
    ours, theirs = norms
    h = random_rows(4, 2).requires_grad_()
    goal = random_rows(int(COUNTS.sum()), 2, 1)
    spread = torch.from_numpy(COUNTS)
    (expected,) = torch.autograd.grad((theirs(h.repeat_interleave(spread, dim=0)) * goal).sum(), h)
    (out,) = torch.autograd.grad((ours(h, COUNTS).repeat_interleave(spread, dim=0) * goal).sum(), h)
    assert_close(out, expected)


def test_a_single_node_becomes_the_bias() -> None:
    assert RowNorm(2)(torch.tensor([[5.0, -3.0]])).tolist() == [[0, 0]]
