"""Formats with a file per graph: order, targets, and what is wrong with them."""

import json
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.formats.graph6 import graph6_line, parse_graph6
from strategies import networks
from written import write_folder, write_zip

GRAPHML = (
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    '<key id="e" for="node" attr.name="element" attr.type="string"><default>C</default></key>\n'
    '<key id="q" for="node" attr.name="charge" attr.type="double"/>\n'
    '<key id="t" for="graph" attr.name="y" attr.type="string"/>\n'
    '<graph edgedefault="undirected"><data key="t">toxic</data>\n'
    '<node id="a"><data key="q"> 0.5 </data></node>\n'
    '<node id="b"><data key="e">N</data><data key="q">1</data></node>\n'
    '<edge source="a" target="b"/>\n'
    "</graph>\n</graphml>\n"
)
NODE_LINK = {"nodes": [{"id": "a"}, {"id": 2}], "links": [{"source": "a", "target": 2}]}


def test_graphml_has_data_defaults_and_a_target(tmp_path: Path) -> None:
    path = tmp_path / "X.graphml"
    path.write_text(GRAPHML)
    with pytest.warns(DatasetNote, match="X: took 'element' as node label and 'charge' as node at"):
        made = gr.read(path)
    assert [made.label_names[k] for k in made.node_labels] == ["C", "N"]
    assert made.node_attributes.tolist() == [[0.5], [1.0]]
    assert (made.class_names, made.name, made.n_edges) == (("toxic",), "X", 1)


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-16", "iso-8859-1", "windows-1252", "koi8-r"])
def test_graphml_may_be_in_any_encoding_with_a_byte_per_letter(
    tmp_path: Path, encoding: str
) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n{GRAPHML}'
    (tmp_path / "X.graphml").write_bytes(text.encode(encoding))
    with pytest.warns(DatasetNote, match="took 'element'"):
        assert gr.read(tmp_path / "X.graphml").n_edges == 1


@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
@pytest.mark.parametrize("suffix", [".graphml", ".gml", ".json", ".g6"])
@settings(max_examples=15)
@given(network=networks())
def test_what_networkx_writes_is_read(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, network: nx.Graph
) -> None:
    """Nodes come in the order of the graph, with a label and a number each."""
    network = nx.convert_node_labels_to_integers(network)
    expected = gr.from_networkx([network])
    if suffix != ".g6":
        nx.set_node_attributes(network, {v: "CNO"[v % 3] for v in network}, "element")
        nx.set_edge_attributes(network, 0.5, "length")
        expected = gr.from_networkx([network])
    path = tmp_path_factory.mktemp("nx") / f"X{suffix}"
    if suffix == ".json":
        path.write_text(json.dumps(nx.node_link_data(network, edges="links")))
    else:
        writers = {".graphml": nx.write_graphml_xml, ".gml": nx.write_gml, ".g6": nx.write_graph6}
        writers[suffix](network, path)
    made = gr.read(path)
    assert made.fingerprint == expected.fingerprint
    assert made.label_names == expected.label_names
    if made.n_edges and suffix != ".g6":
        assert made.edge_attributes.tolist() == expected.edge_attributes.tolist()


@pytest.mark.parametrize("suffix", [".graphml", ".gml", ".json"])
@settings(max_examples=15)
@given(network=networks())
def test_networkx_reads_what_is_written(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, network: nx.Graph
) -> None:
    network = nx.convert_node_labels_to_integers(network)
    nx.set_node_attributes(network, {v: "CNO"[v % 3] for v in network}, "kind")
    nx.set_edge_attributes(network, 7, "kind")
    path = tmp_path_factory.mktemp("nx") / f"X{suffix}"
    gr.write(gr.from_networkx([network], [1], "kind", edge_label="kind"), path)
    if suffix == ".graphml":
        made = nx.read_graphml(path, node_type=lambda name: int(name.removeprefix("n")))
    elif suffix == ".gml":
        made = nx.read_gml(path, destringizer=int)
    else:
        made = nx.node_link_graph(json.loads(path.read_text())[0], edges="edges")
    label = "node_label" if suffix == ".gml" else "label"
    assert set(map(frozenset, made.edges)) == set(map(frozenset, network.edges))
    assert nx.get_node_attributes(made, label) == nx.get_node_attributes(network, "kind")
    assert set(nx.get_edge_attributes(made, "label").values()) <= {7}
    assert made.graph["target"] == 1


@given(networks())
@settings(max_examples=50)
def test_a_line_of_graph6_is_that_of_networkx(network: nx.Graph) -> None:
    network = nx.convert_node_labels_to_integers(network)
    graph = gr.from_networkx([network])[0]
    line = nx.to_graph6_bytes(network, header=False)
    assert graph6_line(graph) == line
    assert parse_graph6(b">>graph6<<" + line, "")[0].n_nodes == graph.n_nodes


@pytest.mark.parametrize("n", [62, 63, 200])
def test_graph6_of_many_nodes(n: int) -> None:
    network = nx.gnp_random_graph(n, 0.1, seed=0)
    assert graph6_line(gr.from_networkx([network])[0]) == nx.to_graph6_bytes(network, header=False)
    (listed,) = parse_graph6(nx.to_graph6_bytes(network), "")
    assert sorted(map(tuple, listed.edges.tolist())) == sorted(network.edges)


def paths(*names: str) -> dict[str, str]:
    """Graphs in graph6: an edge, then paths of 3, 4, ... nodes."""
    lines = [nx.to_graph6_bytes(nx.path_graph(n), header=False) for n in range(2, 2 + len(names))]
    return {name: line.decode() for name, line in zip(names, lines, strict=True)}


def test_files_are_in_natural_order_and_targets_beside_them(tmp_path: Path) -> None:
    files = paths("g10.g6", "g9.g6", "g1.g6")
    made = gr.read(write_folder(tmp_path / "A", files))
    assert made.sizes.tolist() == [4, 3, 2]
    assert made.targets is None
    files["targets.csv"] = "file,target\ng9,b\ng10.g6,c\ng1,a\n"
    for path in (write_folder(tmp_path / "B", files), write_zip(tmp_path / "B.zip", files, "in/")):
        made = gr.read(path)
        assert [made.class_names[k] for k in made.targets] == ["a", "b", "c"]


def test_targets_of_a_file_with_many_graphs_are_by_number(tmp_path: Path) -> None:
    text = "".join(paths("a", "b").values())
    files = {"all.g6": text, "graphs.csv": "graph;y\n1;0.5\n0;1\n"}
    assert gr.read(write_folder(tmp_path / "X", files)).targets.tolist() == [1.0, 0.5]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("graph,target\n1,a\n", r"graphs.csv: no target of '2'; expected one for every graph"),
        ("graph,target\n1,a\n3,b\n", r"graphs.csv:3: no graph is called '3'; expected names such"),
        ("graph,target\n1,a\n1.g6,b\n", r"graphs.csv:3: a second target of '1.g6'"),
        ("graph,target\n1,a\n2,\n", r"graphs.csv:3: no target of '2'"),
        ("graph,tarjet\n1,a\n2,b\n", r"graphs.csv:1: no column 'target'.*'tarjet'"),
        ("graph,target\n1,a,3\n2,b\n", r"graphs.csv:2: 3 cells; expected 2"),
        ("graph,graph\n", r"graphs.csv:1: the heading 'graph' twice"),
        ("", r"graphs.csv: the file is empty"),
        (b"graph,target\n1,\xff\n", r"graphs.csv: not UTF-8 text \(byte 15\)"),
        ('graph,target\n1,"a\n', r"graphs.csv:2: unexpected end of data"),
    ],
)
def test_targets_that_do_not_fit_are_refused(
    tmp_path: Path, table: str | bytes, message: str
) -> None:
    files = {**paths("1.g6", "2.g6"), "graphs.csv": table}
    with pytest.raises(DatasetError, match=message):
        gr.read(write_folder(tmp_path / "X", files))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("X.graphml", GRAPHML.replace("/>\n</graph>", ">\n</graph>"), "X.graphml:9: not XML .mism"),
        ("X.graphml", '<!DOCTYPE x [<!ENTITY a "b">]>' + GRAPHML, "X.graphml:1: a document type"),
        ("X.graphml", '<?xml version="1.0" encoding="UTF-9"?>' + GRAPHML, ":1: the encoding 'UTF"),
        ("X.graphml", '<?xml version="1.0" encoding="big5"?>' + GRAPHML, ":1: the encoding 'big5'"),
        ("X.graphml", GRAPHML.replace('target="b"', 'target="c"'), ":8: an edge of 'c', which"),
        ("X.graphml", GRAPHML.replace('id="b"', 'id="a"'), "X.graphml:7: a second node 'a'"),
        ("X.graphml", GRAPHML.replace(">1<", ">one<"), ":7: charge is 'one'; expected .* double"),
        ("X.graphml", GRAPHML.replace('key="t"', 'key="u"'), ":5: data of the key 'u', which"),
        ("X.graphml", GRAPHML.replace('"double"', '"real"'), ":3: attr.type 'real'; expected one"),
        ("X.graphml", GRAPHML.replace(' id="a"', ""), ":6: an element without 'id'"),
        ("X.graphml", GRAPHML.replace("<edge", "<hyperedge/><edge"), ":8: a hyperedge"),
        ("X.graphml", GRAPHML.replace("<edge", "<graph/><edge"), ":8: a graph inside a graph"),
        ("X.graphml", "<graphml><node id='a'/></graphml>", ":1: a node or an edge outside a graph"),
        ("X.graphml", "<graphml/>", "X.graphml: no graphs; expected at least one"),
        ("X.graphml", "<graphml><graph/></graphml>", "X.graphml: graph 0: no nodes"),
        ("X.gml", "graph [ node [ id 0 ] node [ id 0 ] ]", "X.gml: not GML .*duplicated"),
        ("X.gml", "graph [\n node [ id ?", "X.gml:2: not GML .cannot tokenize"),
        ("X.gml", "graph " + "[ a " * 5000, "X.gml: not GML"),
        ("X.json", '{"nodes": [', "X.json:1: not JSON .Expecting value"),
        ("X.json", "[" * 100_000, "X.json: not node-link JSON .lists inside lists"),
        ("X.json", "3", "X.json: a int; expected an object with nodes"),
        ("X.json", "[{}]", "X.json: graph 0: no list 'nodes'; expected node-link JSON"),
        ("X.json", '{"nodes": [1], "edges": []}', r"X.json: nodes\[0\] is no object"),
        ("X.json", '{"nodes": [{}], "edges": []}', r"nodes\[0\]: id is None; expected text or a"),
        ("X.json", json.dumps(NODE_LINK).replace('{"id": 2}', '{"id": "a"}'), "a second node 'a'"),
        ("X.json", json.dumps(NODE_LINK).replace('{"id": 2}', '{"id": 3}'), "an edge of 2, which"),
        ("X.json", '{"nodes": [{"id": 1, "w": NaN}], "edges": []}', "X.json: not JSON .NaN is no"),
        ("X.g6", "A_\n\nB!\n", "X.g6:3: not graph6, whose characters go from"),
        ("X.g6", "A_\nD?\n", "X.g6:2: 1 characters for 5 nodes; .* 2 characters behind"),
        ("X.g6", "?\n", "X.g6:1: 0 characters for 0 nodes; expected at least one node"),
        ("X.g6", "\n", "X.g6: no graphs"),
    ],
)  # fmt: skip
def test_spoiled_files_are_refused_with_their_place(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(DatasetError, match=message) as error:
        gr.read(tmp_path / name)
    assert "\n" not in str(error.value)


def test_a_list_of_graphs_and_single_ones_are_node_link_json(tmp_path: Path) -> None:
    (tmp_path / "X.json").write_text(json.dumps([NODE_LINK, NODE_LINK]))
    assert [g.edges.tolist() for g in gr.read(tmp_path / "X.json")] == [[[0, 1]]] * 2


def test_names_of_nodes_in_gml_are_no_labels(tmp_path: Path) -> None:
    nx.write_gml(nx.Graph([("a", "b")]), tmp_path / "X.gml")
    with pytest.warns(DatasetNote, match="left node 'label', which calls every node .* different"):
        assert gr.read(tmp_path / "X.gml").node_labels is None
    text = 'graph [ node [ id 0 label "C" ] node [ id 1 label "C" ] ]'
    (tmp_path / "Y.gml").write_text(text)
    assert gr.read(tmp_path / "Y.gml").label_names == ("C",)


def spoiled(text: str, at: float, length: int, other: str) -> str:
    """The text with a piece replaced by something else."""
    start = int(at * len(text))
    return text[:start] + other + text[start + length :]


@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
@pytest.mark.parametrize("suffix", [".graphml", ".gml", ".json", ".g6"])
@settings(max_examples=150)
@given(
    at=st.floats(0, 1),
    length=st.integers(0, 40),
    other=st.text(max_size=4) | st.sampled_from(["[", "]", "<node/>", "<default/>", "null", "1e9"]),
)
def test_whatever_is_changed_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, suffix: str, at: float, length: int, other: str
) -> None:
    """No file ends in an error that is not ours."""
    graph = nx.Graph([(0, 1), (1, 2)], target="a")
    nx.set_node_attributes(graph, {0: "C", 1: "N", 2: "C"}, "label")
    nx.set_node_attributes(graph, 0.5, "charge")
    path = tmp_path_factory.mktemp("spoiled") / f"X{suffix}"
    if suffix == ".graphml":
        text = GRAPHML
    else:
        gr.write(gr.from_networkx([graph], ["a"]), path)
        text = path.read_text()
    path.write_bytes(spoiled(text, at, length, other).encode("utf-8", "surrogatepass"))
    try:
        assert len(gr.read(path)) >= 1
    except DatasetError as error:
        assert "\n" not in str(error)  # noqa: PT017
