import gc
from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
import strategies
from graphrings import limits
from graphrings.distances.rings import rings
from graphrings.errors import DatasetError, MemoryLimitError, SettingError
from graphrings.kernels import nspdk
from graphrings.kernels.nspdk import (
    NSPDK,
    NUMBERED,
    ball_numbers,
    first_twins,
    number_balls,
)
from graphrings.limits import Work
from kernels.grakel_graphs import as_grakel


def described(graph: nx.Graph, root: Any, radius: int) -> tuple[Any, ...]:
    """The authors' invariant of a rooted ball, written out."""
    ball = nx.ego_graph(graph, root, radius)
    far = dict(nx.all_pairs_shortest_path_length(ball))
    label = nx.get_node_attributes(ball, "label")
    node = {
        v: (label[v], far[root][v], tuple(sorted((far[v][u], label[u]) for u in ball)))
        for v in ball
    }
    edges = sorted(tuple(sorted((node[u], node[v]))) for u, v in ball.edges)
    return tuple(sorted(node.values())), tuple(edges)


def networks_of(dataset: gr.Dataset) -> list[nx.Graph]:
    networks = []
    for graph in dataset:
        network = nx.Graph(graph.edges.tolist())
        labels = enumerate(graph.node_labels.tolist())
        network.add_nodes_from((v, {"label": label}) for v, label in labels)
        networks.append(network)
    return networks


def slow(dataset: gr.Dataset, radius: int, distance: int, normalize_levels: bool) -> np.ndarray:
    """The kernel by its definition, over ordered pairs."""
    total = np.zeros((len(dataset), len(dataset)))
    for r in range(radius + 1):
        for d in range(distance + 1):
            counts: list[dict[Any, int]] = []
            for network in networks_of(dataset):
                ball = {v: described(network, v, r) for v in network}
                far = dict(nx.all_pairs_shortest_path_length(network))
                pairs = [(ball[u], ball[v]) for u in network for v in far[u] if far[u][v] == d]
                counts.append({pair: pairs.count(pair) for pair in set(pairs)})
            gram = np.array([[sum(a[k] * b.get(k, 0) for k in a) for b in counts] for a in counts])
            norms = np.sqrt(np.diag(gram))
            scale = np.where(norms > 0, norms, 1) if normalize_levels else np.ones(len(gram))
            total += gram / np.outer(scale, scale)
    return total


def with_edge_labels(dataset: gr.Dataset) -> list[Any]:
    """As GraKeL takes them, all edges with one label."""
    return [[edges, labels, dict.fromkeys(edges, 0)] for edges, labels in as_grakel(dataset)]


def test_an_edge_by_hand() -> None:
    """Labels a and b. Radius 0: two balls alone, and two ordered pairs; radius 1 the same."""
    graphs = gr.from_edges([[(0, 1)], [(0, 1)]], node_labels=[["a", "b"], ["a", "a"]])
    gram = NSPDK(radius=1, distance=1, normalize_levels=False).fit_transform(graphs)
    # (a), (b) | (a, b), (b, a) against (a) twice | (a, a) twice; balls of radius 1 share nothing.
    assert gram == pytest.approx(np.array([[2 * (2 + 2), 2], [2, 2 * (4 + 4)]]))


def test_levels_are_normalised_one_by_one() -> None:
    """A triangle and a path of three: alike at radius 0, distance 0; at distance 1 as well."""
    graphs = [nx.complete_graph(3), nx.path_graph(3)]
    assert NSPDK(radius=0, distance=2).fit_transform(graphs) == pytest.approx(
        np.array([[2, 2], [2, 3]])  # the triangle has no pair at distance 2
    )


def test_the_root_tells_balls_apart() -> None:
    """Balls of radius 2 around the middle and around the end of a path of three: the same nodes."""
    graphs = [nx.path_graph(3)]
    kernel = NSPDK(radius=2, distance=0, normalize_levels=False)
    assert kernel.fit_transform(graphs) == pytest.approx(np.array([[9 + (4 + 1) + (4 + 1)]]))


def test_edge_labels_count_where_asked_for() -> None:
    bonds = gr.load("MUTAG")[:10]
    blind, seeing = (NSPDK(radius=1, distance=0, edge_labels=on) for on in (False, True))
    assert np.any(blind.fit_transform(bonds) > seeing.fit_transform(bonds) + 1e-9)
    bare = [NSPDK(0, 1, edge_labels=on).fit_transform(bonds) for on in (False, True)]
    assert np.array_equal(*bare)  # a node alone has no edge
    with pytest.raises(DatasetError, match="edges without labels, which edge_labels asks for"):
        seeing.fit_transform([nx.path_graph(2)])


@settings(max_examples=25)
@given(dataset=strategies.datasets(), normalize_levels=st.booleans())
def test_it_is_the_kernel_of_the_definition(dataset: gr.Dataset, normalize_levels: bool) -> None:
    kernel = NSPDK(radius=2, distance=3, normalize_levels=normalize_levels)
    assert kernel.fit_transform(dataset) == pytest.approx(slow(dataset, 2, 3, normalize_levels))


def cliques(seed: int) -> nx.Graph:
    """Two or three that overlap, with two labels: most nodes have one that could replace them."""
    drawn = np.random.default_rng(seed)
    network = nx.Graph()
    for size in drawn.integers(2, 6, size=drawn.integers(2, 4)):
        members = drawn.choice(9, size=size, replace=False).tolist()
        network.add_edges_from(nx.complete_graph(members).edges)
    labels = (drawn.random(9) < 0.3).astype(int).tolist()
    nx.set_node_attributes(network, {v: labels[v] for v in network}, "label")
    nx.set_edge_attributes(network, {e: int(drawn.random() < 0.1) for e in network.edges}, "bond")
    return nx.convert_node_labels_to_integers(network)


@pytest.mark.parametrize("seed", range(5))
def test_nodes_that_differ_in_nothing_change_nothing(seed: int) -> None:
    """Nodes of one clique are described once, but for the root and those like it."""
    networks = [cliques(3 * seed + k) for k in range(3)]
    dataset = gr.from_networkx(networks, node_label="label", edge_label="bond")
    kernel = NSPDK(radius=2, distance=2, normalize_levels=False)
    assert kernel.fit_transform(dataset) == pytest.approx(slow(dataset, 2, 2, False))


@pytest.mark.parametrize("seed", range(20))
def test_twins_can_change_places(seed: int) -> None:
    """The first neighbour that a node can be exchanged with, by its definition."""
    network = cliques(seed)
    (graph,) = gr.from_networkx([network], node_label="label", edge_label="bond")

    def neighbours(v: int, without: int) -> dict[int, int]:
        return {u: network.edges[v, u]["bond"] for u in network[v] if u != without}

    label = nx.get_node_attributes(network, "label")
    expected = [
        min(
            u
            for u in (v, *network[v])
            if label[u] == label[v] and neighbours(u, v) == neighbours(v, u)
        )
        for v in sorted(network)
    ]
    assert graph.edge_labels is not None
    twins = first_twins(graph.indptr, graph.indices, graph.node_labels, graph.edge_labels)
    assert twins.tolist() == expected


@settings(max_examples=25)
@given(dataset=strategies.datasets())
def test_balls_that_are_told_apart_are_not_isomorphic_and_the_other_way_round(
    dataset: gr.Dataset,
) -> None:
    """On graphs this small the invariant decides isomorphism."""
    *_, numbers = ball_numbers(dataset, rings(dataset, 2), 2, None)
    balls = []
    for network in networks_of(dataset):
        for v in sorted(network):
            ball = nx.ego_graph(network, v, 2)
            ball.nodes[v]["root"] = True
            balls.append(ball)
    for i, one in enumerate(balls):
        for j, other in enumerate(balls[:i]):
            same = nx.is_isomorphic(one, other, node_match=dict.__eq__)
            assert same == (numbers[i] == numbers[j])


@settings(max_examples=40)
@given(dataset=strategies.datasets(), seed=st.integers(0, 99))
def test_neither_the_numbers_of_nodes_nor_the_order_of_graphs_matter(
    dataset: gr.Dataset, seed: int
) -> None:
    kernel = NSPDK()
    gram = kernel.fit_transform(dataset)
    assert kernel.fit_transform(strategies.shuffled(dataset, seed)[0]) == pytest.approx(gram)
    order = np.random.default_rng(seed).permutation(len(dataset))
    assert kernel.fit_transform(dataset[order]) == pytest.approx(gram[np.ix_(order, order)])
    assert np.linalg.eigvalsh(gram).min() > -1e-9


@settings(max_examples=25)
@given(dataset=strategies.datasets(), radii=st.permutations(range(4)))
def test_balls_that_were_asked_for_before_are_the_same(
    dataset: gr.Dataset, radii: list[int]
) -> None:
    """Whatever was asked for first; and with the dataset they are gone."""
    near, again = rings(dataset, 3), dataset.changed()
    for radius in radii:
        asked = ball_numbers(dataset, near, radius, None)
        fresh = list(number_balls(again, near, radius, None))
        assert list(map(np.ndarray.tolist, asked)) == list(map(np.ndarray.tolist, fresh))
    gc.collect()
    n_kept = len(NUMBERED)
    ball_numbers(dataset.changed(), near, 1, None)
    gc.collect()
    assert len(NUMBERED) == n_kept


def test_balls_of_a_grid_are_described_once(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, described = molecules.changed(), []

    def counted(*given: Any) -> Iterator[Any]:
        described.append(given[2])
        return number_balls(*given)

    monkeypatch.setattr(nspdk, "number_balls", counted)
    for radius in (1, 2):
        for distance in (1, 2):
            NSPDK(radius=radius, distance=distance).fit_transform(fresh)
    assert described == [1, 2]


def test_a_ball_that_is_the_whole_graph_is_expected_to_take_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a path of five, that of radius 2 around the middle; of radius 3 others, it not again."""
    works: list[Work] = []
    monkeypatch.setattr(nspdk, "begin", works.append)
    two = 5 + (4 + 9 + 9 + 9 + 4) + (9 + 16 + nspdk.WHOLE * 25 + 16 + 9)
    for radius, expected in ((2, two), (3, two + 16 + 2 * nspdk.WHOLE * 25 + 16)):
        NSPDK(radius=radius, distance=0).fit_transform([nx.path_graph(5)])
        (steps,) = (work.n_steps for work in works if work.kind)
        assert steps == pytest.approx(expected)
        works.clear()


def test_new_graphs_have_the_columns_of_the_fitted_ones() -> None:
    graphs = gr.load("MUTAG")
    kernel = NSPDK(radius=1, distance=2).fit(graphs[:60])
    gram = kernel.features(graphs[60:90]) @ kernel.features().T
    assert gram.toarray() == pytest.approx(kernel.transform(graphs[60:90]))
    assert kernel.transform(graphs[:60]) == pytest.approx(kernel.fit_transform(graphs[:60]))


def test_grakel_finds_the_same_with_radius_zero(molecules: gr.Dataset) -> None:
    """Where a ball is its root; there GraKeL looks at distance 0 alone."""
    peer = pytest.importorskip("grakel.kernels")
    theirs = peer.NeighborhoodSubgraphPairwiseDistance(r=0, d=5)
    expected = theirs.fit_transform(with_edge_labels(molecules))
    assert NSPDK(radius=0, distance=0).fit_transform(molecules) == pytest.approx(expected)


def test_grakel_finds_the_same_once_its_balls_are_described_as_by_the_authors(
    monkeypatch: pytest.MonkeyPatch, molecules: gr.Dataset
) -> None:
    """Its own description depends on node numbers, and its distance 3 is 3 or 4.

    Pairs, counts and norms are checked here. A graph has to have a pair at every distance.
    """
    peer = pytest.importorskip("grakel.kernels")
    graphs = molecules[molecules.sizes > 5][:25]
    networks = iter(networks_of(graphs))

    def hashes(self: Any, vertices: Any, *_: Any) -> dict[Any, Any]:
        network = next(networks)
        return {(r, v): described(network, v, r) for r in range(self.r + 1) for v in vertices}

    kernel = peer.NeighborhoodSubgraphPairwiseDistance
    monkeypatch.setattr(kernel, "_hash_neighborhoods", hashes)
    theirs = kernel(r=2, d=2).fit_transform(with_edge_labels(graphs))
    assert NSPDK(radius=2, distance=2).fit_transform(graphs) == pytest.approx(theirs)


def test_more_pairs_than_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path of three has three nodes and three pairs, each 90 bytes and 25 per radius."""
    path, kernel = [nx.path_graph(3)], NSPDK(radius=1, distance=2)
    monkeypatch.setattr(limits, "memory_limit", lambda: 6 * 140)
    kernel.fit_transform(path)
    monkeypatch.setattr(limits, "memory_limit", lambda: 6 * 140 - 1)
    with pytest.raises(
        MemoryLimitError,
        match=r"^6 pairs of nodes at most 2 apart would take about 840 bytes, over the limit of "
        r"839 bytes; take a smaller distance or fewer graphs$",
    ):
        kernel.fit_transform(path)


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("radius", -1, "a whole number, 0 or larger"),
        ("distance", 0.5, "a whole number, 0 or larger"),
        ("normalize_levels", 1, "True or False"),
        ("edge_labels", "yes", "True or False"),
    ],
)
def test_settings_are_checked(setting: str, value: object, wanted: str) -> None:
    with pytest.raises(SettingError, match=f"^{setting} = {value!r}; expected {wanted}$"):
        NSPDK(**{setting: value}).fit([nx.path_graph(2)])
