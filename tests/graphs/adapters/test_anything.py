from typing import Any

import igraph
import networkx as nx
import numpy as np
import pytest
from scipy.sparse import coo_matrix, csr_array

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.adapters.anything import as_dataset

PATH = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])


def test_a_dataset_stays_itself() -> None:
    dataset = gr.load("MUTAG")
    assert as_dataset(dataset) is dataset
    with pytest.raises(DatasetError, match="a dataset has targets of its own"):
        as_dataset(dataset, [0])


@pytest.mark.parametrize(
    "graph",
    [
        nx.path_graph(3),
        nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 1)]),
        csr_array(PATH),
        coo_matrix(PATH),
        PATH,
        gr.from_edges([[(0, 1), (1, 2)]])[0],
        igraph.Graph([(0, 1), (1, 2)]),
    ],
    ids=["networkx", "directed", "sparse array", "matrix", "numpy", "Graph", "igraph"],
)
def test_every_form_is_the_same_path(graph: Any) -> None:
    made = as_dataset([graph, graph], ["a", "b"])
    assert [g.edges.tolist() for g in made] == [[[0, 1], [1, 2]]] * 2
    assert made.class_names == ("a", "b")


@pytest.mark.parametrize(
    "graph",
    [
        nx.path_graph(3),
        igraph.Graph([(0, 1), (1, 2)]),
        gr.from_edges([[(0, 1), (1, 2)]])[0],
    ],
    ids=["networkx", "igraph", "Graph"],
)
def test_a_single_graph_is_one_graph(graph: Any) -> None:
    assert [one.edges.tolist() for one in as_dataset(graph)] == [[[0, 1], [1, 2]]]


def test_a_block_of_matrices_and_a_generator_are_lists_too() -> None:
    assert len(as_dataset(np.stack([PATH, PATH]))) == 2
    assert len(as_dataset(nx.path_graph(n) for n in (2, 3, 4))) == 3


def test_networkx_labels_are_taken_if_all_nodes_have_one() -> None:
    labelled, bare = nx.path_graph(2), nx.path_graph(2)
    nx.set_node_attributes(labelled, {0: "C", 1: "N"}, "label")
    assert as_dataset([labelled]).label_names == ("C", "N")
    with pytest.warns(DatasetNote, match="left node 'label', which 2 of 4 nodes lack"):
        assert as_dataset([labelled, bare]).node_labels is None


def test_graphs_keep_their_classes() -> None:
    mutag = gr.load("MUTAG")
    assert as_dataset(list(mutag)).fingerprint == mutag.fingerprint


def test_one_graph_is_a_dataset_of_one() -> None:
    mutag = gr.load("MUTAG")
    assert as_dataset(mutag[3]).fingerprint == mutag[3:4].fingerprint


@pytest.mark.parametrize("none", [[], (), iter([])])
def test_no_graphs_are_an_error(none: Any) -> None:
    with pytest.raises(DatasetError, match="no graphs; expected at least one"):
        as_dataset(none)


def test_an_empty_dataset_is_an_error() -> None:
    with pytest.raises(DatasetError, match="no graphs; expected at least one"):
        as_dataset(gr.load("MUTAG")[[]])


@pytest.mark.parametrize(
    ("graphs", "message"),
    [
        ([object()], "graphs of type object; expected a Dataset, or a list of Graph, adjacency"),
        (PATH, "graphs of type ndarray"),
        ([PATH, nx.path_graph(2)], "expected a Dataset, or a list of"),
        (7, "one int; expected a Dataset or a list of graphs"),
    ],
)
def test_anything_else_is_an_error(graphs: Any, message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        as_dataset(graphs)
