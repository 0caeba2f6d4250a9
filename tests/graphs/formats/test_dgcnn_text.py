from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Repairs
from written import DGCNN, FOLDS, TU, write_folder, write_zip


def test_graphs_labels_and_classes_are_read(tmp_path: Path) -> None:
    tiny = gr.read_dgcnn_text(write_folder(tmp_path, DGCNN))
    assert tiny.name == "TINY"
    assert [g.edges.tolist() for g in tiny] == [[[0, 1], [0, 2], [1, 2]], [[0, 1]], []]
    assert (tiny.class_names, tiny.targets.tolist()) == ((-1, 1), [1, 0, 1])
    assert [tiny.label_names[k] for k in tiny.node_labels] == [5, 7, 5, 7, 7, 9, 5]
    assert tiny.node_attributes is None
    assert tiny.folds == ()


def test_the_same_graphs_in_the_other_format_are_the_same(tmp_path: Path) -> None:
    tu = gr.read_tu(write_folder(tmp_path / "tu", TU))
    assert gr.read_dgcnn_text(write_folder(tmp_path / "d", DGCNN)).fingerprint == tu.fingerprint


def test_tags_that_are_all_the_same_are_no_labels(tmp_path: Path) -> None:
    tiny = gr.read_dgcnn_text(write_folder(tmp_path, {"X.txt": "1\n2 0\n0 1 1\n0 1 0\n"}))
    assert (tiny.node_labels, tiny.n_labels) == (None, 0)


def test_numbers_behind_the_neighbours_are_attributes(tmp_path: Path) -> None:
    text = "1\n2 0\n0 1 1 0.5 -1e3\n1 1 0 7 .25\n"
    tiny = gr.read_dgcnn_text(write_folder(tmp_path, {"X.txt": text}))
    assert tiny.node_attributes.tolist() == [[0.5, -1000], [7, 0.25]]


def test_the_published_folds_are_attached_in_order(tmp_path: Path) -> None:
    tiny = gr.read_dgcnn_text(write_zip(tmp_path / "TINY.zip", DGCNN | FOLDS, "TINY/"))
    assert [fold.train.tolist() for fold in tiny.folds] == [[0, 1], [2]]
    assert [fold.test.tolist() for fold in tiny.folds] == [[2], [1, 0]]
    with pytest.raises(ValueError, match="read-only"):
        tiny.folds[0].train[0] = 2


@pytest.mark.parametrize("depth", ["", "TINY/"])
def test_folds_are_found_in_a_folder_and_in_a_folder_inside(tmp_path: Path, depth: str) -> None:
    write_folder(tmp_path, {depth + name: text for name, text in (DGCNN | FOLDS).items()})
    assert len(gr.read_dgcnn_text(tmp_path).folds) == 2


def test_folds_belong_to_all_graphs_and_not_to_some(tmp_path: Path) -> None:
    assert gr.read_dgcnn_text(write_folder(tmp_path, DGCNN | FOLDS))[:2].folds == ()


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text + "\n \r\n\n",
        lambda text: text.rstrip("\n"),
        lambda text: text.replace(" ", "\t  ").replace("\n", "  \n"),
    ],
    ids=["CRLF", "byte-order mark", "blank last lines", "no last line end", "spaces"],
)
def test_ways_to_write_the_same_file(tmp_path: Path, change: object) -> None:
    plain = gr.read_dgcnn_text(write_folder(tmp_path / "plain", DGCNN))
    texts = {name: change(text) for name, text in (DGCNN | FOLDS).items()}
    other = gr.read_dgcnn_text(write_folder(tmp_path / "other", texts))
    assert other.fingerprint == plain.fingerprint
    assert other.node_attributes is None
    assert other.folds[1].test.tolist() == [1, 0]


def test_what_is_not_simple_and_undirected_is_repaired_with_one_note(tmp_path: Path) -> None:
    """Node 0 lists itself and node 1 twice; node 1 does not list node 2."""
    text = "1\n3 0\n0 3 0 1 1\n0 1 0\n0 1 1\n"
    with pytest.warns(DatasetNote) as notes:
        tiny = gr.read_dgcnn_text(write_folder(tmp_path, {"X.txt": text}))
    assert len(notes) == 1
    assert tiny.repairs == Repairs(self_loops=1, repeated=1, one_way=1)
    assert tiny[0].edges.tolist() == [[0, 1], [1, 2]]


NODE = "expected integers: a tag, how many neighbours, and these"
GRAPH = "expected two integers, the number of nodes and the class"
END = "found the end of the file; expected more lines, as the counts above say"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": the file is empty"),
        (" \n\n", ": the file is empty"),
        ("0\n", ":1: 0 graphs; expected at least one"),
        ("-1\n", ":1: -1 graphs; expected at least one"),
        ("many\n", ":1: found 'many'; expected an integer, the number of graphs"),
        ("1 2\n", ":1: found '1 2'; expected an integer, the number of graphs"),
        ("1\n1\n0 0\n", f":2: found '1'; {GRAPH}"),
        ("1\n1 a\n0 0\n", f":2: found '1 a'; {GRAPH}"),
        ("1\n1 0 5\n0 0\n", f":2: found '1 0 5'; {GRAPH}"),
        ("1\n0 1\n", ":2: a graph of 0 nodes; expected at least one"),
        ("1\n1 0\nC 0\n", f":3: found 'C 0'; {NODE}"),
        ("1\n1 0\n0\n", f":3: found '0'; {NODE}"),
        ("1\n1 0\n0 -1\n", f":3: found '0 -1'; {NODE}"),
        ("1\n2 0\n0 1 x\n0 0\n", f":3: found '0 1 x'; {NODE}"),
        ("1\n2 0\n0 1 1.5\n0 0\n", f":3: found '0 1 1.5'; {NODE}"),
        ("1\n2 0\n0 3 1+1+1\n0 0\n", f":3: found '0 3 1+1+1'; {NODE}"),
        ("1\n2 0\n\n0 0\n0 0\n", f":3: found an empty line; {NODE}"),
        (
            "1\n2 0\n0 2 1\n0 0\n",
            ":3: found '0 2 1'; expected as many neighbours as the second number says",
        ),
        ("1\n2 0\n0 1 2\n0 0\n", ":3: neighbour 2 in '0 1 2'; expected numbers from 0 to n - 1"),
        ("1\n2 0\n0 1 -1\n", ":3: neighbour -1 in '0 1 -1'; expected numbers from 0 to n - 1"),
        ("1\n2 0\n0 0\n", f":4: {END}"),
        ("1\n2 0\n0 0", f":4: {END}"),
        ("2\n1 0\n0 0\n", f":4: {END}"),
        ("2\n1 0\n0 0", f":4: {END}"),
        ("9", f":2: {END}"),
        (
            "1\n1 0\n0 0\n1 0\n0 0\n",
            ":4: found '1 0'; expected the end after 1 graphs, as line 1 says",
        ),
        ("1\n2 0\n0 0 1.5\n0 0\n", ":4: 0 attributes; the nodes above have 1"),
        ("1\n2 0\n0 0 1 2\n0 0 1\n", ":4: 1 attributes; the nodes above have 2"),
        ("1\n2 0\n0 0 1\n0 0 nan\n", ":4: attributes 'nan'; expected finite numbers"),
        ("1\n2 0\n0 0 1\n0 0 -inf\n", ":4: attributes '-inf'; expected finite numbers"),
        ("1\n2 0\n0 0 1\n0 0 1_0\n", ":4: attributes '1_0'; expected finite numbers"),
        (b"1\n1 0\n0 0 \xff\n", ":3: attributes '\ufffd'; expected finite numbers"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    for place in (tmp_path / "TINY", tmp_path / "TINY.zip"):
        (write_zip if place.suffix else write_folder)(place, {"TINY.txt": text})
        with pytest.raises(DatasetError) as error:
            gr.read_dgcnn_text(place)
        assert str(error.value) == f"{place}/TINY.txt{message}"


def test_numbers_glued_by_their_signs_never_overrun_the_buffer(tmp_path: Path) -> None:
    glued = "0" + "+0" * 100_000
    with pytest.raises(DatasetError, match=r"X.txt:3: found '0 100001 0"):
        gr.read_dgcnn_text(write_folder(tmp_path, {"X.txt": f"1\n1 0\n0 100001 {glued}\n"}))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("test_idx-1", "3\n", "test_idx-1.txt:1: graph 3; expected a number from 0 to 2"),
        ("test_idx-1", "2\n-1\n", "test_idx-1.txt:2: graph -1; expected a number from 0 to 2"),
        ("test_idx-1", "two\n", "test_idx-1.txt:1: found 'two'; expected an integer"),
        ("test_idx-1", "", "test_idx-1.txt: the file is empty"),
        ("test_idx-2", "2\n", "fold 2 has graph 2 in train and in test"),
        ("test_idx-3", "0\n", "fold 3 has no train_idx-3.txt"),
        ("train_idx-3", "0\n", "fold 3 has no test_idx-3.txt"),
    ],
)
def test_folds_that_cannot_be_are_refused(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    write_folder(tmp_path, DGCNN | FOLDS | {f"10fold_idx/{name}.txt": text})
    with pytest.raises(DatasetError, match=message):
        gr.read_dgcnn_text(tmp_path)


def test_files_without_graphs_or_of_two_datasets_are_refused(tmp_path: Path) -> None:
    folds_only = write_zip(tmp_path / "folds.zip", FOLDS)
    with pytest.raises(DatasetError, match=r"folds.zip: no dataset; expected a file NAME/NAME.txt"):
        gr.read_dgcnn_text(folds_only)
    two = write_zip(tmp_path / "two.zip", {"X/X.txt": "1\n1 0\n0 0\n", "Y/Y.txt": ""})
    with pytest.raises(DatasetError, match=r"two.zip: several datasets, X and Y; expected one"):
        gr.read_dgcnn_text(two)


def test_the_file_named_like_its_folder_is_the_dataset(tmp_path: Path) -> None:
    texts = {"TINY/TINY.txt": DGCNN["TINY.txt"], "TINY/notes.txt": "whatever"}
    assert gr.read_dgcnn_text(write_zip(tmp_path / "any.zip", texts)).name == "TINY"


@pytest.mark.parametrize("name", ["PTC", "NCI1", "PROTEINS", "DD"])
def test_published_folds_are_ten(datasets: Path, name: str) -> None:
    folds = gr.read_dgcnn_text(datasets / "dgcnn_text" / f"{name}.zip").folds
    assert len(folds) == 10
