import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.distances.node_statistics import graph_numbers, quantities, summaries
from graphrings.distances.triangles import triangles
from strategies import datasets, shuffled


def networks_of(dataset: gr.Dataset) -> list[nx.Graph]:
    graphs = []
    for graph in dataset:
        network = nx.empty_graph(graph.n_nodes)
        network.add_edges_from(graph.edges.tolist())
        graphs.append(network)
    return graphs


@given(datasets())
def test_numbers_of_nodes_are_those_of_networkx(dataset: gr.Dataset) -> None:
    known = quantities(dataset, gr.rings(dataset, 3).sizes)
    expected: dict[str, list[float]] = {
        "triangles": [],
        "clustering": [],
        "mean neighbour degree": [],
        "size of ring 2": [],
    }
    for graph in networks_of(dataset):
        expected["triangles"] += nx.triangles(graph).values()
        expected["clustering"] += nx.clustering(graph).values()
        expected["mean neighbour degree"] += nx.average_neighbor_degree(graph).values()
        far = dict(nx.all_pairs_shortest_path_length(graph))
        expected["size of ring 2"] += [list(far[v].values()).count(2) for v in graph]
    for name, values in expected.items():
        np.testing.assert_allclose(known[name], values, err_msg=name)


@given(datasets())
def test_neighbour_degrees_one_node_at_a_time(dataset: gr.Dataset) -> None:
    known = quantities(dataset, gr.rings(dataset, 1).sizes)
    for v in range(dataset.n_nodes):
        near = dataset.degrees[dataset.indices[dataset.indptr[v] : dataset.indptr[v + 1]]]
        near = near if len(near) else np.zeros(1)
        assert known["smallest neighbour degree"][v] == near.min()
        assert known["largest neighbour degree"][v] == near.max()
        assert known["deviation of neighbour degrees"][v] == pytest.approx(near.std(), abs=1e-7)


@given(datasets())
def test_numbers_of_graphs_are_those_of_networkx(dataset: gr.Dataset) -> None:
    known = graph_numbers(dataset, quantities(dataset, gr.rings(dataset, 1).sizes))
    for k, graph in enumerate(networks_of(dataset)):
        assert known["nodes"][k] == len(graph)
        assert known["edges"][k] == graph.number_of_edges()
        assert known["density"][k] == pytest.approx(nx.density(graph))
        assert known["components"][k] == nx.number_connected_components(graph)
        assert known["independent cycles"][k] == len(nx.cycle_basis(graph))
        assert known["triangles"][k] == sum(nx.triangles(graph).values()) / 3
        assert known["transitivity"][k] == pytest.approx(nx.transitivity(graph))


@given(datasets())
def test_summaries_are_those_of_numpy(dataset: gr.Dataset) -> None:
    values = np.random.default_rng(0).normal(size=dataset.n_nodes)
    known = summaries(dataset.graph_ptr, {"x": values})
    for k in range(len(dataset)):
        own = values[dataset.owner == k]
        assert known["mean of x"][k] == pytest.approx(own.mean())
        assert known["deviation of x"][k] == pytest.approx(own.std(), abs=1e-12)
        for word, share in (("minimum", 0), ("median", 0.5), ("quartile 3", 0.75), ("maximum", 1)):
            assert known[f"{word} of x"][k] == np.quantile(own, share, method="lower")


@pytest.mark.parametrize("n", [31, 32, 100, 128, 129, 300])
def test_summaries_of_many_and_few_members(n: int) -> None:
    """Many are sorted beforehand; no members are zeros."""
    bounds, values = np.array([0, n, n, n + 5]), np.random.default_rng(0).normal(size=n + 5)
    known = summaries(bounds.astype(np.int32), {"x": values})
    assert summaries(bounds.astype(np.int32), {}) == {}
    for k, own in ((0, values[:n]), (2, values[n:])):
        assert known["mean of x"][k] == np.add.accumulate(np.sort(own))[-1] / len(own)
        assert known["deviation of x"][k] == pytest.approx(own.std())
        assert known["quartile 1 of x"][k] == np.quantile(own, 0.25, method="lower")
    assert all(numbers[1] == 0 for numbers in known.values())


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=40), min_size=1, max_size=4))
def test_columns_are_sorted_each_by_itself(graphs: list[list[int]]) -> None:
    """Values that repeat, with any number of members, up to more than are sorted at once."""
    graphs.append(graphs[0] * 65 if len(graphs) > 3 else [])
    values = np.concatenate([np.array(graph, dtype=np.float64) for graph in graphs])
    bounds = np.cumsum([0, *map(len, graphs)]).astype(np.int32)
    known = summaries(bounds, {"x": values, "turned": -values, "squared": values * values})
    for name, column in (("x", values), ("turned", -values), ("squared", values * values)):
        for k in range(len(graphs)):
            if own := sorted(column[bounds[k] : bounds[k + 1]].tolist()):
                places = [0, *(int(share * (len(own) - 1)) for share in (0.25, 0.5, 0.75)), -1]
                words = "minimum", "quartile 1", "median", "quartile 3", "maximum"
                assert [known[f"{word} of {name}"][k] for word in words] == [own[p] for p in places]
                assert known[f"mean of {name}"][k] == sum(own) / len(own)


@given(datasets())
def test_summaries_do_not_know_the_names_of_nodes(dataset: gr.Dataset) -> None:
    """To the last bit, so that no tree can fall to the other side."""
    again, number = shuffled(dataset, 0)
    values = np.random.default_rng(0).normal(size=dataset.n_nodes)
    renamed = np.empty_like(values)
    renamed[number] = values
    one, two = (
        summaries(dataset.graph_ptr, {"x": values}),
        summaries(again.graph_ptr, {"x": renamed}),
    )
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_triangles_of_a_graph_too_large_for_bit_sets() -> None:
    graph = nx.gnm_random_graph(1100, 9000, seed=0)
    dataset = gr.from_networkx([nx.complete_graph(4), graph])
    counts = triangles(dataset.graph_ptr, dataset.indptr, dataset.indices)
    assert counts.tolist() == [3, 3, 3, 3, *nx.triangles(graph).values()]
