import numpy as np
import pytest

import graphrings as gr
from dense import distances
from graphrings.distances.fields import fields
from graphrings.distances.labelling import labelling


def test_a_path_by_hand() -> None:
    path = gr.from_edges([[(0, 1), (1, 2), (2, 3), (3, 4)]])
    places = fields(path, labelling(path, np.zeros(5, dtype=int)), 3)
    assert places.tolist() == [[0, 1, 2], [1, 2, 0], [2, 1, 3], [3, 2, 4], [4, 3, 2]]


def test_a_star_by_hand() -> None:
    """Leaves 1 and 3 share a label, 2 comes before them."""
    star = gr.from_edges([[(0, 1), (0, 2), (0, 3)]])
    places = fields(star, labelling(star, np.array([0, 1, 0, 1])), 3)
    assert places.tolist() == [[0, 2, 1], [1, 0, 2], [2, 0, 1], [3, 0, 2]]


def test_places_without_nodes_stay_empty() -> None:
    pair_and_one = gr.from_edges([[(0, 1)]], n_nodes=[3])
    places = fields(pair_and_one, np.array([0, 0, 1], dtype=np.int32), 3)
    assert places.tolist() == [[0, 1, -1], [1, 0, -1], [2, -1, -1]]


@pytest.mark.parametrize("size", [1, 4, 10])
def test_fields_are_sorted_by_distance_and_then_by_label(size: int) -> None:
    dataset = gr.load("MUTAG")[:5]
    labels, distance = labelling(dataset, dataset.node_labels), distances(dataset)
    for root, places in enumerate(fields(dataset, labels, size)):
        reached = np.flatnonzero(np.isfinite(distance[root]))
        expected = sorted((distance[root, u], labels[u]) for u in reached)[:size]
        assert [(distance[root, u], labels[u]) for u in places if u >= 0] == expected
        assert len(set(places[places >= 0])) == len(expected)
