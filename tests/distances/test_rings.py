from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.rings import checked_multiplicity, fewest_entries
from graphrings.distances.searches import count_rings
from graphrings.errors import LayerError, MemoryLimitError, RadiusError


@pytest.fixture
def paw() -> gr.Graph:
    """A triangle 0, 1, 2 with a tail 3 at node 2."""
    return gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)]])[0]


def star(leaves: int) -> gr.Dataset:
    return gr.from_edges([np.stack([np.zeros(leaves, int), np.arange(1, leaves + 1)], axis=1)])


def test_ring_two_leaves_out_triangle_neighbours(paw: gr.Graph) -> None:
    """Every triangle edge closes a walk of length 2, yet none is at distance 2."""
    ring = gr.rings(paw, radius=2).matrix(2).toarray()
    assert np.argwhere(ring).tolist() == [[0, 3], [1, 3], [3, 0], [3, 1]]


def test_rows_are_interleaved_node_by_node(paw: gr.Graph) -> None:
    rings = gr.rings(paw, radius=2)
    assert rings.indptr.tolist() == [0, 1, 3, 4, 5, 7, 8, 9, 12, 12, 13, 14, 16]
    assert rings.indices.tolist() == [0, 1, 2, 3, 1, 0, 2, 3, 2, 0, 1, 3, 3, 2, 0, 1]


def test_walks_of_two_steps_come_back(paw: gr.Graph) -> None:
    walks = gr.walk_rings(paw, radius=2).matrix(2).toarray()
    assert walks.diagonal().tolist() == [2, 2, 3, 1]


def test_a_matrix_beyond_the_radius_is_refused(paw: gr.Graph) -> None:
    with pytest.raises(RadiusError, match="ring 3 of rings 0 to 2"):
        gr.rings(paw, radius=2).matrix(3)


@pytest.mark.parametrize("radius", [-1, 1.0, 1.5, "2", None, True])
def test_a_radius_is_a_whole_number_of_at_least_zero(paw: gr.Graph, radius: object) -> None:
    with pytest.raises(RadiusError, match="expected a whole number, 0 or larger"):
        gr.rings(paw, radius)  # type: ignore[arg-type]


def test_a_numpy_integer_is_a_radius(paw: gr.Graph) -> None:
    assert gr.rings(paw, np.int64(1)).radius == 1


def test_no_graphs_have_no_rings() -> None:
    none = gr.load("MUTAG")[[]]
    assert gr.rings(none, 2).n_nodes == 0
    assert gr.quotient(none, 2).n_classes == 0


def test_a_large_star_is_refused_at_radius_two_before_it_is_searched() -> None:
    """Its 200 001 nodes have 40 billion pairs at distance 2: searching them would take minutes."""
    hub = star(200_000)
    assert len(gr.rings(hub, 1).indices) == 3 * 200_000 + 1
    for rings in (gr.rings, gr.walk_rings):
        with pytest.raises(
            MemoryLimitError, match=r"radius 2 .* would take about .* over the limit"
        ):
            rings(hub, 2)


def test_rows_may_stand_for_several_nodes() -> None:
    assert checked_multiplicity([1, 3, 2**31 - 2], 3).tolist() == [1, 3, 2**31 - 2]


def test_counting_stops_behind_the_graph_whose_rings_outgrow_the_room() -> None:
    """Two triangles: three nodes that see all three have nine members in each."""
    graphs = gr.from_edges([[(0, 1), (1, 2), (2, 0)]] * 2)
    sizes = np.zeros(6 * 2 + 1, dtype=np.int64)
    arrays = graphs.graph_ptr, graphs.indptr, graphs.indices
    assert count_rings(*arrays, 1, 0, 6, 8, sizes) == 3
    assert count_rings(*arrays, 1, 0, 6, 9, sizes) == 6


def test_every_node_is_counted_once_whatever_the_size_of_its_graph() -> None:
    graphs = gr.from_networkx([nx.path_graph(n) for n in (3, 1100, 65, 64, 2)])
    sizes = np.zeros(graphs.n_nodes * 2 + 1, dtype=np.int64)
    arrays = graphs.graph_ptr, graphs.indptr, graphs.indices
    assert count_rings(*arrays, 1, 0, graphs.n_nodes, 10**6, sizes) == graphs.n_nodes


def test_a_hub_counts_for_all_its_neighbours_where_room_is_short() -> None:
    """Each of 5 leaves sees 6 nodes, the hub at least 2; with room for all nobody looks closer."""
    hub = star(5)
    assert fewest_entries(hub, 2, room=35) == 5 * 6 + 2
    assert fewest_entries(hub, 2, room=36) == 6 + 10
    assert fewest_entries(hub, 1, room=0) == 6 + 10
    assert fewest_entries(hub, 0, room=0) == 6


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_outgrows_the_limit_while_counting_is_refused_with_an_estimate(jobs: int) -> None:
    """A path has no hub: only the count tells. 3 bounds and 5 members per node are 44 bytes."""
    path = gr.from_networkx([nx.path_graph(100_000)])
    with pytest.raises(MemoryLimitError, match=r"would take about 4\.4 MB, over .* 4\.0 MB"):
        gr.rings(path, 2, jobs=jobs, max_bytes=4_000_000)
    assert gr.rings(path, 2, jobs=jobs, max_bytes=5_000_000).n_nodes == 100_000


@pytest.mark.parametrize("jobs", [1, 3])
def test_walks_that_outgrow_the_limit_are_refused_with_an_estimate(jobs: int) -> None:
    """On a cycle 1 + 2 + 3 + 4 + 5 ends and 5 bounds per node are 220 bytes, wherever one stops."""
    cycle = gr.from_networkx([nx.cycle_graph(3000)])
    with pytest.raises(MemoryLimitError, match=r"would take about 660\.0 KB, over .* 400\.0 KB"):
        gr.walk_rings(cycle, 4, jobs=jobs, max_bytes=400_000)
    assert gr.walk_rings(cycle, 4, jobs=jobs, max_bytes=700_000).n_nodes == 3000


@pytest.mark.parametrize("n_nodes", [1, 5, 63, 64, 65, 130])
@pytest.mark.parametrize("radius", [1, 3, 70])
def test_rings_are_shortest_paths_on_both_sides_of_a_word(n_nodes: int, radius: int) -> None:
    """Up to 64 nodes a ball is one word: all of them in it, few, a hub with many neighbours, none.

    Every graph stands between two others, whose rings must not be written over.
    """
    shapes = nx.complete_graph, nx.path_graph, nx.empty_graph, lambda n: nx.star_graph(n - 1)
    networks = [one for shape in shapes for one in (shape(n_nodes), nx.path_graph(3))]
    rings = gr.rings(gr.from_networkx(networks), radius)
    joined = nx.disjoint_union_all(networks)
    for v, lengths in nx.all_pairs_shortest_path_length(joined, cutoff=radius):
        members = [sorted(u for u in lengths if lengths[u] == j) for j in range(radius + 1)]
        row = v * (radius + 1)
        assert [
            rings.indices[rings.indptr[row + j] : rings.indptr[row + j + 1]].tolist()
            for j in range(radius + 1)
        ] == members


def test_a_long_path_is_coloured_without_looking_at_every_node_in_every_round() -> None:
    """It takes 10 000 rounds; each examines the few nodes that see a change."""
    path = gr.from_networkx([nx.path_graph(20_000)])
    assert gr.quotient(path, 1).n_classes == 10_000


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"indices": [0, 1, 0, -1]}, "indices has numbers of rows below 0"),
        ({"indices": [0, 1, 1, 5]}, "the rings lead to node 5; expected 0 to 1"),
        ({"indices": [1, 1, 0, 0]}, "ring 0 of a node does not hold the node itself"),
        ({"indptr": [0, 1, 2, 3]}, "indptr does not rise from 0 to 4"),
        ({"indptr": [0, 2, 1, 3, 4]}, "indptr does not rise from 0 to 4"),
        ({"indptr": [0, 1, 4]}, "the rings lead to node 1; expected 0 to 0"),
        ({"radius": 2}, "indptr bounds 4 blocks; expected 3 for every row"),
        ({"counts": [1, 1, 1]}, "counts are not 4 finite numbers"),
        ({"counts": [1, 1, 1, np.nan]}, "counts are not 4 finite numbers"),
        ({"multiplicity": [1, 0]}, "multiplicity is not 2 whole numbers above 0"),
        ({"multiplicity": [1, 2**40]}, "multiplicity is not 2 whole numbers above 0"),
        ({"multiplicity": [1.5, 1]}, "multiplicity is an array of float64; expected whole"),
    ],
)
def test_rings_that_lead_nowhere_are_refused(parts: dict[str, Any], message: str) -> None:
    good = {"radius": 1, "indptr": [0, 1, 2, 3, 4], "indices": [0, 1, 1, 0]}
    assert gr.Rings(**good).n_nodes == 2
    with pytest.raises(LayerError) as error:
        gr.Rings(**{**good, **parts})
    assert str(error.value).startswith(message)


def test_colours_to_start_from_must_be_as_many_as_nodes() -> None:
    near = gr.Rings(1, [0, 1, 2, 3, 4], [0, 1, 1, 0])
    with pytest.raises(LayerError, match="3 colours to start from; there are 2 nodes"):
        gr.refine(near, np.zeros(3, dtype=np.int32))


def test_a_thousand_jobs_are_no_thousand_threads(paw: gr.Graph) -> None:
    assert np.array_equal(gr.rings(paw, 2, jobs=10**9).indices, gr.rings(paw, 2).indices)
