from typing import Any

import numpy as np
import pytest

from graphrings.compiled import compiled
from graphrings.fused.rational_tanh import tanh_of, tanh_of_span
from graphrings.hardware import SPAN, put_span, span


def tanh(x: np.ndarray) -> np.ndarray:
    return np.array([tanh_of(number) for number in x], dtype=np.float32)


def test_it_is_tanh_up_to_rounding() -> None:
    x = np.linspace(-12, 12, 200_001, dtype=np.float32)
    y = tanh(x)
    exact = np.tanh(x.astype(np.float64))
    assert (np.abs(y - exact) <= 4e-7 * np.abs(exact)).all()
    assert np.abs(y).max() <= 1
    assert np.array_equal(tanh(-x), -y)


def test_what_is_no_number_stays_none() -> None:
    y = tanh(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], dtype=np.float32))
    assert np.allclose(y, np.array([np.nan, 1, -1, 0, 0]), atol=1e-7, equal_nan=True)


@compiled
def tanh_in_spans(x: np.ndarray, out: np.ndarray) -> None:
    spare, one = np.zeros(SPAN, dtype=x.dtype), x.dtype.type(1)
    for place in range(0, len(x), SPAN):
        put_span(out, place, tanh_of_span(span(x, place), one, spare))


@pytest.mark.parametrize("number", [np.float32, np.float64])
def test_spans_have_the_same_tanh_and_in_double_precision_that_of_numpy(number: Any) -> None:
    x = np.linspace(-12, 12, 100 * SPAN, dtype=number)
    x[:5] = np.nan, np.inf, -np.inf, 0, -0.0
    expected = tanh(x) if number == np.float32 else np.tanh(x)
    out = np.zeros_like(x)
    tanh_in_spans(x, out)
    if number == np.float32:
        assert np.array_equal(out, expected, equal_nan=True)
    else:
        np.testing.assert_allclose(out, expected, rtol=1e-15)
