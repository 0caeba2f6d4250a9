import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.kernels.wasserstein_wl import WassersteinWL
from graphrings.kernels.weisfeiler_lehman import colours_by_round
from kernels.test_kernel import labelled
from strategies import datasets


def cheapest(costs: np.ndarray) -> float:
    """A linear programme: every node gives 1 / n and takes 1 / m."""
    n, m = costs.shape
    gives, takes = np.repeat(np.eye(n), m, axis=1), np.tile(np.eye(m), n)
    totals = np.concatenate([np.full(n, 1 / n), np.full(m, 1 / m)])
    found = linprog(costs.ravel(), A_eq=np.vstack([gives, takes]), b_eq=totals)
    return float(found.fun)


@given(datasets(), st.integers(0, 3))
def test_it_is_the_cheapest_way_to_move_colours(dataset: gr.Dataset, height: int) -> None:
    """Nodes are as far apart as the share of rounds in which their colours differ."""
    colours = np.stack(colours_by_round(dataset, 1, height), axis=1)
    of_graph = np.split(colours, dataset.graph_ptr[1:-1])
    gram = WassersteinWL(height, scale=0.5).fit_transform(dataset)
    for i, one in enumerate(of_graph):
        for j, other in enumerate(of_graph):
            costs = (one[:, None] != other[None]).mean(axis=2)
            assert -2 * np.log(gram[i, j]) == pytest.approx(cheapest(costs), abs=1e-9)


def test_moving_by_hand() -> None:
    """One a and three b against two of each: a quarter of the nodes has to change its label."""
    graphs = [labelled(nx.star_graph(3), *"abbb"), labelled(nx.path_graph(4), *"aabb")]
    gram = WassersteinWL(0, scale=2.0).fit_transform(graphs)
    assert gram == pytest.approx(np.array([[1, np.exp(-0.5)], [np.exp(-0.5), 1]]))


def spread(graph: nx.Graph, values: np.ndarray, height: int) -> np.ndarray:
    """The definition, by a dense matrix."""
    near = nx.to_numpy_array(graph)
    near /= near.sum(axis=1, keepdims=True)
    rounds = [values]
    for _ in range(height):
        rounds.append((rounds[-1] + near @ rounds[-1]) / 2)
    return np.hstack(rounds)


@given(st.integers(0, 2), st.integers(0, 2**32 - 1))
def test_attributes_move_by_their_distance(height: int, seed: int) -> None:
    pytest.importorskip("ot")
    rng = np.random.default_rng(seed)
    graphs = [nx.path_graph(3), nx.cycle_graph(5), nx.star_graph(3)]
    values = [rng.normal(size=(len(graph), 2)) for graph in graphs]
    for graph, rows in zip(graphs, values, strict=True):
        nx.set_node_attributes(graph, {v: row.tolist() for v, row in enumerate(rows)}, "x")
    dataset = gr.from_networkx(graphs, node_attributes="x")
    shown = [spread(*pair, height) for pair in zip(graphs, values, strict=True)]
    kernel = WassersteinWL(height, scale=0.1, nodes="attributes")
    gram = kernel.fit_transform(dataset)
    for i, one in enumerate(shown):
        for j, other in enumerate(shown):
            moved = cheapest(cdist(one, other))
            assert -10 * np.log(gram[i, j]) == pytest.approx(moved, rel=1e-4, abs=1e-5)
    assert np.allclose(kernel.transform(dataset[1:]), gram[1:])


def test_attributes_that_are_not_there() -> None:
    with pytest.raises(DatasetError, match="the nodes have none; expected nodes = 'labels'"):
        WassersteinWL(nodes="attributes").fit_transform(gr.load("MUTAG")[:3])


@pytest.mark.parametrize("scale", [0.1, 10.0])
def test_with_labels_it_is_a_kernel(molecules: gr.Dataset, scale: float) -> None:
    """Distances in a tree make the matrix positive definite."""
    gram = WassersteinWL(3, scale).fit_transform(molecules[:100])
    assert np.linalg.eigvalsh(gram).min() > -1e-9
