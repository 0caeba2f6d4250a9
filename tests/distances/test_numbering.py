import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrings.distances.numbering import first_of_each, numbered

COLOURS = st.one_of(
    st.lists(st.integers(0, 30), max_size=40), st.lists(st.integers(-(10**9), 10**9), max_size=40)
)


@given(COLOURS)
def test_numbers_and_first_nodes_are_those_that_sorting_finds(colours: list[int]) -> None:
    values = np.array(colours, dtype=np.int64)
    _, first, numbers = np.unique(values, return_index=True, return_inverse=True)
    assert numbered(values).dtype == np.int32
    assert np.array_equal(numbered(values), numbers)
    assert np.array_equal(first_of_each(numbered(values)), first)
