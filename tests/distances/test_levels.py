import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.levels import Levels, levels
from graphrings.distances.levels_as_arrays import levels_from_arrays, levels_to_arrays
from graphrings.graphs.small_numbers import numbered


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
    layered = levels_of(both, 1, 1)
    assert layered.graph_ptr.tolist() == [0, 2, 4]
    assert layered.multiplicity.tolist() == [1, 3, 2, 1]
    assert layered.top.tolist() == layered.colours[-1][[0, 1, 4, 5]].tolist()


def test_parents_lead_to_the_colours_that_the_nodes_had(path: gr.Dataset) -> None:
    layered = levels_of(path, 1, 3)
    for parents, below, above in zip(
        layered.parents, layered.colours, layered.colours[1:], strict=False
    ):
        assert np.array_equal(parents[above], below)


def test_what_decides_on_weights_tells_rows_apart_but_no_features(path: gr.Dataset) -> None:
    """Ends with other numbers have other rows, then who sees them; the middle has one anyway."""
    near, start = gr.rings(path, 1), np.zeros(5, dtype=np.int64)
    layered = levels(path.graph_ptr, near, start, 2, weighed_by=np.array([1, 0, 2, 0, 0]))
    assert layered.n_colours == (1, 4, 5)
    assert len({*layered.colours[1][[0, 4]]}) == 2
    for parents, below, above in zip(
        layered.parents, layered.colours, layered.colours[1:], strict=False
    ):
        assert np.array_equal(parents[above], below)


def test_a_layer_may_average_other_rings_than_those_that_colour(path: gr.Dataset) -> None:
    """The middle of the path and its neighbours are of one colour: one ring of one entry."""
    near, start = gr.rings(path, 1), np.zeros(5, dtype=np.int64)
    layered = levels(path.graph_ptr, near, start, 2, averaged=near.joined())
    ring, row = layered.rows[1], layered.colours[2][2]
    assert layered.n_colours == levels_of(path, 1, 2).n_colours
    assert ring.radius == 0
    assert ring.counts[ring.indptr[row] : ring.indptr[row + 1]].tolist() == [3]


def test_rings_that_show_the_same_list_it_in_the_same_order() -> None:
    """So that their means round alike, and rows that tie do tie."""
    dataset = gr.synthetic.molecules(20)
    layered = levels(dataset.graph_ptr, gr.rings(dataset, 2), dataset.node_labels, 3)
    for rings in layered.rows:
        for first, last in zip(rings.indptr[:-1], rings.indptr[1:], strict=True):
            members = rings.indices[first:last].tolist()
            assert members == sorted(set(members))


def test_other_weights_may_stand_over_the_same_colours(path: gr.Dataset) -> None:
    """Ends see one neighbour, the others two, all of one colour."""
    means = levels_of(path, 1, 1)
    sums = means.weighted(lambda near, level: near.weighted((level + 1) * near.counted))
    assert sums.colours is means.colours
    assert sorted(sums.rows[0].weights.tolist()) == [1, 1, 1, 2]


def test_levels_come_back_from_their_arrays(path: gr.Dataset) -> None:
    before = levels_of(path, 2, 2)
    after = levels_from_arrays(levels_to_arrays(before))
    assert after.n_colours == before.n_colours
    for ours, theirs in zip(after.rows, before.rows, strict=True):
        assert ours.width == theirs.width
        for name in ("indptr", "indices"):
            assert np.array_equal(getattr(ours, name), getattr(theirs, name))
        assert np.array_equal(ours.weights, theirs.weights_as("float32"))


def test_numbers_have_no_gaps() -> None:
    assert numbered(np.array([7, -2, 7, 30])).tolist() == [1, 0, 1, 2]


def test_no_graphs_have_no_colours() -> None:
    layered = levels_of(gr.load("MUTAG")[[]], 2, 2)
    assert layered.n_colours == (0, 0, 0)
    assert layered.graph_ptr.tolist() == [0]
