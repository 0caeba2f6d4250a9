import numpy as np
import pytest

import graphrings as gr
from dense import adjacency
from graphrings.distances.diffusion import diffused


def test_a_path_by_hand() -> None:
    """Ends send all they have to the middle, which sends a half to each of them."""
    path = gr.from_edges([[(0, 1), (1, 2)]])
    weights = 3 * diffused(path, 2)
    assert weights.tolist() == [[1, 1, 1], [0.5, 2, 0.5], [1, 1, 1]]


def test_they_are_the_powers_of_the_transition_matrix() -> None:
    dataset = gr.load("MUTAG")[:4]
    a = adjacency(dataset)
    transition = a / a.sum(axis=1, keepdims=True)
    mean = 1 / np.repeat(dataset.sizes, dataset.sizes)
    expected = [mean @ np.linalg.matrix_power(transition, j) for j in range(5)]
    assert diffused(dataset, 4) == pytest.approx(np.array(expected))


def test_nothing_walks_on_from_a_lonely_node() -> None:
    pair_and_one = gr.from_edges([[(0, 1)]], n_nodes=[3])
    assert (3 * diffused(pair_and_one, 1)).tolist() == [[1, 1, 1], [1, 1, 0]]
