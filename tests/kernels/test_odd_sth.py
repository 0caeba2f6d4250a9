from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
import strategies
from graphrings import limits
from graphrings.errors import MemoryLimitError, SettingError
from graphrings.kernels.odd_sth import ODDSTh
from kernels.grakel_graphs import as_grakel

Tree = tuple[Any, ...]


def tree(graph: gr.Graph, far: dict[int, int], u: int, depth: int) -> Tree:
    """What shortest paths from a root, at the given distances, show below u."""
    below = [w for w in graph.neighbours(u).tolist() if depth and far[w] == far[u] + 1]
    return int(graph.node_labels[u]), tuple(sorted(tree(graph, far, w, depth - 1) for w in below))


def size(grown: Tree) -> int:
    return 1 + sum(size(child) for child in grown[1])


def trees(graph: gr.Graph, height: int) -> Counter[Tree]:
    """The trees of the DAGs of all nodes, of one height."""
    network = nx.Graph(graph.edges.tolist())
    network.add_nodes_from(range(graph.n_nodes))
    counts: Counter[Tree] = Counter()
    for v in range(graph.n_nodes):
        far = nx.single_source_shortest_path_length(network, v)
        counts.update(tree(graph, far, u, height - d) for u, d in far.items() if d <= height)
    return counts


def product(one: Counter[Tree], other: Counter[Tree], decay: float) -> float:
    return sum(decay ** size(k) * one[k] * other[k] for k in one)


def test_an_edge_by_hand() -> None:
    """Height 0: a and b. Height 1: a over b, b over a, and under the roots b and a once more."""
    edge = gr.from_edges([[(0, 1)]], node_labels=[["a", "b"]])
    assert ODDSTh(height=0).fit_transform(edge).tolist() == [[2]]
    assert ODDSTh(height=1, every_height=False).fit_transform(edge).tolist() == [[4]]
    assert ODDSTh(height=1).fit_transform(edge).tolist() == [[2 * 2**2 + 2]]
    weighed = ODDSTh(height=1, decay=0.5).fit_transform(edge)
    assert weighed == pytest.approx(np.array([[2 * 4 * 0.5 + 2 * 0.25]]))


def test_a_node_that_two_paths_reach_counts_twice_in_a_tree() -> None:
    """A square from one corner: the root over two nodes, both over the far corner; five nodes."""
    kernel = ODDSTh(height=2, decay=0.1, every_height=False)
    square = [nx.cycle_graph(4)]
    leaves, twigs, whole = 4, 8, 4
    assert kernel.fit_transform(square) == pytest.approx(
        np.array([[leaves**2 * 1e-1 + twigs**2 * 1e-2 + whole**2 * 1e-5]])
    )


@settings(max_examples=30)
@given(
    dataset=strategies.datasets(),
    height=st.integers(0, 4),
    decay=st.sampled_from([0.3, 1, 1.2]),
    every_height=st.booleans(),
)
def test_it_is_the_kernel_of_the_definition(
    dataset: gr.Dataset, height: int, decay: float, every_height: bool
) -> None:
    heights = range(height + 1) if every_height else [height]
    counts = [sum((trees(graph, j) for j in heights), Counter()) for graph in dataset]
    wanted = [[product(one, other, decay) for other in counts] for one in counts]
    kernel = ODDSTh(height, decay, every_height)
    assert kernel.fit_transform(dataset) == pytest.approx(np.array(wanted))


@settings(max_examples=40)
@given(dataset=strategies.datasets(), seed=st.integers(0, 99))
def test_neither_the_numbers_of_nodes_nor_the_order_of_graphs_matter(
    dataset: gr.Dataset, seed: int
) -> None:
    kernel = ODDSTh(decay=0.7)
    gram = kernel.fit_transform(dataset)
    assert kernel.fit_transform(strategies.shuffled(dataset, seed)[0]) == pytest.approx(gram)
    order = np.random.default_rng(seed).permutation(len(dataset))
    assert kernel.fit_transform(dataset[order]) == pytest.approx(gram[np.ix_(order, order)])


def test_new_graphs_have_the_columns_of_the_fitted_ones() -> None:
    graphs = gr.load("MUTAG")
    kernel = ODDSTh().fit(graphs[:60])
    gram = kernel.features(graphs[60:90]) @ kernel.features().T
    assert gram.toarray() == pytest.approx(kernel.transform(graphs[60:90]))


def test_grakel_counts_the_same_trees_and_weighs_them_by_the_first_graph() -> None:
    """On paths whose neighbours differ: only there is GraKeL's order of children one of labels."""
    peer = pytest.importorskip("grakel.kernels")
    names = [[(start + way * k) % 3 for k in range(n)] for start, way, n in PATHS]
    paths = [[(k, k + 1) for k in range(len(row) - 1)] for row in names]
    dataset = gr.from_edges(paths, node_labels=names)
    counts = [trees(graph, 2) for graph in dataset]
    first = {k: one[k] for one in reversed(counts) for k in one}
    theirs = peer.OddSth(h=2).fit_transform(as_grakel(dataset))
    assert theirs.tolist() == [
        [sum(first[k] * one[k] * other[k] for k in one) for other in counts] for one in counts
    ]
    ours = ODDSTh(height=2, every_height=False).fit_transform(dataset)
    assert ours.tolist() == [[product(one, other, 1) for other in counts] for one in counts]


def test_grakel_counts_the_same_trees_of_height_one_in_molecules(molecules: gr.Dataset) -> None:
    """There the children of a root are nodes alone, which have an order by label."""
    peer = pytest.importorskip("grakel.kernels")
    counts = ODDSTh(height=1, every_height=False).fit(molecules).features().toarray()
    first = counts[(counts > 0).argmax(axis=0), np.arange(counts.shape[1])]
    theirs = peer.OddSth(h=1).fit_transform(as_grakel(molecules))
    assert np.array_equal(counts * first @ counts.T, theirs)


PATHS = [(0, 1, 4), (1, 1, 7), (2, -1, 5), (1, -1, 3), (0, -1, 6)]


def test_a_decay_that_no_number_could_hold_is_refused() -> None:
    with pytest.raises(SettingError, match=r"^decay = 1e\+300; expected a smaller one: a tree"):
        ODDSTh(decay=1e300).fit_transform([nx.star_graph(3)])


def test_more_paths_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An edge from both ends: four visits of 90 bytes, two of them children, of 4 bytes."""
    edge, kernel = [nx.path_graph(2)], ODDSTh(height=1)
    monkeypatch.setattr(limits, "memory_limit", lambda: 4 * 90 + 2 * 4)
    kernel.fit_transform(edge)
    monkeypatch.setattr(limits, "memory_limit", lambda: 4 * 90)
    with pytest.raises(
        MemoryLimitError,
        match=r"^shortest paths up to height 1 would take about 368 bytes, over the limit of "
        r"360 bytes; take a smaller height or fewer graphs$",
    ):
        kernel.fit_transform(edge)


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("height", -1, "a whole number, 0 or larger"),
        ("decay", 0, "a number above 0"),
        ("every_height", 2, "True or False"),
    ],
)
def test_settings_are_checked(setting: str, value: object, wanted: str) -> None:
    with pytest.raises(SettingError, match=f"^{setting} = {value!r}; expected {wanted}$"):
        ODDSTh(**{setting: value}).fit([nx.path_graph(2)])
