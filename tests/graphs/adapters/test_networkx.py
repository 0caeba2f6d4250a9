import networkx as nx
import pytest
from hypothesis import given

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Repairs
from strategies import networks


@given(networks())
def test_nodes_are_numbered_in_the_order_of_the_graph(network: nx.Graph) -> None:
    number = {node: k for k, node in enumerate(network)}
    graph = gr.from_networkx([network])[0]
    expected = sorted(sorted((number[u], number[v])) for u, v in network.edges)
    assert graph.edges.tolist() == expected
    assert graph.n_nodes == len(network)


def carbon_monoxide() -> nx.Graph:
    molecule = nx.Graph(name="CO")
    molecule.add_node("c", element="C", charge=-1, place=(0.0, 1.0))
    molecule.add_node("o", element="O", charge=1, place=(0.5, 1.0))
    molecule.add_edge("c", "o", bond="triple")
    return molecule


def test_labels_of_any_type_are_taken() -> None:
    made = gr.from_networkx(
        [carbon_monoxide()] * 2, ["toxic", "toxic"], node_label="element", edge_label="bond"
    )
    assert [made.label_names[k] for k in made.node_labels] == ["C", "O", "C", "O"]
    assert (made.edge_label_names, made.edge_labels.tolist()) == (("triple",), [0] * 4)
    assert made.class_names == ("toxic",)


def test_attributes_are_numbers_and_vectors_side_by_side() -> None:
    one = gr.from_networkx([carbon_monoxide()], node_attributes="charge")
    assert one.node_attributes.tolist() == [[-1], [1]]
    both = gr.from_networkx([carbon_monoxide()], node_attributes=["charge", "place"])
    assert both.node_attributes.tolist() == [[-1, 0, 1], [1, 0.5, 1]]
    assert gr.from_networkx([carbon_monoxide()], node_attributes=[]).node_attributes is None


def test_directions_are_dropped_with_a_note() -> None:
    directed = nx.DiGraph([(0, 1), (1, 0), (1, 2)])
    with pytest.warns(DatasetNote, match="made 1 one-way edge two-way"):
        made = gr.from_networkx([directed])
    assert made[0].edges.tolist() == [[0, 1], [1, 2]]


def test_parallel_edges_and_loops_are_dropped_with_a_note() -> None:
    """Both directions of the second edge 0-1 are repeated."""
    with pytest.warns(DatasetNote) as notes:
        made = gr.from_networkx([nx.MultiGraph([(0, 1), (0, 1), (1, 1)])])
    assert len(notes) == 1
    assert made.repairs == Repairs(self_loops=1, repeated=2)
    assert made[0].edges.tolist() == [[0, 1]]


def test_a_missing_label_is_named_with_graph_and_node() -> None:
    bad = carbon_monoxide()
    del bad.nodes["o"]["element"]
    with pytest.raises(DatasetError) as error:
        gr.from_networkx([carbon_monoxide(), bad], node_label="element")
    assert str(error.value) == "graph 1, node 'o': no 'element'; it has 'charge', 'place'"
    with pytest.raises(DatasetError, match=r"graph 0, edge \(0, 1\): no 'bond'; it has no data"):
        gr.from_networkx([nx.path_graph(2)], edge_label="bond")


@pytest.mark.parametrize("value", ["high", (1, 2), [[1]], {"of": 1}])
def test_attributes_that_are_no_numbers_are_refused(value: object) -> None:
    bad = carbon_monoxide()
    bad.nodes["o"]["charge"] = value
    with pytest.raises(DatasetError, match="graph 0: node attributes"):
        gr.from_networkx([bad], node_attributes="charge")


def test_a_graph_without_nodes_is_refused() -> None:
    with pytest.raises(DatasetError, match="graph 1: no nodes; expected at least one"):
        gr.from_networkx([nx.path_graph(2), nx.Graph()])


def test_a_wrong_number_of_targets_is_refused() -> None:
    with pytest.raises(DatasetError, match="2 targets for 1 graphs"):
        gr.from_networkx([nx.path_graph(2)], [0, 1])
