import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError
from graphrings.layers import FieldConv

# Three fields over four nodes; -1 is an empty place.
NODES = np.array([[0, 1, 2], [3, 0, -1], [2, -1, -1]])


@pytest.fixture
def places() -> WeightedRows:
    bounds = np.concatenate([[0], np.cumsum(NODES.ravel() >= 0)])
    members = NODES[NODES >= 0].astype(np.int32)
    return WeightedRows(3, bounds, members, np.ones(len(members)))


def test_it_is_a_convolution_that_steps_from_field_to_field(places: WeightedRows) -> None:
    ours, theirs = FieldConv(2, 5, 3).double(), nn.Conv1d(2, 5, 3, stride=3).double()
    theirs.weight.data = ours.filters.weight.data.view(3, 5, 2).permute(1, 2, 0)
    ours.bias.data = theirs.bias.data
    h = random_rows(4, 2).requires_grad_()
    sequence = torch.cat([h, h.new_zeros(1, 2)])[NODES.ravel()]  # place -1 is the last row
    result, expected = ours(h, places), theirs(sequence.t())
    assert_close(result, expected.t())
    assert_close(*(torch.autograd.grad(out.square().sum(), h) for out in (result, expected)))


def test_fields_of_another_size_are_refused(places: WeightedRows) -> None:
    with pytest.raises(
        LayerError, match=r"rows of width 4\); got WeightedRows\(3 rows of width 3, 6 entries"
    ):
        FieldConv(2, 5, 4)(torch.ones(4, 2), places)
