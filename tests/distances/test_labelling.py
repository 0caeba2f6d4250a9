import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
from graphrings.distances.labelling import labelling
from strategies import datasets, shuffled


def slowly(graph: gr.Graph, start: np.ndarray) -> list[int]:
    """The same with tuples."""
    keys = [(-len(graph.neighbours(v)), start[v]) for v in range(graph.n_nodes)]
    while True:
        places = {key: place for place, key in enumerate(sorted(set(keys)))}
        labels = [places[key] for key in keys]
        near = [sorted(labels[u] for u in graph.neighbours(v)) for v in range(graph.n_nodes)]
        keys = [(label, *seen) for label, seen in zip(labels, near, strict=True)]
        if len(set(keys)) == len(set(labels)):
            return labels


@pytest.mark.parametrize(
    ("edges", "start", "labels"),
    [
        ([(0, 1), (1, 2), (2, 3), (3, 4)], [0] * 5, [2, 1, 0, 1, 2]),  # the middle, then outwards
        ([(0, 1), (0, 2), (0, 3)], [0] * 4, [0, 1, 1, 1]),
        ([(0, 1), (0, 2), (0, 3)], [5, 1, 0, 1], [0, 2, 1, 2]),  # leaves by their features
        (
            [(0, 1), (1, 2), (2, 3), (3, 0)],
            [0, 1, 0, 0],
            [1, 2, 1, 0],
        ),  # opposite the other, beside it, it
    ],
)
def test_small_graphs_by_hand(
    edges: list[tuple[int, int]], start: list[int], labels: list[int]
) -> None:
    assert labelling(gr.from_edges([edges]), np.array(start)).tolist() == labels


def test_molecules_are_labelled_as_slowly() -> None:
    dataset = gr.load("MUTAG")[:8]
    order = labelling(dataset, dataset.node_labels)
    for graph, first in zip(dataset, dataset.graph_ptr, strict=False):
        expected = slowly(graph, graph.node_labels)
        assert order[first : first + graph.n_nodes].tolist() == expected


@settings(max_examples=25)
@given(datasets(), st.integers(0, 999))
def test_the_numbers_of_the_nodes_do_not_matter(dataset: gr.Dataset, seed: int) -> None:
    other, number = shuffled(dataset, seed)
    order = labelling(dataset, dataset.node_labels)
    assert np.array_equal(labelling(other, other.node_labels)[number], order)
