import warnings

import networkx as nx
import pytest
from hypothesis import assume, given, settings

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Repairs
from graphrings.graphs.targets import is_continuous
from rich_datasets import assert_same, rich_datasets
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
        [carbon_monoxide()] * 2, ["toxic", "toxic"], "element", None, edge_label="bond"
    )
    assert [made.label_names[k] for k in made.node_labels] == ["C", "O", "C", "O"]
    assert (made.edge_label_names, made.edge_labels.tolist()) == (("triple",), [0] * 4)
    assert made.class_names == ("toxic",)


def test_attributes_are_numbers_and_vectors_side_by_side() -> None:
    ignored = {"node_label": None, "edge_label": None}
    one = gr.from_networkx([carbon_monoxide()], node_attributes="charge", **ignored)
    assert one.node_attributes.tolist() == [[-1], [1]]
    both = gr.from_networkx([carbon_monoxide()], node_attributes=["charge", "place"], **ignored)
    assert both.node_attributes.tolist() == [[-1, 0, 1], [1, 0.5, 1]]
    assert (
        gr.from_networkx([carbon_monoxide()], None, None, [], edge_label=None).node_labels is None
    )


def test_labels_and_attributes_are_found_by_themselves_with_one_note() -> None:
    """What is no number is the label, what is one an attribute; the names are in order."""
    with pytest.warns(DatasetNote) as notes:
        made = gr.from_networkx([carbon_monoxide()] * 2)
    assert [str(note.message) for note in notes] == [
        "graphs: took 'element' as node label and 'charge', 'place' as node attributes and 'bond' "
        "as edge label"
    ]
    assert made.label_names == ("C", "O")
    assert made[1].node_attributes.tolist() == [[-1, 0, 1], [1, 0.5, 1]]
    assert made.edge_label_names == ("triple",)


def path_with(**data: list[object]) -> nx.Graph:
    """A path whose nodes carry these data."""
    path = nx.path_graph(len(next(iter(data.values()))))
    for key, values in data.items():
        nx.set_node_attributes(path, dict(enumerate(values)), key)
    return path


@pytest.mark.parametrize(
    ("data", "label", "n_attributes"),
    [
        ({"label": [1, 2, 1], "kind": ["a", "b", "c"]}, (1, 2), 0),
        ({"kind": ["a", "b", "b"], "size": [3, 4, 5]}, ("a", "b"), 1),
        ({"kind": [0, 255, 0]}, (0, 255), 0),
        ({"kind": [0, 256, 0]}, (), 1),
        ({"charge": [-1, 0, 1]}, (), 1),
        ({"kind": [0, 1, 0], "group": [2, 2, 3]}, (), 2),
        ({"mass": [1.0, 2.0, 3.0]}, (), 1),
        ({"label": [0.5, 1.5, 2.5]}, (), 1),
        ({"label": [-1, 10**9, 0]}, (-1, 0, 10**9), 0),
        ({"label": [(0, 1), (1, 0), (0, 1)]}, ((0, 1), (1, 0)), 0),
        ({"ring": [True, False, True]}, (False, True), 0),
        ({"at": [(0, 1), (2, 3), (4, 5)], "who": ["a", "b", "a"]}, ("a", "b"), 2),
    ],
)
def test_which_data_is_the_label(
    data: dict[str, list[object]], label: tuple[object, ...], n_attributes: int
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DatasetNote)
        made = gr.from_networkx([path_with(**data)])
    assert made.label_names == label
    width = 0 if made.node_attributes is None else made.node_attributes.shape[1]
    assert width == n_attributes


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"a": ["x"] * 3, "b": ["y"] * 3}, "left node 'a', since several could be the label: name"),
        ({"a": [{}] * 3}, "left node 'a', which is neither a name nor finite numbers"),
        ({"a": [1.0, float("nan"), 2.0]}, "left node 'a', which is neither a name nor finite"),
        ({"a": [[1], [1, 2], [3]]}, "left node 'a', which is neither"),
        ({"a": [0, 10**400, 0]}, "left node 'a', which is neither"),
    ],
)
def test_what_is_left_is_said(data: dict[str, list[object]], words: str) -> None:
    with pytest.warns(DatasetNote, match=words):
        made = gr.from_networkx([path_with(**data)])
    assert made.node_labels is None
    assert made.node_attributes is None


def test_data_that_some_nodes_lack_are_left() -> None:
    some = path_with(label=["a", "b"])
    with pytest.warns(DatasetNote, match="left node 'label', which 3 of 5 nodes lack"):
        assert gr.from_networkx([some, nx.path_graph(3)]).node_labels is None


def test_what_is_named_is_not_looked_for_and_none_ignores() -> None:
    path = path_with(kind=["a", "b"], size=[0.5, 1.5])
    assert gr.from_networkx([path], node_label="kind", node_attributes="size").n_labels == 2
    with pytest.warns(DatasetNote, match="^graphs: took 'size' as node attributes$"):
        assert gr.from_networkx([path], node_label=None).n_labels == 0
    with pytest.warns(DatasetNote, match="^graphs: took 'kind' as node label$"):
        assert gr.from_networkx([path], node_attributes=None).node_attributes is None


def test_edges_have_labels_and_attributes_too() -> None:
    path = nx.path_graph(3)
    nx.set_edge_attributes(path, {(0, 1): "single", (1, 2): "double"}, "bond_type")
    assert gr.from_networkx([path]).edge_label_names == ("double", "single")  # a usual name
    nx.set_edge_attributes(path, {(0, 1): 1.5, (1, 2): 1.25}, "length")
    with pytest.warns(DatasetNote, match="'bond_type' as edge label and 'length' as edge attr"):
        made = gr.from_networkx([path])
    assert [made.edge_label_names[k] for k in made.edge_labels] == [
        "single", "single", "double", "double"
    ]  # fmt: skip
    assert made.edge_attributes[:, 0].tolist() == [1.5, 1.5, 1.25, 1.25]


def test_targets_may_stand_in_the_graphs() -> None:
    graphs = [nx.Graph([(0, 1)], y=y) for y in "ab"]
    assert gr.from_networkx(graphs, "y").class_names == ("a", "b")
    with pytest.raises(DatasetError, match="graph 0: no 'target'; it has 'y'"):
        gr.from_networkx(graphs, "target")


@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
@settings(max_examples=40)
@given(rich_datasets(integers=False))
def test_graphs_come_back_from_networkx(dataset: gr.Dataset) -> None:
    """Values that happen to be whole are the exception: they come back as classes."""
    assume(not dataset.has_values or is_continuous(dataset.targets))
    again = gr.from_networkx(
        dataset.to_networkx(),
        "target",
        node_label="label" if dataset.n_labels else None,
        edge_label="label",
        name=dataset.name,
    )
    assert_same(again, dataset)


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
        gr.from_networkx(
            [carbon_monoxide(), bad], node_label="element", node_attributes=None, edge_label=None
        )
    assert str(error.value) == "graph 1, node 'o': no 'element'; it has 'charge', 'place'"
    with pytest.raises(DatasetError, match=r"graph 0, edge \(0, 1\): no 'bond'; it has no data"):
        gr.from_networkx([nx.path_graph(2)], edge_label="bond")


@pytest.mark.parametrize("value", ["high", (1, 2), [[1]], {"of": 1}])
def test_attributes_that_are_no_numbers_are_refused(value: object) -> None:
    bad = carbon_monoxide()
    bad.nodes["o"]["charge"] = value
    with pytest.raises(DatasetError, match="graph 0: node attributes"):
        gr.from_networkx([bad], None, None, "charge", edge_label=None)


def test_a_graph_without_nodes_is_refused() -> None:
    with pytest.raises(DatasetError, match="graph 1: no nodes; expected at least one"):
        gr.from_networkx([nx.path_graph(2), nx.Graph()])


def test_a_wrong_number_of_targets_is_refused() -> None:
    with pytest.raises(DatasetError, match="2 targets for 1 graphs"):
        gr.from_networkx([nx.path_graph(2)], [0, 1])
