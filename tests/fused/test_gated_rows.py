import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.gated_rows import gated_rows


@pytest.mark.parametrize("width", [2, 32, 35])
@pytest.mark.parametrize("of_x", [True, False])
def test_they_are_gate_times_value(width: int, of_x: bool) -> None:
    """Several rows see one of ``x``, and one of ``x`` is seen by none."""
    torch.manual_seed(0)
    gate, value = (nn.Linear(4 + 3, width).double() for _ in range(2))
    h, x = random_rows(5, 4).requires_grad_(), random_rows(3, 3, seed=1).requires_grad_(of_x)
    places = np.array([2, 0, 2, 2, 0], dtype=np.int32)
    parameters = [gate.weight, gate.bias, value.weight, value.bias]
    rows = gated_rows(h, x, places, parameters)
    both = torch.cat([h, x[torch.from_numpy(places.astype(np.int64))]], dim=1)
    expected = torch.sigmoid(gate(both)) * torch.tanh(value(both))
    assert_close(rows, expected, rtol=1e-12, atol=1e-12)
    sources = [h, *parameters, *([x] if of_x else [])]
    weighing = random_rows(5, width, seed=2)
    ours, theirs = (torch.autograd.grad(y, sources, weighing) for y in (rows, expected))
    assert_close(ours, theirs, rtol=1e-11, atol=1e-11)
