"""The primitives of compiled loops against those of Python and numpy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.loops import first_from, merge_sort, mixed, read_only, twice_as_wide

numbers = st.lists(st.integers(-9, 9), max_size=40)


@compiled
def is_larger(a: int, b: int, keys: NDArray[np.int64]) -> bool:
    return bool(keys[a] > keys[b])


sort_down = merge_sort(is_larger)


def test_views_that_loops_get_cannot_be_written_to() -> None:
    """The array itself can, as before."""
    array = np.arange(3)
    (view,) = read_only(array)
    array[0] = 7
    assert (view.tolist(), view.flags.writeable, array.flags.writeable) == ([7, 1, 2], False, True)


@given(keys=numbers)
def test_merge_sort_is_stable(keys: list[int]) -> None:
    """Python's own sort is; equal keys stay in the order in which they stand."""
    order = sort_down(np.arange(len(keys)), np.empty(len(keys), dtype=np.int64), np.array(keys))
    assert order.tolist() == sorted(range(len(keys)), key=lambda i: -keys[i])


@given(values=numbers, least=st.integers(-11, 11), data=st.data())
def test_binary_search_in_a_part_of_an_array(
    values: list[int], least: int, data: st.DataObject
) -> None:
    low = data.draw(st.integers(0, len(values)))
    high = data.draw(st.integers(low, len(values)))
    part = np.array(sorted(values), dtype=np.int32)
    expected = low + np.searchsorted(part[low:high], least)
    assert first_from(part, low, high, least) == expected


def test_the_hash_draws_what_splitmix64_draws() -> None:
    """The first numbers of the reference implementation (Vigna, 2015) from seed 0."""
    golden = 0x9E3779B97F4A7C15
    drawn = [int(mixed(np.uint64(k * golden % 2**64))) for k in range(3)]
    assert drawn == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]


def test_more_room_keeps_what_is_there() -> None:
    table = np.arange(6).reshape(2, 3)
    assert twice_as_wide(table).shape == (2, 6)
    assert np.array_equal(twice_as_wide(table)[:, :3], table)
