"""tanh in single precision as a quotient of polynomials, which a loop computes eight at a time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled, inlined
from graphrings.hardware import SPAN, limited, put_span, span

LIMIT = np.float32(9.02)  # from here on tanh is 1 in single precision
ONE, LITTLE = np.float32(1), np.float32(1e-9)
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
def tanh_of_span(x: NDArray[Any], one: Any, spare: NDArray[Any]) -> NDArray[Any]:
    """The tanh of all numbers of a span, in single precision to the last bit as ``tanh_of`` has it.

    ``one`` is 1 in the precision of the span, and ``spare`` has room for one in double precision.
    """
    if one + one * LITTLE == one:  # in single precision, as the compiler finds out
        x = limited(x, one * LIMIT)
        s = x * x
        p = one * P0 + s * (one * P1 + s * (one * P2 + s * (one * P3 + one * P4 * s)))
        q = one + s * (one * Q1 + s * (one * Q2 + s * (one * Q3 + one * Q4 * s)))
        return limited(x * p / q, one)
    put_span(spare, 0, x)
    for i in range(SPAN):
        spare[i] = np.tanh(spare[i])
    return span(spare, 0)
