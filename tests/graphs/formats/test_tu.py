from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Repairs
from written import TU, Texts, as_bytes, write_folder, write_zip

RICH: Texts = TU | {
    "TINY_node_attributes.txt": "".join(f"{v}, -{v}.5\n" for v in range(7)),
    "TINY_edge_labels.txt": "1\n1\n2\n2\n1\n1\n3\n3\n",
    "TINY_edge_attributes.txt": "".join(f"{e}\n" for e in range(8)),
}


def test_graphs_labels_and_classes_are_read(tmp_path: Path) -> None:
    tiny = gr.read_tu(write_folder(tmp_path / "somewhere", TU))
    assert tiny.name == "TINY"
    assert tiny.sizes.tolist() == [3, 3, 1]
    assert [g.edges.tolist() for g in tiny] == [[[0, 1], [0, 2], [1, 2]], [[0, 1]], []]
    assert tiny.class_names == (-1, 1)
    assert tiny.targets.tolist() == [1, 0, 1]
    assert [tiny.label_names[k] for k in tiny.node_labels] == [5, 7, 5, 7, 7, 9, 5]
    assert tiny.repairs == Repairs()
    assert tiny.node_attributes is tiny.edge_labels is tiny.edge_attributes is None


def test_attributes_and_edge_labels_are_read_when_present(tmp_path: Path) -> None:
    """Entries stand sorted by (tail, head): of node 1 first 1-2 (line 1), then 1-3 (line 5)."""
    tiny = gr.read_tu(write_folder(tmp_path, RICH))
    assert tiny[1].node_attributes.tolist() == [[3, -3.5], [4, -4.5], [5, -5.5]]
    assert tiny[0].edge_attributes.ravel().tolist() == [0, 4, 1, 2, 5, 3]
    assert [tiny.edge_label_names[k] for k in tiny[0].edge_labels] == [1, 1, 1, 2, 1, 2]
    assert [tiny.edge_label_names[k] for k in tiny[1].edge_labels] == [3, 3]
    assert tiny[2].edge_labels.tolist() == []


@pytest.mark.parametrize("inside", ["", "TINY/", "deep/down/"])
def test_a_zip_is_read_like_a_folder(tmp_path: Path, inside: str) -> None:
    zipped = gr.read_tu(write_zip(tmp_path / "any.zip", RICH, inside))
    folder = gr.read_tu(str(write_folder(tmp_path / "TINY", RICH)))
    assert (zipped.name, zipped.fingerprint) == (folder.name, folder.fingerprint)


def test_labels_of_several_columns_are_tuples(tmp_path: Path) -> None:
    labels = "0, 1\n0, 2\n0, 1\n0, 1\n1, 0\n0, 1\n0, 1\n"
    tiny = gr.read_tu(write_folder(tmp_path, TU | {"TINY_node_labels.txt": labels}))
    assert tiny.label_names == ((0, 1), (0, 2), (1, 0))
    assert tiny.node_labels.tolist() == [0, 1, 0, 0, 2, 0, 0]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text + "\n \r\n\n",
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(", ", ","),
        lambda text: text.replace(", ", " ,\t ").replace("\n", "  \n"),
    ],
    ids=["CRLF", "byte-order mark", "blank last lines", "no last line end", "no space", "spaces"],
)
def test_ways_to_write_the_same_files(tmp_path: Path, change: object) -> None:
    plain = gr.read_tu(write_folder(tmp_path / "plain", RICH))
    other = gr.read_tu(write_folder(tmp_path / "other", {k: change(t) for k, t in RICH.items()}))
    assert other.fingerprint == plain.fingerprint
    assert other.node_attributes.tolist() == plain.node_attributes.tolist()
    assert other.edge_attributes.tolist() == plain.edge_attributes.tolist()


@pytest.mark.parametrize("blank", ["", "\n", b"\xef\xbb\xbf"])
def test_graphs_without_a_single_edge_are_graphs(tmp_path: Path, blank: str | bytes) -> None:
    edgeless = {"TINY_A.txt": blank, "TINY_edge_labels.txt": blank}
    tiny = gr.read_tu(write_folder(tmp_path, TU | edgeless))
    assert (len(tiny), tiny.n_edges) == (3, 0)


def test_what_is_not_simple_and_undirected_is_repaired_with_one_note(tmp_path: Path) -> None:
    """A loop at 1, the edge 1-2 once more, and 5-6 in one direction only."""
    edges = as_bytes(TU["TINY_A.txt"]) + b"1, 1\n1, 2\n5, 6\n"
    with pytest.warns(DatasetNote) as notes:
        tiny = gr.read_tu(write_folder(tmp_path, TU | {"TINY_A.txt": edges}))
    assert len(notes) == 1
    assert tiny.repairs == Repairs(self_loops=1, repeated=1, one_way=1)
    assert tiny[1].edges.tolist() == [[0, 1], [1, 2]]


NUMBERING = "since graphs are numbered from 1 without gaps and their nodes stand together"


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("A", "1, 2\n2, x\n", ":2: found '2, x'; expected 2 integers separated by commas"),
        ("A", "1, 2\n2\n", ":2: found '2'; expected 2 integers separated by commas"),
        ("A", "1, 2\n2, 1.5\n", ":2: found '2, 1.5'; expected 2 integers separated by commas"),
        ("A", "1, 2\n2, 8\n", ":2: node 8; expected a number from 1 to 7"),
        ("A", "0, 2\n", ":1: node 0; expected a number from 1 to 7"),
        (
            "A",
            "1, 2\n3, 4\n",
            ":2: edge (3, 4) joins graph 1 to graph 2; an edge must stay inside one graph",
        ),
        ("graph_indicator", "", ": the file is empty"),
        ("graph_indicator", "1\n2\n1\n", f":3: graph number 1; expected 2 or 3, {NUMBERING}"),
        ("graph_indicator", "1\n3\n", f":2: graph number 3; expected 1 or 2, {NUMBERING}"),
        ("graph_indicator", "0\n1\n", f":1: graph number 0; expected 1, {NUMBERING}"),
        ("graph_indicator", "1\none\n", ":2: found 'one'; expected an integer"),
        ("graph_labels", "\n", ": the file is empty"),
        ("graph_labels", "1\n1\n", ": 2 lines for 3 graphs"),
        ("graph_labels", "1\n0.5\n1\n", ":2: found '0.5'; expected an integer"),
        ("node_labels", "1\n", ": 1 lines for 7 nodes"),
        ("node_labels", "1,2\n1\n", ":2: found '1'; expected 2 integers separated by commas"),
        ("node_attributes", "1\n" * 8, ": 8 lines for 7 nodes"),
        ("node_attributes", "1, 2\n3\n", ":2: found '3', a row of 1; the rows above have 2"),
        ("node_attributes", "1\nNaN\n", ":2: found 'NaN'; expected a finite number"),
        ("node_attributes", "1, 1\n1, inf\n", ":2: found '1, inf'; expected 2 finite numbers"),
        ("edge_labels", "1\n", ": 1 lines for 8 edges"),
        ("edge_attributes", "1\n", ": 1 lines for 8 edges"),
        ("edge_attributes", "1\n\n1\n", ":2: found an empty line; expected a finite number"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(
    tmp_path: Path, kind: str, text: str, message: str
) -> None:
    for place in (tmp_path / "TINY", tmp_path / "TINY.zip"):
        write = write_zip if place.suffix else write_folder
        write(place, TU | {f"TINY_{kind}.txt": text})
        with pytest.raises(DatasetError) as error:
            gr.read_tu(place)
        assert str(error.value) == f"{place}/TINY_{kind}.txt{message}"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    write_folder(tmp_path, {name: text for name, text in TU.items() if "indicator" not in name})
    with pytest.raises(DatasetError, match=r"TINY_graph_indicator.txt: missing; every TU dataset"):
        gr.read_tu(tmp_path)


def test_graphs_to_predict_may_have_no_targets(tmp_path: Path) -> None:
    texts = {name: text for name, text in TU.items() if "graph_labels" not in name}
    tiny = gr.read_tu(write_folder(tmp_path, texts))
    assert (len(tiny), tiny.targets, tiny.class_names) == (3, None, ())


def test_the_attribute_of_graphs_without_labels_is_their_target(tmp_path: Path) -> None:
    values = {"TINY_graph_attributes.txt": "1.5\n-2\n0\n"}
    both = gr.read_tu(write_folder(tmp_path / "both", TU | values))
    assert both.class_names == (-1, 1)
    texts = {name: text for name, text in TU.items() if "graph_labels" not in name}
    tiny = gr.read_tu(write_folder(tmp_path / "values", texts | values))
    assert (tiny.targets.tolist(), tiny.class_names, tiny.has_values) == ([1.5, -2, 0], (), True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1, 2\n" * 3, ": 2 columns; expected one, the target, where there are no graph labels"),
        ("1\n", ": 1 lines for 3 graphs"),
        ("1\nnan\n2\n", ":2: found 'nan'; expected a finite number"),
    ],
)
def test_attributes_that_are_no_targets_are_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    texts = {name: text for name, text in TU.items() if "graph_labels" not in name}
    write_folder(tmp_path, texts | {"TINY_graph_attributes.txt": text})
    with pytest.raises(DatasetError) as error:
        gr.read_tu(tmp_path)
    assert str(error.value) == f"{tmp_path}/TINY_graph_attributes.txt{message}"


def test_edge_labels_for_no_edges_are_refused(tmp_path: Path) -> None:
    write_folder(tmp_path, TU | {"TINY_A.txt": "", "TINY_edge_labels.txt": "1\n"})
    with pytest.raises(DatasetError, match=r"TINY_edge_labels.txt: 1 lines for 0 edges"):
        gr.read_tu(tmp_path)


def test_files_without_edges_or_of_two_datasets_are_refused(tmp_path: Path) -> None:
    none = write_zip(tmp_path / "none.zip", {"README.txt": "hello"})
    with pytest.raises(DatasetError, match=r"none.zip: no TU dataset; expected a file NAME_A.txt"):
        gr.read_tu(none)
    two = write_zip(tmp_path / "two.zip", {"X/X_A.txt": "", "Y/Y_A.txt": ""})
    with pytest.raises(DatasetError, match=r"two.zip: several datasets, X and Y; expected one"):
        gr.read_tu(two)
