import numpy as np
import pytest
import torch
from torch.testing import assert_close

from graphrings.fused.activations import WRITTEN_OUT
from graphrings.layers.activations import ACTIVATIONS

NUMBERS = [-1000.0, -3.0, -1e-5, -0.0, 0.0, 1e-5, 2.0, 1000.0]


@pytest.mark.parametrize("name", WRITTEN_OUT)
@pytest.mark.parametrize("number", [torch.float64, torch.float32])
def test_results_and_gradients_are_those_of_torch(name: str, number: torch.dtype) -> None:
    x = torch.tensor([NUMBERS], dtype=number, requires_grad=True)
    expected = ACTIVATIONS[name](x)
    given = torch.linspace(-1, 2, len(NUMBERS), dtype=number)[None]
    (expected_grad,) = torch.autograd.grad(expected, x, given)
    out = x.detach().clone().numpy()
    below = np.empty_like(out)
    WRITTEN_OUT[name].apply(out, np.empty_like(out))
    WRITTEN_OUT[name].back(given.numpy(), out, below)
    assert_close(torch.from_numpy(out), expected.detach(), rtol=1e-6, atol=1e-7)
    assert_close(torch.from_numpy(below), expected_grad, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", WRITTEN_OUT)
def test_what_is_no_number_stays_none(name: str) -> None:
    out = np.array([[np.nan, 1.0]])
    WRITTEN_OUT[name].apply(out, np.empty_like(out))
    assert np.isnan(out).tolist() == [[True, False]]
