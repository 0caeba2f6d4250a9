from collections import Counter
from collections.abc import Hashable
from itertools import combinations, permutations

import grakel
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.kernels.graphlet import Graphlet
from graphrings.kernels.graphlet_samples import shapes
from strategies import datasets, shuffled


def network(graph: gr.Graph) -> nx.Graph:
    copy = nx.empty_graph(graph.n_nodes)
    copy.add_edges_from(graph.edges.tolist())
    return copy


def form(graph: nx.Graph, nodes: tuple[int, ...], labels: list[Hashable]) -> Hashable:
    """The smallest of all ways to write a subgraph down."""
    return min(
        (tuple(graph.has_edge(u, v) for u, v in combinations(order, 2)), [labels[u] for u in order])
        for order in permutations(nodes)
    ).__repr__()


def enumerated(dataset: gr.Dataset, size: int, connected: bool, labelled: bool) -> np.ndarray:
    """Counts of all induced subgraphs, one row per graph."""
    rows = []
    for graph in dataset:
        whole = network(graph)
        labels = graph.node_labels.tolist() if labelled else [0] * graph.n_nodes
        sets = combinations(range(graph.n_nodes), size)
        kept = [s for s in sets if not connected or nx.is_connected(whole.subgraph(s))]
        rows.append(Counter(form(whole, s, labels) for s in kept))
    columns = sorted(set().union(*rows))
    return np.array([[row[column] for column in columns] for row in rows], dtype=float)


def test_the_paw_by_hand() -> None:
    """A triangle with a tail has two paths over the tail, and an edge beside the tail's end."""
    paw = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)]], node_labels=[list("aaab")])
    counts = Graphlet(shares=False).fit(paw).features().toarray()
    assert counts.tolist() == [[1, 2, 1]]
    assert Graphlet().fit_transform(paw) == (1 + 4 + 1) / 16
    assert Graphlet(connected=True).fit_transform(paw) == pytest.approx((4 + 1) / 9)
    labelled = Graphlet(labelled=True, shares=False).fit(paw).features().toarray()
    assert labelled.tolist() == [[1, 2, 1]]


@settings(max_examples=25)
@given(datasets(), st.booleans(), st.booleans())
def test_size_three_is_exact(dataset: gr.Dataset, connected: bool, labelled: bool) -> None:
    expected = enumerated(dataset, 3, connected, labelled)
    kernel = Graphlet(connected=connected, labelled=labelled, shares=False)
    np.testing.assert_array_equal(kernel.fit_transform(dataset), expected @ expected.T)
    totals = np.maximum(expected.sum(axis=1, keepdims=True), 1)
    kernel.set_params(shares=True)
    shares = (expected / totals) @ (expected / totals).T
    np.testing.assert_allclose(kernel.fit_transform(dataset), shares, rtol=1e-14)


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("connected", [True, False])
@pytest.mark.parametrize("size", [4, 5])
def test_samples_have_no_bias(size: int, connected: bool, labelled: bool) -> None:
    """Two dozen draws are wrong; two hundred thousand are nearly right."""
    graph = nx.disjoint_union(nx.lollipop_graph(4, 3), nx.path_graph(3))
    nx.set_node_attributes(graph, {v: v % 2 for v in graph}, "label")
    dataset = gr.from_networkx([graph], node_label="label")
    expected = np.sort(enumerated(dataset, size, connected, labelled)[0])
    settings = {"size": size, "connected": connected, "labelled": labelled, "shares": False}
    kernel = Graphlet(n_samples=200_000, random_state=0, **settings).fit(dataset)
    counts = np.sort(kernel.features().toarray()[0])
    np.testing.assert_allclose(counts, expected, atol=0.02 * expected.sum())
    assert len(counts) == len(expected)


@pytest.mark.parametrize("connected", [True, False])
def test_a_sample_depends_on_the_seed_and_the_graph_alone(connected: bool) -> None:
    dataset = gr.load("MUTAG")[:6]
    settings = {"size": 4, "n_samples": 50, "connected": connected}
    kernel = Graphlet(random_state=3, **settings)
    gram = kernel.fit_transform(dataset)
    np.testing.assert_allclose(kernel.fit_transform(dataset[::-1]), gram[::-1, ::-1], rtol=1e-14)
    np.testing.assert_allclose(kernel.fit(dataset[:2]).transform(dataset), gram[:, :2], rtol=1e-14)
    other = Graphlet(random_state=4, **settings).fit_transform(dataset)
    assert not np.allclose(other, gram)


@pytest.mark.parametrize(("size", "n_all"), [(3, 4), (4, 11), (5, 34)])
def test_there_are_as_many_shapes_as_graphs(size: int, n_all: int) -> None:
    assert len(np.unique(shapes(size).least)) == n_all


@settings(max_examples=25)
@given(datasets(), st.booleans())
def test_node_numbers_make_no_difference(dataset: gr.Dataset, labelled: bool) -> None:
    kernel = Graphlet(labelled=labelled)
    other, _ = shuffled(dataset, seed=1)
    gram = kernel.fit_transform(dataset)
    np.testing.assert_allclose(kernel.fit_transform(other), gram, rtol=1e-14)
    np.testing.assert_allclose(kernel.fit(dataset).transform(dataset), gram, rtol=1e-14)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_small_graphs_have_no_graphlets(size: int) -> None:
    graphs = [nx.empty_graph(1), nx.path_graph(2), nx.empty_graph(6)]
    gram = Graphlet(size=size, normalize=True, random_state=0).fit_transform(graphs)
    np.testing.assert_allclose(gram, [[1, 1, 0], [1, 1, 0], [0, 0, 1]], rtol=1e-14)


def test_grakel_counts_one_more_but_in_the_first_graph_with_a_graphlet() -> None:
    """In these graphs; in the 14th of the set, for one, it misses a path that networkx finds."""
    dataset = gr.load("MUTAG")[:13]
    graphs = []
    for graph in dataset:
        matrix = nx.to_numpy_array(network(graph))
        graphs.append(grakel.Graph(matrix, {}, {}, "adjacency"))
    counts = Graphlet(connected=True, shares=False).fit(dataset).features().toarray()
    more = counts + (counts > 0)
    first = (counts > 0).argmax(axis=0)
    more[first, np.arange(counts.shape[1])] -= 1
    theirs = grakel.GraphletSampling(k=3).fit_transform(graphs)
    np.testing.assert_array_equal(theirs, more @ more.T)


def test_a_graph_with_too_many_labels_is_refused() -> None:
    graph = gr.from_edges([[(0, 199)]], node_labels=[range(200)])
    with pytest.raises(SettingError, match="at most 128 labels in a graph, graph 0 has 200"):
        Graphlet(labelled=True).fit_transform(graph)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"size": 6}, "size = 6; expected 3, 4 or 5"),
        ({"size": 3.0}, r"size = 3\.0; expected 3, 4 or 5"),
        ({"connected": 1}, "connected = 1; expected True or False"),
        ({"n_samples": 0}, "n_samples = 0; expected a whole number above 0"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(setting: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        Graphlet(**setting).fit([nx.path_graph(2)])  # type: ignore[arg-type]
