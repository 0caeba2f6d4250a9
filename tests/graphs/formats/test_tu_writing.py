import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from written import TU, write_folder


def labelled(labels: Any = "CN", targets: Any = (1,), name: str = "X") -> gr.Dataset:
    return gr.from_edges([[(0, 1)]], list(targets), node_labels=[labels], name=name)


def test_the_files_are_those_of_the_collection(tmp_path: Path) -> None:
    """Edges in both directions, sorted; nodes and graphs counted from 1."""
    tiny = gr.read_tu(write_folder(tmp_path / "TINY", TU))
    gr.write(tiny, tmp_path / "copy")
    written = {path.name: path.read_text() for path in (tmp_path / "copy").iterdir()}
    edges = "1, 2\n1, 3\n2, 1\n2, 3\n3, 1\n3, 2\n4, 5\n5, 4\n"
    assert written == TU | {"TINY_A.txt": edges}
    gr.write(tiny, tmp_path / "copy.zip")
    with zipfile.ZipFile(tmp_path / "copy.zip") as archive:
        assert sorted(archive.namelist()) == sorted(f"TINY/{name}" for name in written)


def test_labels_of_several_columns_are_written_as_they_were(tmp_path: Path) -> None:
    dataset = labelled([(10, 1), (9, 1)])
    gr.write(dataset, tmp_path / "X")
    assert (tmp_path / "X" / "X_node_labels.txt").read_text() == "10, 1\n9, 1\n"
    again = gr.read(tmp_path / "X")
    assert again.label_names == dataset.label_names == ((9, 1), (10, 1))


def test_values_are_written_as_the_attribute_of_graphs(tmp_path: Path) -> None:
    gr.write(labelled([1, 2], [0.1]), tmp_path / "X")
    assert (tmp_path / "X" / "X_graph_attributes.txt").read_text() == "0.1\n"
    assert not (tmp_path / "X" / "X_graph_labels.txt").exists()


@pytest.mark.parametrize(
    "labels", ["CN", [True, False], [1.5, 2.0], [(1,), (2,)], [(1, 2), (3,)], [(), 1], [10**18, 1]]
)
def test_names_that_are_no_integers_stand_beside_the_numbers(tmp_path: Path, labels: Any) -> None:
    dataset = labelled(labels)
    gr.write(dataset, tmp_path / "X")
    numbers = (tmp_path / "X" / "X_node_labels.txt").read_text().split()
    assert sorted(numbers) == ["0", "1"]
    again = gr.read(tmp_path / "X")
    assert again.fingerprint == dataset.fingerprint
    assert again.label_names == dataset.label_names
    assert [type(name) for name in again.label_names] == [type(n) for n in dataset.label_names]


def test_names_are_lines_of_a_number_and_json(tmp_path: Path) -> None:
    two = gr.from_edges([[(0, 1)]] * 2, ["a, b", "ä\n"], edge_labels=["-", "="], name="X")
    gr.write(two, tmp_path / "X")
    names = (tmp_path / "X" / "X_class_names.txt").read_text()
    assert names == '0, "a, b"\n1, "\\u00e4\\n"\n'
    assert gr.read(tmp_path / "X").class_names == ("a, b", "ä\n")


def test_names_that_do_not_occur_are_kept(tmp_path: Path) -> None:
    """Unlike integers, of which a TU file has those that occur."""
    two = gr.from_edges([[(0, 1)]] * 2, ["a", "b"], edge_labels=[[1], [2]], name="X")
    with pytest.warns(DatasetNote) as notes:
        gr.write(two[1:], tmp_path / "X.zip")
    left_out = f"{tmp_path / 'X.zip'}: 1 edge labels that do not occur are left out"
    assert [str(note.message) for note in notes] == [left_out]
    again = gr.read(tmp_path / "X.zip")
    assert (again.class_names, again.targets.tolist()) == (("a", "b"), [1])
    assert again.edge_label_names == (2,)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('0, "a"\n', "no name for 1, which occurs; expected one"),
        ('0, "a"\n1 "b"\n', ':2: no number and name; expected a line such as 0, "active"'),
        ("0, {}\n", ":1: no number and name"),
        ('0, "a"\n0, "b"\n', ":2: 0 or 'b' for the second time"),
        ('0, "a"\n1, "a"\n', ":2: 1 or 'a' for the second time"),
    ],
)
def test_names_that_make_no_sense_are_refused(tmp_path: Path, lines: str, message: str) -> None:
    gr.write(gr.from_edges([[(0, 1)]] * 2, ["a", "b"], name="X"), tmp_path / "X")
    (tmp_path / "X" / "X_class_names.txt").write_text(lines)
    with pytest.raises(DatasetError, match=r"X_class_names\.txt:") as error:
        gr.read(tmp_path / "X")
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["", "a/b", "..", ".x", "a\\b", "C:x", "a\nb", "\ud800"])
def test_a_name_that_cannot_begin_a_file_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DatasetError, match=r"cannot begin the names of files; expected another"):
        gr.write(labelled([1, 2], name=name), tmp_path / "X.zip")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("dataset", [gr.from_edges([[(0, 1)]]), labelled([1, 2])[:0]])
def test_graphs_that_tu_cannot_hold_are_refused(tmp_path: Path, dataset: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match=r"graphs without targets; .*an .npz file holds any"):
        gr.write(dataset, tmp_path / "X")


def test_a_folder_must_be_new_or_empty(tmp_path: Path) -> None:
    (tmp_path / "my.data").mkdir()
    gr.write(labelled([1, 2]), tmp_path / "my.data")
    assert len(gr.read(tmp_path / "my.data")) == 1
    with pytest.raises(DatasetError, match=r"my.data: the folder is not empty; expected a new one"):
        gr.write(labelled([1, 2]), tmp_path / "my.data")


def test_many_rows_are_written_in_order(tmp_path: Path) -> None:
    """More nodes than are written at once."""
    n_nodes = 70_000
    lonely = gr.from_edges([[]], [0], n_nodes=[n_nodes], node_labels=[np.arange(n_nodes)], name="X")
    gr.write(lonely, tmp_path / "X")
    assert gr.read(tmp_path / "X").node_labels.tolist() == list(range(n_nodes))
