from dataclasses import replace
from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from written import DGCNN, FOLDS, write_folder


def test_the_suffix_says_the_format(tmp_path: Path) -> None:
    mutag = gr.load("MUTAG")
    for name, file in (("A.npz", "dataset.json"), ("B.ZIP", "MUTAG/MUTAG_A.txt")):
        gr.write(mutag, str(tmp_path / name))
        assert file.encode() in (tmp_path / name).read_bytes()
    gr.write(mutag, tmp_path / "C")
    assert (tmp_path / "C" / "MUTAG_A.txt").exists()


def test_an_unknown_suffix_is_told_what_would_do(tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as error:
        gr.write(gr.load("MUTAG"), tmp_path / "X.csv")
    assert str(error.value) == (
        f"{tmp_path}/X.csv: no format is written to .csv; expected .npz (graphrings), "
        ".graphs (mapped), a folder or .zip (TU), .txt (DGCNN text), .graphml (GraphML), "
        ".gml (GML), .json (node-link JSON), .g6 (graph6)"
    )


def test_folds_are_kept_or_missed_with_a_note(tmp_path: Path) -> None:
    folded = gr.read(write_folder(tmp_path / "TINY", DGCNN | FOLDS))
    gr.write(folded, tmp_path / "X.npz")
    assert len(gr.read(tmp_path / "X.npz").folds) == 2
    with pytest.warns(DatasetNote, match=r"X.zip: the 2 folds of TINY are left out, since the TU"):
        gr.write(folded, tmp_path / "X.zip")


def test_only_a_dataset_is_written_and_only_where_there_is_a_folder(tmp_path: Path) -> None:
    mutag = gr.load("MUTAG")
    with pytest.raises(DatasetError, match=r"a list to write to .*X.npz; expected a Dataset"):
        gr.write(list(mutag), tmp_path / "X.npz")
    with pytest.raises(DatasetError, match=r"lost: no such folder to write to"):
        gr.write(mutag, tmp_path / "lost" / "X.npz")


def test_a_file_that_is_there_is_replaced(tmp_path: Path) -> None:
    for suffix in (".npz", ".zip"):
        path, mutag = tmp_path / f"X{suffix}", gr.load("MUTAG")
        gr.write(mutag, path)
        gr.write(replace(mutag, name="other"), path)
        assert gr.read(path).name == "other"


def test_the_working_folder_may_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gr.write(gr.load("MUTAG"), "here.npz")
    assert len(gr.read("here.npz")) == 188
