"""tanh in single precision as a quotient of polynomials, which a loop computes eight at a time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, inlined
from graphrings.hardware import limited

LIMIT = np.float32(9.02)  # from here on tanh is 1 in single precision
ONE = np.float32(1)
# x P(x^2) / Q(x^2), fitted such that the largest relative error on (0, 9.02) is least: 2.1e-8.
P0, P1, P2, P3, P4 = (
    np.float32(value)
    for value in (0.999999979, 0.133796721, 3.49397939e-3, 2.05825582e-5, 1.33177903e-8)
)
Q1, Q2, Q3, Q4 = (
    np.float32(value) for value in (0.467129874, 2.58708651e-2, 3.28300177e-4, 7.76149416e-7)
)


@compiled
def tanh_of(x: np.float32) -> np.float32:
    """The tanh of a single-precision number, with a relative error below 4e-7.

    What is no number stays none, and no result is beyond -1 or 1.
    """
    x = LIMIT if x > LIMIT else x
    x = -LIMIT if x < -LIMIT else x
    s = x * x
    p = (((P4 * s + P3) * s + P2) * s + P1) * s + P0
    q = (((Q4 * s + Q3) * s + Q2) * s + Q1) * s + ONE
    y = x * p / q
    y = ONE if y > ONE else y
    return -ONE if y < -ONE else y


@inlined
def is_single(one: Any, little: Any) -> bool:
    """Whether 1 and 1e-9 are numbers in single precision; the compiler knows the answer."""
    return one + little == one


@inlined
def tanh_by(x: Any, single: bool) -> Any:
    """The tanh of a number in either precision."""
    return tanh_of(x) if single else np.tanh(x)


@inlined
def tanh_of_span(x: NDArray[Any]) -> NDArray[Any]:
    """The same of all numbers of a span, to the last bit."""
    x = limited(x, LIMIT)
    s = x * x
    p = P0 + s * (P1 + s * (P2 + s * (P3 + P4 * s)))
    q = ONE + s * (Q1 + s * (Q2 + s * (Q3 + Q4 * s)))
    return limited(x * p / q, ONE)
