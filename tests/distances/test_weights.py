import numpy as np

import graphrings as gr
from dense import distances
from graphrings.distances.weights import numbered_by, summed, symmetric


def test_sums_count_every_member_once() -> None:
    star = gr.from_edges([[(0, 1), (0, 2), (0, 3)]])
    assert summed(gr.rings(star, 1)).weights.tolist() == [1.0] * 10


def test_both_sides_have_a_say_in_symmetric_weights() -> None:
    """Every ring by its own sizes: D^-1/2 SP^j D^-1/2."""
    dataset = gr.load("MUTAG")[:2]
    weighted = symmetric(gr.rings(dataset, 2))
    for j in range(3):
        ring = (distances(dataset) == j).astype(float)
        root = 1 / np.sqrt(np.maximum(ring.sum(axis=1), 1))
        entries = np.flatnonzero(weighted.blocks % 3 == j)
        members = weighted.blocks[entries] // 3, weighted.indices[entries]
        expected = (root[:, None] * ring * root)[members]
        np.testing.assert_allclose(weighted.weights[entries], expected)


def test_numbers_are_equal_where_everything_is() -> None:
    start, one, other = np.array([0, 0, 0, 5]), np.array([1, 1, 2, 1]), np.array([0, 0, 0, 0])
    assert numbered_by(start, [one, other]).tolist() == [0, 0, 1, 2]
    assert numbered_by(start, []).tolist() == start.tolist()
