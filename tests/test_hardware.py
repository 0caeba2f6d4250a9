"""Spans and memory asked for early against the same in numpy."""

from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.hardware import (
    QUAD,
    SHORT,
    SPAN,
    chosen,
    fetch,
    limited,
    put_span,
    quad,
    short_span,
    span,
    total,
)


@compiled
def computed(numbers: NDArray[Any], place: int, factor: Any, out: NDArray[Any]) -> None:
    """A number and a span, and two spans, in every operation that there is."""
    fetch(numbers, place + 10**6)
    first, second = span(numbers, place), span(numbers, place + 3)
    put_span(out, place, limited(factor * first + second * (factor - first) / first, factor))


@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize("place", [0, 1, SPAN + 5])
def test_spans_are_computed_as_numpy_computes_arrays(number: Any, place: int) -> None:
    """To the last bit, wherever they begin, over the ends of rows; all else stays as it is."""
    given = np.random.default_rng(0).normal(size=(4, SPAN)).astype(number)
    out, factor = np.zeros((3, SPAN), dtype=number), number(0.1)
    computed(given, place, factor, out)
    flat, expected = given.reshape(-1), np.zeros_like(out)
    first, second = flat[place : place + SPAN], flat[place + 3 : place + 3 + SPAN]
    numbers = factor * first + second * (factor - first) / first
    assert (abs(numbers) > factor).any()
    expected.reshape(-1)[place : place + SPAN] = np.clip(numbers, -factor, factor)
    assert np.array_equal(out, expected)
    without_a_compiler = np.zeros_like(out)
    computed.py_func(given, place, factor, without_a_compiler)  # type: ignore[attr-defined]
    assert np.array_equal(without_a_compiler, expected)


@compiled
def computed_briefly(numbers: NDArray[Any], place: int, factor: Any, out: NDArray[Any]) -> None:
    """The same for the shorter ones, with a choice and a sum."""
    first, second = short_span(numbers, place), short_span(numbers, place + 3)
    put_span(out, place, chosen(first, second, factor / first))
    few = quad(numbers, place)
    put_span(out, place + SHORT, few - few * few)
    out[0, 0], out[0, 1] = total(few), total(second)


@pytest.mark.parametrize("number", [np.float32, np.float64])
@pytest.mark.parametrize("place", [2, 13])
def test_shorter_spans_are_computed_as_numpy_computes_arrays(number: Any, place: int) -> None:
    """What is no number is not above 0."""
    numbers = np.random.default_rng(0).normal(size=(4, SHORT)).astype(number)
    out, factor, flat = np.zeros((4, SHORT), dtype=number), number(0.1), numbers.reshape(-1)
    flat[place] = np.nan
    first, second = flat[place : place + SHORT], flat[place + 3 : place + 3 + SHORT]
    few, expected = flat[place : place + QUAD], np.zeros_like(out)
    written = np.concatenate([np.where(first > 0, second, factor / first), few - few * few])
    expected.reshape(-1)[place : place + SHORT + QUAD] = written
    halves = second[:4] + second[4:]
    sums = (halves[0] + halves[2]) + (halves[1] + halves[3])
    expected[0, :2] = np.nan, sums
    for compute in (computed_briefly, computed_briefly.py_func):  # type: ignore[attr-defined]
        out[:] = 0
        compute(numbers, place, factor, out)
        assert np.array_equal(out, expected, equal_nan=True)


def reads(turned: NDArray[Any], out: NDArray[Any]) -> None:
    put_span(out, 0, span(turned, 0))


def writes(turned: NDArray[Any], given: NDArray[Any]) -> None:
    put_span(turned, 0, span(given, 0))


def asks(turned: NDArray[Any], _: NDArray[Any]) -> None:
    fetch(turned, 0)


@pytest.mark.parametrize("loop", [reads, writes, asks])
def test_arrays_are_in_one_piece(loop: Any) -> None:
    """What lies beside the first number of a table that is turned is another column."""
    with pytest.raises(TypingError, match=r"span|fetch"):
        compiled(loop)(np.zeros((4, SPAN)).T, np.zeros(SPAN))
