import numpy as np
import pytest
import torch
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.lane import lane
from graphrings.layers.row_norm import RowNorm
from lanes import assert_lanes_agree

COUNTS = np.array([3, 1, 0, 5])


@pytest.fixture
def norm() -> RowNorm:
    norm = RowNorm(2).double()
    norm.weight.data, norm.bias.data = torch.tensor([2.0, -1.0]), torch.tensor([0.5, 0.25])
    return norm.double()


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("training", [False, True])
def test_it_is_the_plain_norm(norm: RowNorm, relu: bool, training: bool) -> None:
    h = random_rows(4, 2).requires_grad_()
    norm.train(training)
    assert_lanes_agree(lambda: norm(h, COUNTS, relu), [h, *norm.parameters()])


def test_both_lanes_remember_the_same(norm: RowNorm) -> None:
    seen = []
    for fused in (True, False):
        norm.running_mean.zero_()
        norm.running_var.fill_(1)
        with lane(fused=fused):
            norm(random_rows(4, 2), COUNTS)
        seen.append([buffer.clone() for buffer in norm.buffers()])
    assert_close(*seen)
