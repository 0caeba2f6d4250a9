import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote


def test_edges_may_be_listed_once_or_in_both_directions() -> None:
    made = gr.from_edges([[(0, 1), (1, 2)], np.array([[0, 1], [1, 0], [2, 1], [1, 2]])])
    assert [graph.edges.tolist() for graph in made] == [[[0, 1], [1, 2]]] * 2


def test_one_direction_is_a_repair_where_both_are_expected() -> None:
    with pytest.warns(DatasetNote, match="mine: made 1 one-way edge two-way"):
        gr.from_edges([[(0, 1)]], directed=True, name="mine")


def test_the_number_of_nodes_is_the_highest_unless_something_says_more() -> None:
    edges = [[(0, 1)]]
    assert gr.from_edges(edges).n_nodes == 2
    assert gr.from_edges(edges, n_nodes=[4]).n_nodes == 4
    assert gr.from_edges(edges, node_labels=["CCO"]).n_nodes == 3
    assert gr.from_edges(edges, node_attributes=[[0.5, 1, 2]]).node_attributes.shape == (3, 1)


def test_labels_may_be_numpy_arrays() -> None:
    made = gr.from_edges([[(0, 1)]], np.array([7]), node_labels=[np.array([3, 1])])
    assert (made.label_names, made.node_labels.tolist()) == ((1, 3), [1, 0])
    assert made.class_names == (7,)


def test_no_graphs_make_an_empty_dataset() -> None:
    assert len(gr.from_edges([])) == 0


@pytest.mark.parametrize(
    ("edges", "more", "message"),
    [
        ([(0, 1, 2)], {}, "graph 1: edges of shape .1, 3. and type int64; expected rows of two"),
        ([(0.0, 1.0)], {}, "graph 1: edges of shape .* type float64; expected rows of two"),
        ([(0, 1), (2,)], {}, "graph 1: expected rows of two node numbers"),
        ([(0, -1)], {}, "graph 1: an edge names node -1; expected numbers from 0 to 0"),
        ([], {}, "graph 1: no nodes; expected at least one"),
        ([(0, 2)], {"n_nodes": [2, 2]}, "an edge names node 2; expected numbers from 0 to 1"),
        ([(0, 1)], {"n_nodes": [2, 3], "node_labels": ["CC", "CC"]}, "graph 1: 2 node labels for"),
        ([(0, 1)], {"targets": [1]}, "1 targets for 2 graphs"),
        ([(0, 1)], {"targets": [{}, {}]}, "targets must be hashable: .*unhashable type: 'dict'"),
        (
            [(0, 1)],
            {"targets": [[1, 2], [3, 4]]},
            r"targets of shape \(2, 2\); expected one column",
        ),
        ([(0, 1)], {"targets": [1, None]}, "1 of 2 targets are missing, the first is number 1"),
        ([(0, 1)], {"node_labels": ["CC"]}, "1 node_labels for 2 graphs"),
        ([(0, 1)], {"node_labels": [[[1], [2]]] * 2}, "node labels must be hashable"),
        ([(0, 1)], {"edge_labels": ["-", "=="]}, "graph 1: 2 edge labels for 1 edges"),
        (
            [(0, 1)],
            {"node_attributes": [[1, 2], [1, np.nan]]},
            "graph 1, node 1: attribute nan; expected finite numbers",
        ),
        (
            [(0, 1)],
            {"node_attributes": [[1, 2], [[1, 2], [3, 4]]]},
            "graph 1: 2 node attributes; the graphs before it have 1",
        ),
        ([(0, 1)], {"node_attributes": [[1, 2], [[1], [1, 2]]]}, "graph 1: .* not as many at ev"),
        ([(0, 1)], {"node_attributes": [[1, 2], ["a", "b"]]}, "graph 1: .* are not numbers"),
        ([(0, 1)], {"node_attributes": [[1, 2], 5]}, "shape .*; expected a row for every node"),
        ([(0, 2**40)], {}, "graphs: .* nodes and 2 edge entries; one dataset holds at most"),
    ],
)
def test_what_cannot_be_graphs_is_refused(
    edges: list[object], more: dict[str, object], message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        gr.from_edges([[(0, 1)], edges], **more)


@pytest.mark.parametrize("what", ["node_labels", "edge_labels"])
def test_one_label_instead_of_a_list_is_refused(what: str) -> None:
    with pytest.raises(DatasetError, match=f"graph 0: {what} are 1; expected a list for every"):
        gr.from_edges([[(0, 1)]] * 2, **{what: [1, 2]})
