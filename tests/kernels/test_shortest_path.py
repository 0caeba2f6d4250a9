import grakel
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.kernels.shortest_path import ShortestPath
from strategies import datasets, shuffled


def as_grakel(dataset: gr.Dataset) -> list[grakel.Graph]:
    graphs = []
    for graph in dataset:
        matrix = np.zeros((graph.n_nodes, graph.n_nodes))
        matrix[tuple(graph.edges.T)] = 1
        labels = dict(enumerate(graph.node_labels.tolist()))
        graphs.append(grakel.Graph(matrix + matrix.T, labels, {}, "adjacency"))
    return graphs


def test_two_paths_by_hand() -> None:
    """Ordered pairs of a-b-a: ab 2, ba 2 at distance 1, aa 2 at 2; of a-b: ab 1, ba 1."""
    pair = gr.from_edges([[(0, 1), (1, 2)], [(0, 1)]], node_labels=[list("aba"), list("ab")])
    assert ShortestPath().fit_transform(pair).tolist() == [[12, 4], [4, 2]]
    assert ShortestPath(labelled=False).fit_transform(pair).tolist() == [[20, 8], [8, 4]]


def test_unconnected_pairs_and_nodes_alone_count_nothing() -> None:
    graphs = [nx.empty_graph(1), nx.empty_graph(3), nx.path_graph(2)]
    assert ShortestPath().fit_transform(graphs).tolist() == [[0, 0, 0], [0, 0, 0], [0, 0, 4]]
    normal = ShortestPath(normalize=True).fit_transform(graphs)
    assert normal.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


@settings(max_examples=25)
@given(datasets())
def test_triples_are_those_of_networkx(dataset: gr.Dataset) -> None:
    expected = np.zeros((len(dataset), 3, 3, 20))
    for k, graph in enumerate(dataset):
        network = nx.empty_graph(graph.n_nodes)
        network.add_edges_from(graph.edges.tolist())
        names = [dataset.label_names[label] for label in graph.node_labels]
        for u, lengths in nx.all_pairs_shortest_path_length(network):
            for v, length in lengths.items():
                expected[k, names[u], names[v], length] += u != v
    flat = expected.reshape(len(dataset), -1)
    np.testing.assert_array_equal(ShortestPath().fit_transform(dataset), flat @ flat.T)


@settings(max_examples=25)
@given(datasets())
def test_node_numbers_and_graph_order_make_no_difference(dataset: gr.Dataset) -> None:
    gram = ShortestPath().fit_transform(dataset)
    other, _ = shuffled(dataset, seed=1)
    np.testing.assert_array_equal(ShortestPath().fit_transform(other), gram)
    np.testing.assert_array_equal(ShortestPath().fit_transform(dataset[::-1]), gram[::-1, ::-1])
    np.testing.assert_array_equal(ShortestPath().fit(dataset).transform(dataset), gram)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:grakel")
@pytest.mark.parametrize("labelled", [True, False])
def test_the_gram_matrix_is_that_of_grakel(labelled: bool, molecules: gr.Dataset) -> None:
    some = molecules[:200]
    expected = grakel.ShortestPath(with_labels=labelled).fit_transform(as_grakel(some))
    np.testing.assert_array_equal(ShortestPath(labelled).fit_transform(some), expected)


def test_more_triples_than_there_was_room_for() -> None:
    """A path of 200 labels of its own has 200 * 199 different triples."""
    graph = gr.from_edges(
        [np.stack([np.arange(199), np.arange(1, 200)], 1)], node_labels=[range(200)]
    )
    assert ShortestPath().fit(graph).features().shape == (1, 200 * 199)
    assert ShortestPath().fit_transform(graph) == 200 * 199


def test_a_setting_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(SettingError, match=r"labelled = 'yes'; expected True or False"):
        ShortestPath(labelled="yes").fit([nx.path_graph(2)])  # type: ignore[arg-type]
