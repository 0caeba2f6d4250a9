"""Features listed by their numbers, against dense products."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from graphrings.fused.feature_rows import FeatureRows
from graphrings.fused.workspace import Workspace

PLACES = np.array([3, 0, 0, 2, 1], dtype=np.int32)
RNG = np.random.default_rng(0)


def some_features(listed: bool, number: Any) -> tuple[NDArray[Any], FeatureRows]:
    """Four rows of 40 numbers: all of them, or two in each but the first, which has none."""
    given = RNG.normal(size=(4, 40)).astype(number)
    if listed:
        given[:, :-2] = 0
        given[0] = 0
        given[2] = given[2, ::-1].copy()
    return given, FeatureRows.of(given, PLACES, Workspace(np.dtype(number)))


@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("width", [3, 35])
def test_products_and_gradients_are_the_dense_ones(number: Any, listed: bool, width: int) -> None:
    given, rows = some_features(listed, number)
    weight, grad = (RNG.normal(size=shape).astype(number) for shape in ((width, 40), (5, width)))
    close = {"rtol": 1e-4, "atol": 1e-5} if number == np.float32 else {"rtol": 1e-12}
    assert (len(rows.dense) == 0) == listed
    out = np.full((5, width), 7, dtype=number)
    np.testing.assert_allclose(rows.mapped(weight, out), given[PLACES] @ weight.T, **close)
    np.testing.assert_allclose(rows.gradient(grad), grad.T @ given[PLACES], **close)


def test_rows_that_come_twice_have_the_sum_of_their_gradients() -> None:
    _, rows = some_features(True, np.float64)
    grad = RNG.normal(size=(5, 40))
    np.testing.assert_allclose(rows.handed(grad), np.eye(4)[PLACES].T @ grad)


def test_what_is_no_number_is_not_left_out() -> None:
    given = np.zeros((2, 20))
    given[1, 4] = np.nan
    rows = FeatureRows.of(given, np.array([1, 0], dtype=np.int32), Workspace(given.dtype))
    out = rows.mapped(np.ones((1, 20)), np.empty((2, 1)))
    assert np.isnan(out[0, 0])
    assert out[1, 0] == 0
