from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from written import write_folder

EDGES = "graph,source,target,bond,length\nm10,a,b,single,1.5\nm9,x,y,double,1.25\nm9,y,z,double,2\n"
NODES = "graph,node,label,charge\nm9,z,C,0\nm9,y,N,-1\nm9,x,C,0\nm10,a,O,1\nm10,b,C,0\nm10,c,H,0\n"
GRAPHS = "graph,target\nm10,yes\nm9,no\n"


def test_edges_alone_make_graphs_in_natural_order(tmp_path: Path) -> None:
    with pytest.warns(DatasetNote, match="took 'bond' as edge label and 'length' as edge attribut"):
        made = gr.read(write_folder(tmp_path / "X", {"edges.csv": EDGES}))
    assert [graph.edges.tolist() for graph in made] == [[[0, 1], [1, 2]], [[0, 1]]]
    assert made.edge_label_names == ("double", "single")
    assert made[0].edge_attributes[:, 0].tolist() == [1.25, 1.25, 2.0, 2.0]
    assert made.targets is None


def test_nodes_and_graphs_say_the_rest(tmp_path: Path) -> None:
    files = {"edges.csv": EDGES, "nodes.csv": NODES, "graphs.csv": GRAPHS}
    with pytest.warns(DatasetNote):
        made = gr.read(write_folder(tmp_path / "X", files))
    assert made.sizes.tolist() == [3, 3]
    assert [made.class_names[k] for k in made.targets] == ["yes", "no"]
    assert [made.label_names[k] for k in made[1].node_labels] == ["C", "N", "C"]
    assert made[0].node_attributes[:, 0].tolist() == [1, 0, 0]
    assert made[1].edges.tolist() == [[0, 1], [1, 2]]


@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
def test_edges_may_stand_there_both_ways(tmp_path: Path) -> None:
    once = gr.read(write_folder(tmp_path / "X", {"edges.csv": EDGES}))
    twice = EDGES + "m10,b,a,single,1.5\n"
    both = gr.read(write_folder(tmp_path / "Y", {"edges.csv": twice}))
    assert both.fingerprint == once.fingerprint
    assert not any(both.repairs)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"edges.csv": EDGES.replace("source", "from")}, "edges.csv:1: no column 'source'.*it has"),
        ({"edges.csv": EDGES.replace("m9,x,y", "m9,x,")}, "edges.csv:3: an empty cell in column"),
        ({"nodes.csv": NODES.replace("m9,y", "m9,w")}, "edges.csv:3: the node 'y', which"),
        ({"nodes.csv": NODES.replace("m9,y", "m9,x")}, "nodes.csv:4: the node 'x' of .* twice"),
        ({"graphs.csv": GRAPHS.replace("m9", "m8")}, "edges.csv:3: the graph 'm9', which"),
        ({"graphs.csv": GRAPHS.replace("m9", "m10")}, "graphs.csv:3: the graph 'm10' twice"),
        ({"graphs.csv": GRAPHS.replace("no", "")}, "graphs.csv:3: an empty cell in column"),
        ({"graphs.csv": GRAPHS + "m1,no\n"}, "graph 'm1' has no nodes; nodes.csv lists those with"),
    ],
)  # fmt: skip
def test_tables_that_do_not_fit_are_refused(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    path = write_folder(tmp_path / "X", {"edges.csv": EDGES, **files})
    with pytest.raises(DatasetError, match=message):
        gr.read(path)


@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
@settings(max_examples=100)
@given(
    file=st.sampled_from(["edges.csv", "nodes.csv", "graphs.csv"]),
    at=st.floats(0, 1),
    length=st.integers(0, 20),
    other=st.text(max_size=4) | st.sampled_from(['"', ",", "\n", ";;;;;;;;;"]),
)
def test_whatever_is_changed_is_refused_or_read(
    tmp_path_factory: pytest.TempPathFactory, file: str, at: float, length: int, other: str
) -> None:
    files: dict[str, bytes | str] = {"edges.csv": EDGES, "nodes.csv": NODES, "graphs.csv": GRAPHS}
    text = str(files[file])
    start = int(at * len(text))
    changed = text[:start] + other + text[start + length :]
    files[file] = changed.encode("utf-8", "surrogatepass")
    try:
        assert len(gr.read(write_folder(tmp_path_factory.mktemp("csv") / "X", files))) >= 1
    except DatasetError as error:
        assert "\n" not in str(error)  # noqa: PT017
