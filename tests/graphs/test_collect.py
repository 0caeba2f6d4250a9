import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Graph


def edge(labels: str = "", attributes: object = None, target: object = None) -> Graph:
    """Two joined nodes."""
    return gr.from_edges(
        [[(0, 1)]],
        None if target is None else [target],
        node_labels=[labels] if labels else None,
        node_attributes=None if attributes is None else [attributes],
        edge_labels=["-"],
    )[0]


def test_label_names_of_all_graphs_are_brought_into_one_numbering() -> None:
    joined = gr.from_graphs([edge("CN"), edge("NO"), edge("OC")])
    assert joined.label_names == ("C", "N", "O")
    assert joined.node_labels.tolist() == [0, 1, 1, 2, 2, 0]
    assert joined.edge_label_names == ("-",)


def test_classes_keep_their_names() -> None:
    joined = gr.from_graphs([edge(target="toxic"), edge(target="harmless")])
    assert [joined.class_names[k] for k in joined.targets] == ["toxic", "harmless"]


def test_given_targets_come_before_the_graphs_own() -> None:
    joined = gr.from_graphs([edge(target="a"), edge(target="b")], targets=[1, 1], name="mine")
    assert (joined.class_names, joined.name) == ((1,), "mine")


def test_values_stay_values_even_if_they_are_whole() -> None:
    values = gr.from_edges([[(0, 1)]] * 3, [0.5, 1, 2], name="graphs")
    for some in (values, values[1:]):
        joined = gr.from_graphs(list(some))
        assert joined.targets.tolist() == some.targets.tolist()
        assert joined.has_values
        assert joined.fingerprint == some.fingerprint
    assert gr.from_graphs(list(values), ["a", "b", "a"]).class_names == ("a", "b")


def test_classes_and_values_do_not_mix() -> None:
    with pytest.raises(DatasetError, match="graph 1: some graphs have classes, some have values"):
        gr.from_graphs([edge(target="a"), edge(target=0.5)])


def test_one_graph_without_a_class_leaves_all_without() -> None:
    assert gr.from_graphs([edge(target="a"), edge()]).targets is None


def test_attributes_and_edges_stay_with_their_graphs() -> None:
    triangle = gr.from_networkx([nx.complete_graph(3)])[0]
    joined = gr.from_graphs([triangle, triangle])
    assert joined[1].edges.tolist() == triangle.edges.tolist()
    both = gr.from_graphs([edge(attributes=[[1, 2], [3, 4]]), edge(attributes=[[5, 6], [7, 8]])])
    assert both[1].node_attributes.tolist() == [[5, 6], [7, 8]]


def test_no_graphs_make_an_empty_dataset() -> None:
    empty = gr.from_graphs([])
    assert (len(empty), empty.n_nodes, empty.n_edges) == (0, 0, 0)
    assert empty.indptr.dtype == np.int32


@pytest.mark.parametrize(
    ("graphs", "targets", "message"),
    [
        ([edge()], [1, 2], "2 targets for 1 graphs"),
        ([edge("CC"), edge()], None, "graph 1: some graphs have node labels, some have none"),
        ([edge(), edge(), edge("CC")], None, "graph 2: some graphs have node labels"),
        (
            [edge(attributes=[[1], [2]]), edge(attributes=[[1, 2], [3, 4]])],
            None,
            "graph 1: 2 node attributes; the graphs before it have 1",
        ),
    ],
)
def test_graphs_that_do_not_fit_together_are_refused(
    graphs: list[Graph], targets: object, message: str
) -> None:
    with pytest.raises(DatasetError, match=message):
        gr.from_graphs(graphs, targets)
