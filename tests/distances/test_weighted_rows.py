import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError


def test_joined_rows_have_the_entries_of_all_their_blocks() -> None:
    """Two nodes with two blocks each, of one and two entries, and of one and none."""
    indptr, indices = np.array([0, 1, 3, 4, 4]), np.array([0, 1, 0, 1], dtype=np.int32)
    weights = np.array([1.0, 0.25, 0.75, 1.0])
    joined = WeightedRows(2, indptr, indices, weights).joined()
    assert (joined.width, joined.n_rows) == (1, 2)
    assert joined.indptr.tolist() == [0, 3, 4]
    assert joined.indices.tolist() == indices.tolist()
    assert joined.weights.tolist() == weights.tolist()


def test_block_zero_of_rings_leads_to_the_node_itself() -> None:
    near = gr.rings(gr.load("MUTAG")[:3], 2)
    rows = WeightedRows(near.width, near.indptr, near.indices, near.weights)
    assert rows.own.tolist() == list(range(near.n_nodes))
    assert rows.weights_as("float32").dtype == np.float32
    assert rows.weights_as("float64").dtype == np.float64


def test_the_first_member_of_a_row_is_the_node_itself() -> None:
    rows = WeightedRows(2, np.array([0, 1, 1, 3, 3]), np.array([4, 2, 7], np.int32), np.ones(3))
    assert rows.own.tolist() == [4, 2]
    empty = WeightedRows(2, np.array([0, 1, 1, 1, 3]), np.array([4, 2, 7], np.int32), np.ones(3))
    with pytest.raises(LayerError, match="a row with an empty block 0; expected the node itself"):
        _ = empty.own
