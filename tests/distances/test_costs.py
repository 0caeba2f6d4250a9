"""Searches from a few nodes tell what those from all nodes would cost."""

import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.distances import costs
from graphrings.distances.costs import search_steps, walk_steps
from graphrings.errors import TimeNote
from graphrings.kernels.shortest_path import ShortestPath
from graphrings.limits import STEPS_A_SECOND

GRAPHS = [nx.star_graph(30), nx.path_graph(40), nx.complete_graph(12), nx.gnp_random_graph(40, 0.2)]


@pytest.fixture(params=GRAPHS, ids=["star", "path", "complete", "random"])
def graph(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> gr.Graph:
    """A graph whose nodes are all asked, however few steps it would be."""
    monkeypatch.setattr(costs, "FEW", 0)
    monkeypatch.setattr(costs, "ASKED", 1000)
    return gr.from_networkx([request.param], [0])[0]


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_walks_go_along_the_edges_of_what_they_have_reached(graph: gr.Graph, radius: int) -> None:
    """The ends after j steps, both parities taken together, are the ball of radius j."""
    near = gr.rings(graph, radius)
    degrees = np.diff(graph.indptr)
    balls = [sum(near.matrix(i) for i in range(j + 1)) for j in range(radius)]
    expected = sum(float((ball @ degrees).sum()) for ball in balls)
    assert walk_steps(graph, radius) == expected


def test_a_search_ends_when_it_has_met_everybody(graph: gr.Graph) -> None:
    """Never more than all edges from every node, and at least an edge for every other node."""
    most = graph.n_nodes * len(graph.indices)
    network = nx.Graph(graph.edges.tolist())
    n_pairs = sum(len(part) * (len(part) - 1) for part in nx.connected_components(network))
    assert n_pairs <= search_steps(graph) <= most
    assert search_steps(graph, 0) == len(graph.indices)
    assert search_steps(graph, 1) <= search_steps(graph, 2) <= search_steps(graph)


def test_a_complete_graph_is_searched_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "FEW", 0)
    graph = gr.from_networkx([nx.complete_graph(50)], [0])
    assert search_steps(graph) == 50 * 49


def test_a_star_is_announced_before_it_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    star = gr.from_networkx([nx.star_graph(300), nx.path_graph(2)], [0, 1])
    monkeypatch.setitem(STEPS_A_SECOND, "edges of searches", 300.0)
    message = r"^shortest paths between all nodes of 2 graphs may take about 10 min; take smaller"
    with pytest.warns(TimeNote, match=message):
        ShortestPath().fit_transform(star)


def test_rings_and_walks_are_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = gr.from_networkx([nx.complete_graph(40)], [0])
    monkeypatch.setitem(STEPS_A_SECOND, "edges of walks", 40.0)
    with pytest.warns(TimeNote, match=r"^rings up to radius 2 of 40 nodes may take about 52 min;"):
        gr.walk_rings(graph, 2)
