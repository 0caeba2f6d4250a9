import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrings.graphs.small_numbers import distinct, first_of_each, numbered

VALUES = st.one_of(
    st.lists(st.integers(0, 30), max_size=40), st.lists(st.integers(-(10**9), 10**9), max_size=40)
)


@given(VALUES, st.sampled_from([np.int32, np.int64]))
def test_they_are_those_that_sorting_finds(given: list[int], kind: type) -> None:
    values = np.array(given, dtype=kind)
    sorted_out, first, numbers = np.unique(values, return_index=True, return_inverse=True)
    different, ours = distinct(values)
    assert different.dtype == sorted_out.dtype
    assert ours.dtype == numbers.dtype
    assert np.array_equal(different, sorted_out)
    assert np.array_equal(ours, numbers)
    assert numbered(values).dtype == np.int32
    assert np.array_equal(numbered(values), numbers)
    assert np.array_equal(first_of_each(numbers), first)
