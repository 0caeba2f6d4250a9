from collections import Counter
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
import strategies
from graphrings.errors import DatasetError, SettingError
from graphrings.kernels.propagation import CAUCHY, Propagation, draw, first_labels
from kernels.grakel_graphs import as_grakel


def dense(
    dataset: gr.Dataset, projections: np.ndarray, offsets: np.ndarray, width: float, roots: bool
) -> np.ndarray:
    """The Gram matrix by the equations, a whole matrix of distributions per graph."""
    labels, names = first_labels(dataset)
    counts = []
    for graph, first in zip(dataset, dataset.graph_ptr, strict=False):
        n = graph.n_nodes
        step = np.eye(n)
        for v in range(n):
            if len(near := graph.neighbours(v)):
                step[v, v] = 0
                step[v, near] = 1 / len(near)
        shares = np.eye(len(names))[labels[first : first + n]]
        bins: Counter[tuple[int, float]] = Counter()
        for t in range(projections.shape[1]):
            seen = (np.sqrt(shares) if roots else shares) @ projections[:, t]
            bins.update((t, i) for i in np.floor((seen + offsets[t]) / width).tolist())
            shares = step @ shares
        counts.append(bins)
    return np.array([[sum(a[k] * b[k] for k in a) for b in counts] for a in counts])


@pytest.mark.parametrize("distance", ["tv", "l1", "hellinger", "l2"])
@settings(max_examples=25)
@given(dataset=strategies.datasets(), seed=st.integers(0, 3))
def test_it_is_the_kernel_of_the_equations(distance: str, dataset: gr.Dataset, seed: int) -> None:
    kernel = Propagation(height=3, bin_width=0.1, distance=distance, random_state=seed)
    names = first_labels(dataset)[1]
    hashing = draw(names, 3, distance in CAUCHY, seed)
    wanted = dense(
        dataset, hashing.projections, hashing.offsets * 0.1, 0.1, distance == "hellinger"
    )
    assert kernel.fit_transform(dataset).tolist() == wanted.tolist()


def test_a_path_of_two_labels_swaps_them() -> None:
    """Labels (a, b) on an edge: both bins have one node at every step, and steps never mix."""
    edge = gr.from_edges([[(0, 1)]], node_labels=[["a", "b"]])
    assert Propagation(height=3).fit_transform(edge).tolist() == [[4 * 2]]


def test_a_lonely_node_keeps_its_label() -> None:
    graphs = gr.from_edges([[], [(0, 1)]], node_labels=[["a"], ["a", "a"]])
    assert Propagation(height=2).fit_transform(graphs).tolist() == [[3, 6], [6, 12]]


def test_unlabelled_nodes_begin_with_their_degree() -> None:
    """In a star of three the centre and the leaves change places at every step."""
    star = [nx.star_graph(2)]
    assert Propagation(height=1).fit_transform(star).tolist() == [[(1 + 4) + (4 + 1)]]


def test_equal_distributions_from_different_neighbours_share_a_bin() -> None:
    """After two steps a node is half a, half b, be it by halves or by neighbours that are both.

    So it is for every seed, although the sums are rounded along different ways.
    """
    thirds = nx.Graph(
        nx.complete_bipartite_graph(3, 3).edges
    )  # everyone sees three nodes of the other side
    sixths = nx.Graph(nx.complete_bipartite_graph(6, 6).edges)
    for graph in (thirds, sixths):
        half = len(graph) // 2
        for v in graph:
            graph.nodes[v]["label"] = "abc"[v % 3] if v < half else "abc"[(2 * v) % 3]
    for seed in range(200):
        kernel = Propagation(height=4, bin_width=1e-15, random_state=seed)
        gram = kernel.fit_transform([thirds, sixths])
        assert gram.tolist() == [[12 + 4 * 36, 24 + 4 * 72], [24 + 4 * 72, 48 + 4 * 144]]


def test_a_step_is_hashed_alike_at_every_height() -> None:
    low, high = (draw("ab", height, cauchy=True, seed=1) for height in (1, 3))
    assert np.array_equal(low.projections, high.projections[:, :2])
    assert np.array_equal(low.offsets, high.offsets[:2])
    assert not np.array_equal(high.projections, draw("ab", 3, cauchy=True, seed=2).projections)


def test_new_graphs_fall_into_the_bins_of_the_fitted_ones() -> None:
    """In bins so wide that chance decides, and beside a degree that stands between known ones."""
    known = [nx.star_graph(n) for n in (1, 3, 4, 5, 6, 7)]
    kernel = Propagation(height=3, bin_width=1, distance="l2")
    gram = kernel.fit_transform(known)
    assert kernel.transform([*known, nx.cycle_graph(3)])[:-1].tolist() == gram.tolist()


def test_labels_that_were_not_fitted_match_nothing() -> None:
    known = gr.from_edges([[(0, 1)]], node_labels=[["a", "c"]])
    new = gr.from_edges([[(0, 1)], [(0, 1)]], node_labels=[["a", "c"], ["b", "b"]])
    assert Propagation(height=3).fit(known).transform(new).tolist() == [[8], [0]]


@settings(max_examples=40)
@given(dataset=strategies.datasets(), seed=st.integers(0, 99))
def test_neither_the_numbers_of_nodes_nor_the_order_of_graphs_matter(
    dataset: gr.Dataset, seed: int
) -> None:
    kernel = Propagation(bin_width=1e-9)
    gram = kernel.fit_transform(dataset)
    assert kernel.fit_transform(strategies.shuffled(dataset, seed)[0]).tolist() == gram.tolist()
    order = np.random.default_rng(seed).permutation(len(dataset))
    assert kernel.fit_transform(dataset[order]).tolist() == gram[np.ix_(order, order)].tolist()


@pytest.mark.slow
def test_it_survives_renumbering_on_real_graphs() -> None:
    graphs = gr.load("MUTAG")
    same = strategies.shuffled(graphs, seed=1)[0]
    for seed in range(5):
        one, other = (Propagation(random_state=seed).fit_transform(d) for d in (graphs, same))
        assert np.array_equal(one, other)


@pytest.mark.parametrize("distance", ["tv", "hellinger"])
def test_grakel_agrees_with_the_equations_one_step_shorter(distance: str) -> None:
    """Given its own random numbers, on graphs without lonely nodes; its t_max counts step 0."""
    grakel = pytest.importorskip("grakel")
    graphs = gr.load("MUTAG")[:20]
    peer = grakel.Propagation(
        t_max=4, w=0.01, M={"tv": "TV", "hellinger": "H"}[distance], random_state=0
    )
    gram = peer.fit_transform(as_grakel(graphs))
    projections = np.zeros((graphs.n_labels, 4))
    for label, place in peer._enum_labels.items():
        projections[label] = [u[place] for u in peer._u]
    wanted = dense(graphs, projections, np.array(peer._b), 0.01, distance == "hellinger")
    assert np.array_equal(gram, wanted)


def test_attributes_are_binned_as_they_diffuse() -> None:
    """On an edge they change places at every step; 1 and 9 are far apart, 1 and 1.001 are not."""
    edges = gr.from_edges(
        [[(0, 1)], [(0, 1)], [(0, 1)]],
        node_labels=[["a", "a"]] * 3,
        node_attributes=[[[1.0], [1.0]], [[1.0], [9.0]], [[1.0], [1.001]]],
    )
    kernel = Propagation(height=1, attribute_width=0.1, distance="l2")
    assert kernel.fit_transform(edges).tolist() == [[8, 4, 8], [4, 4, 4], [8, 4, 8]]
    assert kernel.sees == ("node labels", "node attributes")
    with pytest.raises(DatasetError, match="no node attributes"):
        kernel.transform(gr.from_edges([[(0, 1)]], node_labels=[["a", "a"]]))


@settings(max_examples=25)
@given(dataset=strategies.datasets(), seed=st.integers(0, 3))
def test_attributes_are_hashed_by_the_equations(dataset: gr.Dataset, seed: int) -> None:
    """With bins that hold all labels, only attributes are told apart: a walk with dense steps."""
    attributes = np.random.default_rng(seed).normal(size=(dataset.n_nodes, 2))
    dataset = replace(dataset, node_labels=None, label_names=(), node_attributes=attributes)
    kernel = Propagation(2, 1e300, random_state=seed, attribute_width=0.5)
    hashing = draw([("attribute", 0), ("attribute", 1)], 2, cauchy=True, seed=seed)
    counts = []
    for graph in dataset:
        assert graph.node_attributes is not None
        near = [graph.neighbours(v) for v in range(graph.n_nodes)]
        now, bins = graph.node_attributes, Counter[tuple[int, float]]()
        for t in range(3):
            seen = now @ hashing.projections[:, t] / 0.5 + hashing.offsets[t]
            bins.update((t, i) for i in np.floor(seen).tolist())
            now = np.array([now[u].mean(axis=0) if len(u) else now[v] for v, u in enumerate(near)])
            now = now.reshape(-1, 2)
        counts.append(bins)
    wanted = [[sum(a[k] * b[k] for k in a) for b in counts] for a in counts]
    assert kernel.fit_transform(dataset).tolist() == wanted


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("height", -1, "a whole number, 0 or larger"),
        ("bin_width", 0, "a number above 0"),
        ("distance", "l3", "one of tv, l1, hellinger, l2"),
        ("random_state", None, "a whole number, 0 or larger"),
    ],
)
def test_settings_are_checked(setting: str, value: object, wanted: str) -> None:
    with pytest.raises(SettingError, match=f"^{setting} = {value!r}; expected {wanted}$"):
        Propagation(**{setting: value}).fit([nx.path_graph(2)])
