from collections import Counter, defaultdict
from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset, Graph, Repairs
from graphrings.graphs.synthetic import (
    bond_shares,
    ego_networks,
    molecules,
    one_cycle_or_two,
    ring_three,
    ring_two,
    spiders,
)

families = pytest.mark.parametrize(
    "family", [molecules, ring_two, ring_three, one_cycle_or_two, spiders, ego_networks]
)


def as_networkx(graph: Graph) -> nx.Graph:
    made = nx.empty_graph(graph.n_nodes)
    made.add_edges_from(graph.edges.tolist())
    return made


@families
def test_the_seed_decides_everything(family: Callable[..., Dataset]) -> None:
    made = [family(20, seed=seed).fingerprint for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


@families
def test_there_are_as_many_graphs_as_asked_for_in_two_classes(
    family: Callable[..., Dataset],
) -> None:
    made = family(40)
    assert len(made) == 40
    assert made.class_names == (0, 1)
    assert set(made.targets.tolist()) == {0, 1}
    assert made.repairs == Repairs()


@families
def test_no_graphs_are_refused(family: Callable[..., Dataset]) -> None:
    with pytest.raises(DatasetError, match="0 graphs; expected at least one"):
        family(0)


def test_molecules_are_connected_with_a_valence_of_four_at_most() -> None:
    made = molecules(200, n_nodes=(1, 30))
    assert all(nx.is_connected(as_networkx(graph)) for graph in made)
    assert made.degrees.max() <= 4
    assert (made.sizes.min(), made.sizes.max()) == (1, 30)


def test_molecules_have_cycles_and_the_class_of_their_atoms() -> None:
    made = molecules(100)
    assert made.n_edges > made.n_nodes - len(made)
    for graph in made:
        assert graph.target == (np.mean(graph.node_labels != 0) > 0.28)


@pytest.mark.parametrize("n_nodes", [(0, 5), (5, 4), (-3, -1)])
def test_molecules_of_impossible_sizes_are_refused(n_nodes: tuple[int, int]) -> None:
    with pytest.raises(DatasetError, match="expected 1 or more, ascending"):
        molecules(3, n_nodes=n_nodes)


def views(graph: Graph, radius: int) -> Counter[tuple[str, str]]:
    """The own label and the sorted labels at distance ``radius``, for all nodes."""
    names = [graph.label_names[k] for k in graph.node_labels]
    seen = []
    for v, distance in nx.all_pairs_shortest_path_length(as_networkx(graph)):
        ring = sorted(names[u] for u, d in distance.items() if d == radius)
        seen.append((names[v], "".join(ring)))
    return Counter(seen)


def test_ring_two_tells_the_classes_and_ring_one_does_not() -> None:
    near, far = defaultdict(list), defaultdict(lambda: ([], []))
    for graph in ring_two(40):
        near[graph.n_nodes].append(views(graph, 1))
        far[graph.n_nodes][graph.target].append(views(graph, 2))
    assert len(near) == 3
    assert all(seen == alike[0] for alike in near.values() for seen in alike)
    for first, second in far.values():
        assert first
        assert second
        assert all(seen not in second for seen in first)


def test_ring_three_tells_the_classes_and_nothing_nearer_does() -> None:
    """Nearer rings are compared together: the own label with rings 1 and 2."""
    near, far = defaultdict(list), defaultdict(lambda: ([], []))
    for graph in ring_three(40):
        names = [graph.label_names[k] for k in graph.node_labels]
        seen = Counter()
        for v, distance in nx.all_pairs_shortest_path_length(as_networkx(graph)):
            rings = (
                "".join(sorted(names[u] for u in distance if distance[u] == j)) for j in (1, 2)
            )
            seen[(names[v], *rings)] += 1
        near[graph.n_nodes].append(seen)
        far[graph.n_nodes][graph.target].append(views(graph, 3))
    assert len(near) == 3
    assert all(seen == alike[0] for alike in near.values() for seen in alike)
    for first, second in far.values():
        assert all(seen not in second for seen in first)


def test_there_is_one_cycle_or_there_are_two() -> None:
    for graph in one_cycle_or_two(20):
        m = graph.n_nodes // 2
        cycles = nx.cycle_graph(2 * m)
        if graph.target:
            cycles = nx.disjoint_union(nx.cycle_graph(m), nx.cycle_graph(m))
        assert nx.is_isomorphic(as_networkx(graph), cycles)


def test_spiders_have_the_feet_of_their_class() -> None:
    told = {0: {"+--", "-++"}, 1: {"-+-", "+-+"}}
    for graph in spiders(20):
        names = [graph.label_names[k] for k in graph.node_labels]
        kinds = []
        for body in np.flatnonzero(np.array(names) == "body"):
            legs = sorted(graph.neighbours(body).tolist(), key=names.__getitem__)
            assert [names[leg] for leg in legs] == ["a", "b", "c"]
            feet = [next(f for f in graph.neighbours(leg).tolist() if f != body) for leg in legs]
            kinds.append("".join(names[foot] for foot in feet))
        counts = Counter(kinds)
        first, second = (counts[kind] for kind in told[graph.target])
        assert first == second in (1, 2)
        assert set(counts) <= told[graph.target] | {"---"}


def test_every_ring_two_graph_is_a_cycle() -> None:
    for graph in ring_two(10):
        assert nx.is_isomorphic(as_networkx(graph), nx.cycle_graph(graph.n_nodes))


def test_an_ego_knows_everyone_and_most_have_a_twin() -> None:
    """Twins are nodes that know the same people, each other included."""
    for graph in ego_networks(20):
        assert graph.neighbours(0).tolist() == list(range(1, graph.n_nodes))
        known = [frozenset([v, *graph.neighbours(v).tolist()]) for v in range(graph.n_nodes)]
        assert len(set(known)) <= 1 + (graph.n_nodes - 1) / 2
        cliques = len(set(known[1:]))
        assert 4 <= cliques <= 7 if graph.target == 0 else 2 <= cliques <= 3


def test_bond_shares_are_counted_edges_and_noise() -> None:
    dataset = bond_shares(300)
    assert dataset.has_values
    expected = []
    for graph in dataset:
        labels = graph.node_labels
        differ = [labels[u] != labels[v] for u, v in graph.edges]
        expected.append(100 * np.mean(differ))
    noise = dataset.targets - np.array(expected)
    assert abs(noise.mean()) < 0.2
    assert 0.9 < noise.std() < 1.1
    assert len(np.unique(noise)) == 300
