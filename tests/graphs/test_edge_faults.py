import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphrings.graphs.check import GOOD, edges_are_good
from graphrings.graphs.edge_faults import first_edge_fault

rows = st.lists(st.lists(st.integers(-1, 4), max_size=3), min_size=4, max_size=4)


@given(rows)
def test_edges_are_good_where_no_fault_is_found(neighbours: list[list[int]]) -> None:
    """Two graphs of two nodes each, and whatever neighbours."""
    indptr = np.cumsum([0, *map(len, neighbours)]).astype(np.int32)
    indices = np.array([u for row in neighbours for u in row], dtype=np.int32)
    arrays = np.array([0, 2, 4], dtype=np.int32), indptr, indices
    assert edges_are_good(*arrays) == (first_edge_fault(*arrays) == GOOD)


@given(st.lists(st.booleans(), min_size=2, max_size=2))
def test_good_edges_are_found_good(joined: list[bool]) -> None:
    neighbours = [[v ^ 1] if joined[v // 2] else [] for v in range(4)]
    indptr = np.cumsum([0, *map(len, neighbours)]).astype(np.int32)
    indices = np.array([u for row in neighbours for u in row], dtype=np.int32)
    assert edges_are_good(np.array([0, 2, 4], dtype=np.int32), indptr, indices)
