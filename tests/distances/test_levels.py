import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.levels import Levels, levels, numbered


def levels_of(dataset: gr.Dataset, radius: int, depth: int) -> Levels:
    start = np.zeros(dataset.n_nodes, dtype=np.int64)
    return levels(dataset.graph_ptr, gr.rings(dataset, radius), start, depth)


@pytest.fixture
def path() -> gr.Dataset:
    return gr.from_networkx([nx.path_graph(5)])


def test_every_layer_sees_one_step_further(path: gr.Dataset) -> None:
    """Nothing, then ends, then the middle."""
    assert levels_of(path, 1, 3).n_colours == (1, 2, 3, 3)


def test_a_larger_radius_sees_further_at_once(path: gr.Dataset) -> None:
    assert levels_of(path, 2, 1).n_colours == (1, 3)


def test_radius_zero_sees_nothing(path: gr.Dataset) -> None:
    assert levels_of(path, 0, 2).n_colours == (1, 1, 1)


def test_colours_are_counted_in_every_graph_by_their_first_nodes() -> None:
    """A star lists its centre first, a path of three its end."""
    both = gr.from_networkx([nx.star_graph(3), nx.path_graph(3)])
    found = levels_of(both, 1, 1)
    assert found.graph_ptr.tolist() == [0, 2, 4]
    assert found.multiplicity.tolist() == [1, 3, 2, 1]
    assert found.top.tolist() == found.colours[-1][[0, 1, 4, 5]].tolist()


def test_parents_lead_to_the_colours_that_the_nodes_had(path: gr.Dataset) -> None:
    found = levels_of(path, 1, 3)
    for parents, below, above in zip(found.parents, found.colours, found.colours[1:], strict=False):
        assert np.array_equal(parents[above], below)


def test_a_layer_may_average_other_rings_than_those_that_colour(path: gr.Dataset) -> None:
    """The middle of the path and its neighbours are of one colour: one ring of one entry."""
    near, start = gr.rings(path, 1), np.zeros(5, dtype=np.int64)
    found = levels(path.graph_ptr, near, start, 2, averaged=near.joined())
    ring, row = found.rings[1], found.colours[2][2]
    assert found.n_colours == levels_of(path, 1, 2).n_colours
    assert ring.radius == 0
    assert ring.counts[ring.indptr[row] : ring.indptr[row + 1]].tolist() == [3]


def test_rings_that_show_the_same_list_it_in_the_same_order() -> None:
    """So that their means round alike, and rows that tie do tie."""
    dataset = gr.synthetic.molecules(20)
    found = levels(dataset.graph_ptr, gr.rings(dataset, 2), dataset.node_labels, 3)
    for rings in found.rings:
        for first, last in zip(rings.indptr[:-1], rings.indptr[1:], strict=True):
            members = rings.indices[first:last].tolist()
            assert members == sorted(set(members))


def test_other_rings_may_stand_over_the_same_colours(path: gr.Dataset) -> None:
    found = levels_of(path, 1, 1)
    joined = found.with_rings(ring.joined() for ring in found.rings)
    assert joined.colours is found.colours
    assert joined.rings[0].radius == 0


def test_numbers_have_no_gaps() -> None:
    assert numbered(np.array([7, -2, 7, 30])).tolist() == [1, 0, 1, 2]


def test_no_graphs_have_no_colours() -> None:
    found = levels_of(gr.load("MUTAG")[[]], 2, 2)
    assert found.n_colours == (0, 0, 0)
    assert found.graph_ptr.tolist() == [0]
