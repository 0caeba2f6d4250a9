import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.layers.norms import NORMS


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("none", nn.Identity()), ("batch", nn.BatchNorm1d(4)), ("layer", nn.LayerNorm(4))],
)
def test_they_are_those_of_torch_on_one_row_per_node(name: str, theirs: nn.Module) -> None:
    h, counts = random_rows(5, 4), np.array([1, 3, 1, 2, 1])
    nodes = np.repeat(np.arange(5), counts)
    out = NORMS[name](4).double()(h, counts)
    assert_close(out[nodes], theirs.double()(h[nodes]))
    assert torch.isfinite(out).all()
