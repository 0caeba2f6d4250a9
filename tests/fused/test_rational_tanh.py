import numpy as np

from graphrings.fused.rational_tanh import tanh_of


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
