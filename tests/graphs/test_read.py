from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import DatasetError
from written import DGCNN, FOLDS, TU, Texts, write_folder, write_zip


@pytest.mark.parametrize("texts", [TU, DGCNN | FOLDS], ids=["TU", "DGCNN"])
def test_either_format_is_recognised_in_a_folder_and_in_a_zip(tmp_path: Path, texts: Texts) -> None:
    folder = gr.read(write_folder(tmp_path / "TINY", texts))
    zipped = gr.read(str(write_zip(tmp_path / "TINY.zip", texts, "TINY/")))
    assert folder.fingerprint == zipped.fingerprint
    assert bool(folder.folds) == bool(zipped.folds) == ("TINY.txt" in texts)


def test_a_tu_dataset_without_its_edges_is_not_taken_for_another_format(tmp_path: Path) -> None:
    write_folder(tmp_path, {name: text for name, text in TU.items() if name != "TINY_A.txt"})
    with pytest.raises(DatasetError, match=r"no TU dataset; expected a file NAME_A.txt, the edges"):
        gr.read(tmp_path)


def test_a_place_without_text_files_is_told_what_would_do(tmp_path: Path) -> None:
    for path in (tmp_path, write_zip(tmp_path / "X.zip", {"picture.png": b""})):
        with pytest.raises(DatasetError) as error:
            gr.read(path)
        assert str(error.value) == (
            f"{path}: no text files; expected NAME_A.txt and its kin, or NAME.txt"
        )


def test_two_datasets_in_one_zip_are_refused(tmp_path: Path) -> None:
    for texts in ({"X/X_A.txt": "", "Y/Y_A.txt": ""}, {"X/X.txt": "1", "Y/Y.txt": "1"}):
        with pytest.raises(DatasetError, match="several datasets, X and Y; expected one"):
            gr.read(write_zip(tmp_path / "two.zip", texts))
