import numpy as np
import pytest
import torch
from torch.testing import assert_close

from graphrings.fused.largest import largest_members, to_largest

INDPTR, INDICES = np.array([0, 3, 4, 6]), np.array([0, 1, 2, 1, 3, 0], np.int32)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_it_is_the_maximum_of_torch_and_ties_share_its_gradient(dtype: type) -> None:
    """Two columns; in the first rows 0 and 2 tie, in the second all values are below zero."""
    values = np.array([[3, -3], [1, -1], [3, -2], [0, -5]], dtype)
    rows = torch.from_numpy(values).requires_grad_()
    sets = [INDICES[a:b].tolist() for a, b in zip(INDPTR, INDPTR[1:], strict=False)]
    expected = torch.stack([rows[own].amax(dim=0) for own in sets])
    grad = torch.tensor([[2.0, 1.0], [5.0, 7.0], [11.0, 13.0]], dtype=rows.dtype)
    (rows_grad,) = torch.autograd.grad(expected, [rows], grad)

    out, ours = np.full((3, 3), 9, dtype), np.zeros_like(values)
    largest_members(values, INDPTR, INDICES, 1, out)
    assert_close(torch.from_numpy(out[:, 1:]), expected.detach())
    assert (out[:, 0] == 9).all()  # the columns before are somebody else's
    beside = np.concatenate([np.full((3, 1), 17, dtype), grad.numpy()], axis=1)
    to_largest(beside, values, INDPTR, INDICES, 1, out, ours)
    assert_close(torch.from_numpy(ours), rows_grad)
    assert ours[:, 0].tolist() == [12, 5, 1, 0]


def test_what_is_no_number_stays_none() -> None:
    out = np.empty((3, 1))
    largest_members(np.array([[1.0], [np.nan], [2.0], [0.0]]), INDPTR, INDICES, 0, out)
    assert np.isnan(out[:, 0]).tolist() == [True, True, False]
