import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.edge_rings import edge_rings
from graphrings.distances.weights import averaged_together
from graphrings.errors import DatasetError, UnseenLabelWarning


@pytest.fixture
def path() -> gr.Dataset:
    """0 = 1 - 2."""
    return gr.from_edges([[(0, 1), (1, 2)]], edge_labels=[["double", "single"]])


def members(dataset: gr.Dataset, *names: str) -> list[list[int]]:
    near = edge_rings(dataset, names)
    assert len(near.indptr) == dataset.n_nodes * (near.radius + 1) + 1
    return [part.tolist() for part in np.split(near.indices, near.indptr[1:-1])]


def test_neighbours_by_label(path: gr.Dataset) -> None:
    rows = members(path, "single", "double")
    assert rows == [[0], [], [1], [1], [2], [0], [2], [1], []]


def test_without_names_all_edges_are_alike(path: gr.Dataset) -> None:
    assert members(path) == [[0], [1], [1], [0, 2], [2], [1]]


def test_an_unknown_label_is_left_out_with_a_warning(path: gr.Dataset) -> None:
    with pytest.warns(UnseenLabelWarning, match="1 edges have a label that training never saw"):
        rows = members(path, "triple", "double")
    assert rows == [[0], [], [1], [1], [], [0], [2], [], []]


def test_labels_that_training_had_are_missed() -> None:
    with pytest.raises(DatasetError, match="edges without labels; training had labels"):
        edge_rings(gr.from_edges([[(0, 1)]]), ("single",))


def test_graphs_without_edges_need_no_labels() -> None:
    assert members(gr.from_edges([[]], n_nodes=[2]), "single") == [[0], [], [1], []]


def test_one_mean_over_all_rings(path: gr.Dataset) -> None:
    weights = averaged_together(edge_rings(path, ("single", "double"))).weights
    assert weights == pytest.approx([1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 1 / 2, 1 / 2])
