from dataclasses import FrozenInstanceError, fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.graphs.dataset import Dataset, Graph
from strategies import datasets as random_datasets


@pytest.fixture
def three() -> Dataset:
    """A triangle with a tail, an edge, and a node, with everything a dataset may carry."""
    return gr.from_edges(
        [[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)], []],
        ["b", "a", "b"],
        node_labels=["CCCO", "CN", "O"],
        node_attributes=[[[0.0], [1.0], [2.0], [3.0]], [[4.0], [5.0]], [[6.0]]],
        edge_labels=["--==", "=", ""],
        name="three",
    )


def as_lists(graph: Graph) -> list[object]:
    """All that a graph says, ready to be compared."""
    values = [getattr(graph, field.name) for field in fields(graph)]
    return [value.tolist() if isinstance(value, np.ndarray) else value for value in values]


def test_a_graph_is_a_view_of_its_part(three: Dataset) -> None:
    graph = three[1]
    assert (graph.n_nodes, graph.n_edges, graph.target) == (2, 1, 0)
    assert graph.edges.tolist() == [[0, 1]]
    assert [graph.label_names[k] for k in graph.node_labels] == ["C", "N"]
    assert [graph.edge_label_names[k] for k in graph.edge_labels] == ["=", "="]
    assert graph.node_attributes.tolist() == [[4], [5]]
    assert graph.class_names[graph.target] == "a"


def test_neighbours_are_ascending(three: Dataset) -> None:
    assert three[0].neighbours(2).tolist() == [0, 1, 3]
    with pytest.raises(IndexError, match="node 4 of a graph with nodes 0 to 3"):
        three[0].neighbours(4)
    with pytest.raises(IndexError, match="node -1"):
        three[0].neighbours(-1)


def test_a_dataset_counts_what_it_holds(three: Dataset) -> None:
    assert (len(three), three.n_nodes, three.n_edges) == (3, 7, 5)
    assert (three.n_classes, three.n_labels) == (2, 3)
    assert three.sizes.tolist() == [4, 2, 1]
    assert three.degrees.tolist() == [2, 2, 3, 1, 1, 1, 0]
    assert three.owner.tolist() == [0, 0, 0, 0, 1, 1, 2]


@pytest.mark.parametrize(
    ("index", "graphs"),
    [
        (slice(None), [0, 1, 2]),
        (slice(None, None, -2), [2, 0]),
        (slice(1, 1), []),
        ([2, 0, 2], [2, 0, 2]),
        ([-1], [2]),
        (np.array([1, 0], dtype=np.uint8), [1, 0]),
        ([True, False, True], [0, 2]),
        (np.array([False, False, False]), []),
        ([], []),
        (np.empty(0), []),
    ],
)
def test_an_index_chooses_graphs(three: Dataset, index: object, graphs: list[int]) -> None:
    chosen = three[index]
    assert isinstance(chosen, Dataset)
    assert [as_lists(graph) for graph in chosen] == [as_lists(three[i]) for i in graphs]
    assert chosen.indices.dtype == chosen.indptr.dtype == np.int32


@given(random_datasets(), st.data())
def test_a_chosen_graph_is_the_graph_that_was_chosen(dataset: Dataset, data: st.DataObject) -> None:
    number = st.integers(-len(dataset), len(dataset) - 1)
    index = data.draw(st.lists(number))
    chosen = dataset[index]
    assert len(chosen) == len(index)
    for i, k in enumerate(index):
        assert as_lists(chosen[i]) == as_lists(dataset[k])


@pytest.mark.parametrize("index", [3, -4, [3], [0, -4], np.array([True, False])])
def test_what_is_out_of_range_is_an_index_error(three: Dataset, index: object) -> None:
    with pytest.raises(IndexError):
        three[index]


def test_a_negative_number_counts_from_the_end(three: Dataset) -> None:
    assert as_lists(three[-3]) == as_lists(three[np.int64(0)])


def test_iteration_gives_the_graphs_in_order(three: Dataset) -> None:
    assert [graph.n_nodes for graph in three] == [4, 2, 1]


def test_nothing_can_be_written_to(three: Dataset) -> None:
    for thing in (three, three[0], three[:2]):
        arrays = [getattr(thing, field.name) for field in fields(thing)]
        for array in (value for value in arrays if isinstance(value, np.ndarray)):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
    for array in (three.owner, three[0].neighbours(0)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(FrozenInstanceError):
        three.name = "four"


def test_what_it_is_can_be_seen(three: Dataset) -> None:
    shown = "Dataset('three': 3 graphs, 7 nodes, 5 edges, 2 classes, 3 node labels)"
    assert repr(three) == shown
    assert repr(three[0]) == "Graph(4 nodes, 4 edges)"
    assert repr(gr.from_edges([[(0, 1)]])) == "Dataset('graphs': 1 graphs, 2 nodes, 1 edges)"


def test_targets_may_be_values(three: Dataset) -> None:
    values = replace(three, targets=np.array([0.5, -2.0, 3.0]), class_names=())
    assert (values.has_values, three.has_values) == (True, False)
    assert (values.n_classes, values[1].target, values[1].class_names) == (0, -2.0, ())
    assert isinstance(values[2].target, float)
    assert isinstance(three[2].target, int)
    assert values[[2, 0]].targets.tolist() == [3.0, 0.5]
    assert repr(values) == (
        "Dataset('three': 3 graphs, 7 nodes, 5 edges, targets from -2 to 3, 3 node labels)"
    )
    assert repr(values[:0]) == "Dataset('three': 0 graphs, 0 nodes, 0 edges, 3 node labels)"


def test_graphs_without_anything_else_have_nothing_else() -> None:
    graph = gr.from_edges([[(0, 1)]])[0]
    assert graph.target is graph.node_labels is graph.node_attributes is None
    assert graph.edge_labels is graph.edge_attributes is None


@given(first=st.integers(-25, 25), last=st.integers(-25, 25))
def test_a_slice_is_what_its_numbers_choose(first: int, last: int) -> None:
    """Neighbouring graphs are cut out without looking at the others."""
    graphs = gr.synthetic.bond_shares(20, n_nodes=(1, 5))
    part, chosen = graphs[first:last], graphs[np.arange(20)[first:last]]
    for name in ("graph_ptr", "indptr", "indices", "targets", "node_labels"):
        ours, theirs = getattr(part, name), getattr(chosen, name)
        assert np.array_equal(ours, theirs)
        assert ours.dtype == theirs.dtype
    assert part.fingerprint == chosen.fingerprint
