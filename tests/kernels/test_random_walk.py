from itertools import product

import grakel
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.kernels.random_walk import RandomWalk, spectral_bound
from strategies import datasets, shuffled


def adjacency(graph: gr.Graph) -> np.ndarray:
    matrix = np.zeros((graph.n_nodes, graph.n_nodes))
    matrix[tuple(graph.edges.T)] = 1
    return matrix + matrix.T


def solved(one: gr.Graph, other: gr.Graph, decay: float, labelled: bool = True) -> float:
    """The kernel by a dense solution on the direct product graph."""
    alike = np.equal.outer(one.node_labels, other.node_labels).ravel()
    chosen = np.flatnonzero(alike if labelled else np.ones_like(alike))
    pairs = np.kron(adjacency(one), adjacency(other))[np.ix_(chosen, chosen)]
    ones = np.ones(len(chosen))
    return float(np.linalg.solve(np.eye(len(chosen)) - decay * pairs, ones).sum())


def test_two_edges_by_hand() -> None:
    """a-b with a-b: the product is one edge, (1 + d) / (1 - d^2) for either end."""
    edges = gr.from_edges([[(0, 1)], [(0, 1)]], node_labels=[list("ab"), list("ac")])
    kernel = RandomWalk(decay=0.5)
    np.testing.assert_allclose(kernel.fit_transform(edges), [[4, 1], [1, 4]], rtol=1e-15)
    unlabelled = RandomWalk(decay=0.5, labelled=False).fit_transform(edges)
    np.testing.assert_allclose(unlabelled, np.full((2, 2), 8), rtol=1e-14)


@pytest.mark.parametrize("labelled", [True, False])
@settings(max_examples=25)
@given(dataset=datasets())
def test_it_is_the_solution_on_the_product_graph(labelled: bool, dataset: gr.Dataset) -> None:
    kernel = RandomWalk(labelled=labelled)
    gram = kernel.fit_transform(dataset)
    pairs = product(dataset, dataset)
    expected = [solved(one, other, kernel.decay_, labelled) for one, other in pairs]
    np.testing.assert_allclose(gram.ravel(), expected, rtol=1e-13)
    np.testing.assert_array_equal(gram, gram.T)
    assert np.linalg.eigvalsh(gram).min() > -1e-12 * gram.max()


@settings(max_examples=25)
@given(datasets())
def test_node_numbers_and_graph_order_make_no_difference(dataset: gr.Dataset) -> None:
    gram = RandomWalk().fit_transform(dataset)
    other, _ = shuffled(dataset, seed=1)
    np.testing.assert_allclose(RandomWalk().fit_transform(other), gram, rtol=1e-13)
    back = RandomWalk().fit_transform(dataset[::-1])
    np.testing.assert_allclose(back, gram[::-1, ::-1], rtol=1e-13)
    np.testing.assert_allclose(RandomWalk().fit(dataset).transform(dataset), gram, rtol=1e-13)


@pytest.mark.parametrize("labelled", [True, False])
def test_a_graph_is_like_itself(labelled: bool) -> None:
    kernel = RandomWalk(labelled=labelled, normalize=True)
    dataset = gr.load("MUTAG")[:9]
    np.testing.assert_allclose(np.diag(kernel.fit_transform(dataset)), 1, rtol=1e-14)
    np.testing.assert_allclose(np.diag(kernel.transform(dataset)), 1, rtol=1e-14)


def test_graphs_without_edges_have_walks_of_no_step() -> None:
    graphs = [nx.empty_graph(1), nx.empty_graph(3)]
    assert RandomWalk().fit_transform(graphs).tolist() == [[1, 3], [3, 9]]


@pytest.mark.parametrize(
    ("highest", "decay"),
    [(0, 0.1), (1, 0.1), (3, 0.1), (4, 0.01), (10, 1e-3), (31, 1e-3), (32, 1e-4)],
)
def test_the_decay_is_the_largest_power_of_ten_below(highest: int, decay: float) -> None:
    assert RandomWalk().fit([nx.star_graph(highest)]).decay_ == decay


@pytest.mark.parametrize(("leaves", "decay"), [(0, 0.1), (1, 0.1), (7, 0.1), (9, 0.03), (70, 0.01)])
def test_the_largest_decay_goes_by_eigenvalues(leaves: int, decay: float) -> None:
    """A star with n leaves has the eigenvalue sqrt(n): n times the decay must stay below 0.8."""
    assert RandomWalk(decay="largest").fit([nx.star_graph(leaves)]).decay_ == decay


def test_it_is_settled_by_its_decay() -> None:
    """Other graphs do not matter any more, though fitted alone they would give a smaller one."""
    dataset = gr.load("MUTAG")[:20]
    kernel = RandomWalk().settled(dataset)
    assert isinstance(kernel.decay, float)
    assert kernel.fit([nx.star_graph(4)]).decay_ == RandomWalk().fit(dataset).decay_


def test_the_fitted_decay_holds_for_other_graphs() -> None:
    kernel = RandomWalk().fit([nx.path_graph(3)])
    assert kernel.decay_ == 0.1
    star = kernel.transform([nx.star_graph(4)])[0, 0]
    walks = [15, 8 * 4, 20 * 6, 32 * 8]
    assert star == pytest.approx(np.dot(walks, 0.1 ** np.arange(4)), rel=0.6)
    assert star > np.dot(walks, 0.1 ** np.arange(4))


def test_a_sum_that_may_not_converge_is_refused() -> None:
    with pytest.raises(SettingError, match=r"decay = 0\.3; expected less than 0\.25, so that"):
        RandomWalk(decay=0.3).fit_transform([nx.cycle_graph(5)])


def test_a_sum_that_barely_converges_is_exact() -> None:
    """A cycle is regular: 25 / (1 - 4 decay), with one label or with none."""
    cycle = gr.from_edges([[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]], node_labels=[list("aaaaa")])
    for labelled in (True, False):
        gram = RandomWalk(decay=0.249, labelled=labelled).fit_transform(cycle)
        np.testing.assert_allclose(gram, 25 / (1 - 4 * 0.249), rtol=1e-11)


@settings(max_examples=25)
@given(datasets())
def test_the_bound_is_above_the_spectral_radius_and_below_the_degree(dataset: gr.Dataset) -> None:
    bound = spectral_bound(dataset.indptr, dataset.indices)
    radius = max(np.abs(np.linalg.eigvalsh(adjacency(graph))).max() for graph in dataset)
    assert radius * (1 - 1e-12) <= bound <= dataset.degrees.max() * (1 + 1e-12)


def as_grakel(dataset: gr.Dataset) -> list[grakel.Graph]:
    return [
        grakel.Graph(adjacency(g), dict(enumerate(g.node_labels.tolist())), {}, "adjacency")
        for g in dataset
    ]


def test_grakel_also_counts_the_pairs_of_nodes_with_different_labels(molecules: gr.Dataset) -> None:
    """Its exact method leaves them in the product, where no edge reaches them: one walk each."""
    dataset = molecules[molecules.sizes < 14][:5]
    graphs, exact = as_grakel(dataset), {"lamda": 0.01, "method_type": "baseline"}
    shares = np.stack([np.bincount(g.node_labels, minlength=dataset.n_labels) for g in dataset])
    unlike = np.outer(dataset.sizes, dataset.sizes) - shares @ shares.T
    labelled = grakel.RandomWalkLabeled(**exact).fit_transform(graphs)
    np.testing.assert_allclose(
        RandomWalk(0.01).fit_transform(dataset) + unlike, labelled, rtol=1e-12
    )
    unlabelled = grakel.RandomWalk(**exact).fit_transform(graphs)
    gram = RandomWalk(0.01, labelled=False).fit_transform(dataset)
    np.testing.assert_allclose(gram, unlabelled, rtol=1e-12)


def test_grakel_finds_the_same_without_labels(molecules: gr.Dataset) -> None:
    """Its fast method, by eigenvalues."""
    some = molecules[:60]
    expected = grakel.RandomWalk(lamda=0.01, method_type="fast").fit_transform(as_grakel(some))
    gram = RandomWalk(0.01, labelled=False).fit_transform(some)
    np.testing.assert_allclose(gram, expected, rtol=1e-10)


@pytest.mark.parametrize("decay", ["most", 0, -1, float("nan"), None, True])
def test_a_decay_is_a_positive_number(decay: object) -> None:
    with pytest.raises(SettingError, match=r"expected 'auto', 'largest', or a number"):
        RandomWalk(decay=decay).fit([nx.path_graph(2)])  # type: ignore[arg-type]
