import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from scipy.sparse import coo_array, csr_array, csr_matrix

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from strategies import networks

PATH = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])


@given(networks())
def test_an_adjacency_is_the_graph_it_came_from(network: nx.Graph) -> None:
    made = gr.from_scipy([nx.to_scipy_sparse_array(network, format="csr")])
    assert made.fingerprint == gr.from_networkx([network]).fingerprint


@pytest.mark.parametrize("kind", [csr_array, csr_matrix, coo_array, np.asarray, np.ndarray.tolist])
def test_sparse_and_dense_matrices_are_taken(kind: object) -> None:
    made = gr.from_scipy([kind(PATH)] * 2, ["a", "b"], node_labels=["CNC", "OOO"])
    assert [graph.edges.tolist() for graph in made] == [[[0, 1], [1, 2]]] * 2
    assert made.label_names == ("C", "N", "O")
    assert made.targets.tolist() == [0, 1]


def test_a_stored_zero_is_no_edge() -> None:
    stored = coo_array(([0.0, 0.0], ([0, 1], [1, 0])), shape=(2, 2))
    assert gr.from_scipy([stored]).n_edges == 0


def test_what_is_not_symmetric_is_made_so_with_a_note() -> None:
    with pytest.warns(DatasetNote, match="made 2 one-way edges two-way"):
        made = gr.from_scipy([np.triu(PATH)])
    assert made.n_edges == 2


def test_weights_are_edge_attributes_with_a_note() -> None:
    with pytest.warns(DatasetNote, match="entries that are not 1 are edge attributes"):
        made = gr.from_scipy([PATH, 2.5 * PATH])
    assert made[0].edge_attributes.tolist() == [[1.0]] * 4
    assert made[1].edge_attributes.tolist() == [[2.5]] * 4


@pytest.mark.parametrize("shape", [(2, 3), (4,), (2, 2, 2)])
def test_what_is_not_square_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(DatasetError) as error:
        gr.from_scipy([PATH, np.ones(shape)])
    assert str(error.value) == f"graph 1: an adjacency of shape {shape}; expected a square matrix"
