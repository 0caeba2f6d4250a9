import re
import xml.etree.ElementTree as ET

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphrings as gr
from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.chemistry import Chemistry
from graphrings.graphs.drawing.draw import distances_from
from graphrings.graphs.drawing.svg import XMLNS
from graphrings.graphs.molecules import molecules
from strategies import networks


@pytest.fixture
def paw() -> gr.Graph:
    """A triangle with a tail."""
    return gr.from_edges([[(0, 1), (0, 2), (1, 2), (2, 3)]])[0]


def parts(picture: object, name: str) -> list[ET.Element]:
    """The elements of a name in a picture."""
    return list(ET.fromstring(str(picture)).iter(f"{{{XMLNS}}}{name}"))  # noqa: S314, our own


@given(networks())
def test_every_node_is_a_circle_and_every_edge_a_line(network: nx.Graph) -> None:
    graph = gr.from_networkx([network])[0]
    picture = gr.draw(graph)
    assert len(parts(picture, "circle")) == graph.n_nodes
    assert sum(path.attrib["d"].count("L") for path in parts(picture, "path")) == graph.n_edges


@given(networks())
def test_a_picture_is_the_same_every_time_and_inside_its_frame(network: nx.Graph) -> None:
    graph = gr.from_networkx([network])[0]
    picture = gr.draw(graph)
    assert str(gr.draw(graph)) == str(picture)
    for circle in parts(picture, "circle"):
        assert 0 <= float(circle.attrib["cx"]) <= picture.width
        assert 0 <= float(circle.attrib["cy"]) <= picture.height + 0.1


@given(networks())
def test_distances_are_those_of_networkx(network: nx.Graph) -> None:
    graph = gr.from_networkx([network])[0]
    if graph.n_nodes:
        known = nx.Graph(graph.edges.tolist())
        known.add_nodes_from(range(graph.n_nodes))
        lengths = nx.single_source_shortest_path_length(known, 0)
        expected = [lengths.get(v, -1) for v in range(graph.n_nodes)]
        assert distances_from(graph, 0).tolist() == expected


def test_nodes_do_not_lie_on_each_other(paw: gr.Graph) -> None:
    circles = parts(gr.draw(paw), "circle")
    places = np.array([[float(c.attrib["cx"]), float(c.attrib["cy"])] for c in circles])
    radius = float(circles[0].attrib["r"])
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[np.triu_indices(4, 1)]
    assert gaps.min() > 2 * radius


def test_names_of_labels_are_text_and_nothing_else() -> None:
    graph = gr.from_edges([[(0, 1)]], node_labels=[["<script>", "&"]])[0]
    assert "<script>" not in str(gr.draw(graph))
    tips = [text.text for text in parts(gr.draw(graph), "title")][1:]
    assert tips == ["<script>", "&"]


def test_values_are_blue_below_zero_and_orange_above(paw: gr.Graph) -> None:
    fills = [c.attrib["fill"] for c in parts(gr.draw(paw, [-2.0, 0.0, 1.0, 2.0]), "circle")]
    channels = [[int(fill[k : k + 2], 16) for k in (1, 3, 5)] for fill in fills]
    assert channels[0][2] > channels[0][0]
    assert len(set(channels[1])) == 1
    assert channels[3][0] - channels[3][2] > channels[2][0] - channels[2][2] > 0


def test_distances_from_a_node_are_colours(paw: gr.Graph) -> None:
    fills = [c.attrib["fill"] for c in parts(gr.draw(paw, centre=3), "circle")]
    assert fills[0] == fills[1]
    assert len({fills[0], fills[2], fills[3]}) == 3


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"values": [1.0]}, "values of shape (1,) for 4 nodes; expected one finite"),
        ({"values": [1, 2, 3, np.nan]}, "expected one finite number per node"),
        ({"centre": 4}, "centre 4; expected a node from 0 to 3"),
        ({"centre": 1, "values": [0] * 4}, "values and centre together"),
        ({"width": 0}, "width 0; expected pixels above 0"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    paw: gr.Graph, asked: dict[str, object], said: str
) -> None:
    with pytest.raises(SettingError, match=re.escape(said)):
        gr.draw(paw, **asked)  # type: ignore[arg-type]


def test_only_graphs_are_drawn() -> None:
    with pytest.raises(DatasetError, match=re.escape("expected a Graph such as dataset[0]")):
        gr.draw(gr.load("MUTAG"))  # type: ignore[arg-type]


def test_a_molecule_is_drawn_with_its_bonds() -> None:
    aspirin = molecules(["CC(=O)Oc1ccccc1C(=O)O"]).dataset[0]
    picture = str(gr.draw(aspirin))
    assert "the molecule CC(=O)Oc1ccccc1C(=O)O" in picture
    assert "currentColor" in picture
    assert not parts(picture, "circle")
    assert "#000000" in str(gr.draw(aspirin, centre=0))  # on a white sheet


def test_every_atom_of_a_molecule_has_its_colour() -> None:
    salt = molecules(["CCO.[Na+]"], Chemistry(hydrogens=True)).dataset[0]
    picture = gr.draw(salt, np.linspace(-1, 1, salt.n_nodes))
    assert len(parts(picture, "ellipse")) == salt.n_nodes


def test_notebooks_get_pictures(paw: gr.Graph) -> None:
    assert paw._repr_svg_() == str(gr.draw(paw))
