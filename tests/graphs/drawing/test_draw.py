import re
import xml.etree.ElementTree as ET

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

import graphrings as gr
from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.chemistry import Chemistry
from graphrings.graphs.drawing import molecule
from graphrings.graphs.drawing.draw import distances_from
from graphrings.graphs.drawing.legend import by_colour, legend
from graphrings.graphs.drawing.molecule import (
    SHORTEST_BOND,
    bond_length,
    molecule_of,
    pen_after_drawing,
)
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


def trees(n_nodes: int, names: str) -> gr.Graph:
    tree = nx.random_labeled_tree(n_nodes, seed=n_nodes)
    nx.set_node_attributes(tree, {v: names.split()[v % 3] for v in tree}, "label")
    return gr.from_networkx([tree])[0]


@pytest.mark.parametrize("names", ["C N O", "C Cl helix"])
@pytest.mark.parametrize("width", [150, 200, 272, 360])
@pytest.mark.parametrize("n_nodes", [3, 10, 30, 100, 300])
def test_text_has_eleven_pixels_or_there_is_a_legend(n_nodes: int, width: int, names: str) -> None:
    picture = gr.draw(trees(n_nodes, names), width=width)
    texts = parts(picture, "text")
    assert all(float(text.attrib["font-size"]) >= 11 for text in texts)
    shown = [text.text for text in texts]
    if parts(picture, "rect"):  # a legend
        assert sorted(shown) == sorted(names.split())
        fills = {rect.attrib["fill"] for rect in parts(picture, "rect")}
        assert fills == {circle.attrib["fill"] for circle in parts(picture, "circle")}
        ends = [circle for circle in parts(picture, "circle") if "cy" in circle.attrib]
        assert max(float(one.attrib["cy"]) for one in ends) < picture.height - 18
    else:
        assert len(shown) == n_nodes
        radius = float(parts(picture, "circle")[0].attrib["r"])
        for text in texts:  # letters are about 0.6 of their size wide: they stay in the node
            room = 0.6 * float(text.attrib["font-size"]) * len(text.text or "")
            assert room <= 2 * radius


def test_both_letters_and_legends_occur() -> None:
    assert not parts(gr.draw(trees(10, "C N O"), width=272), "rect")
    assert parts(gr.draw(trees(100, "C N O"), width=272), "rect")


def test_values_have_no_legend_of_labels() -> None:
    graph = trees(100, "C N O")
    assert not parts(gr.draw(graph, np.arange(100.0), width=200), "rect")


def test_labels_that_share_a_colour_share_an_entry_and_long_names_are_cut() -> None:
    names = ["a", "b", "a", "long " * 30]
    shown = by_colour(names, ["#111111", "#111111", "#111111", "#222222"], most=7)
    assert list(shown.items()) == [("a, b", "#111111"), (names[3], "#222222")]
    text, height = legend(shown, 150)
    assert height == 36
    assert len(re.findall("long", text)) < 8
    assert legend({}, 150) == ("", 0.0)


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


LONG = "CC(C)CC(NC(=O)C(CO)NC(=O)C(CS)NC(=O)CNC(=O)C(CC(=O)O)NC(=O)C(C)N)C(=O)O"


@pytest.mark.parametrize("smiles", ["c1ccccc1[N+](=O)[O-]", "CC(=O)Oc1ccccc1C(=O)O", LONG, "C"])
@pytest.mark.parametrize("width", [150, 200, 272, 360])
def test_letters_of_a_molecule_have_eleven_pixels(smiles: str, width: int) -> None:
    """Rdkit draws letters as shapes: it says itself how large they are."""
    graph = molecules([smiles]).dataset[0]
    mol = molecule_of(graph)
    pen = pen_after_drawing(mol, None, (width, width), letters=True)
    assert pen.FontSize() >= 11
    if bond_length(pen, mol) >= SHORTEST_BOND:
        assert pen.FontSize() <= 0.7 * bond_length(pen, mol)
    legend = [text.text for text in parts(gr.draw(graph, width=width), "text")]
    assert legend == (["N", "O", "S"] if smiles == LONG and width < 272 else [])


def test_every_atom_of_a_molecule_has_its_colour() -> None:
    salt = molecules(["CCO.[Na+]"], Chemistry(hydrogens=True)).dataset[0]
    picture = gr.draw(salt, np.linspace(-1, 1, salt.n_nodes))
    assert len(parts(picture, "ellipse")) == salt.n_nodes


def test_notebooks_get_pictures(paw: gr.Graph) -> None:
    assert paw._repr_svg_() == str(gr.draw(paw))


def test_a_molecule_of_very_many_atoms_is_drawn_as_a_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that rdkit takes for places goes with the cube of the atoms."""
    graph = gr.from_smiles(["C" * 12])[0]
    assert "the molecule" in str(gr.draw(graph))
    monkeypatch.setattr(molecule, "MOST_ATOMS", 11)
    assert "a graph of 12 nodes" in str(gr.draw(graph))
