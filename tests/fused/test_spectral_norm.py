import numpy as np
import pytest
import torch
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.spectral_norm import steepest


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (3, 5), (5, 3), (32, 32)])
@pytest.mark.parametrize("scale", [1.0, 1e-200, 1e200])
def test_it_is_the_largest_singular_value_and_its_gradient_that_of_torch(
    shape: tuple[int, int], scale: float
) -> None:
    weight = random_rows(*shape).requires_grad_()
    norm = torch.linalg.matrix_norm(weight, 2)
    norm.backward()  # type: ignore[no-untyped-call]
    found = steepest(scale * weight.detach().numpy())
    assert found.norm == pytest.approx(scale * float(norm.detach()), rel=1e-13)
    assert weight.grad is not None
    assert_close(torch.from_numpy(found.gradient), weight.grad, rtol=1e-10, atol=1e-10)


def test_single_precision_is_computed_in_double() -> None:
    weight = random_rows(4, 3).numpy().astype(np.float32)
    assert steepest(weight).norm == pytest.approx(np.linalg.svd(weight.astype(float))[1][0])


def test_zeros_have_no_slope_and_what_is_no_number_has_no_norm() -> None:
    nothing = steepest(np.zeros((2, 3)))
    assert nothing.norm == 0
    assert not nothing.gradient.any()
    with np.errstate(invalid="ignore"):
        for odd in (np.nan, np.inf):
            spoiled = steepest(np.array([[1.0, odd], [0.0, 1.0]]))
            assert not np.isfinite(spoiled.norm)
            assert np.isnan(spoiled.gradient).all()
