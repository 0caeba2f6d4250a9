import warnings
from pathlib import Path
from typing import Any

import pytest

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs import formats
from graphrings.graphs.files import open_files
from graphrings.graphs.formats import FORMATS, format_of
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


def test_files_that_no_format_knows_are_told_what_was_looked_for(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (
        tmp_path / "empty",
        write_zip(tmp_path / "X.zip", {"picture.png": b""}),
        write_zip(tmp_path / "Y.zip", {"Y.txt": "many graphs\n"}),
        write_zip(tmp_path / "Z.npz", {"arr_0.npy": b""}),
        write_folder(tmp_path / "deep", {"X.ods": "smiles,y\n"}) / "X.ods",
        write_folder(tmp_path / "tu", TU) / "TINY_A.txt",
    ):
        with pytest.raises(DatasetError) as error:
            gr.read(path)
        assert str(error.value) == (
            f"{path}: no dataset; looked for dataset.json beside arrays in an .npz file "
            "(graphrings); dataset.json beside arrays in a folder (mapped); "
            "NAME_A.txt and NAME_graph_indicator.txt in a folder or zip (TU); "
            "NAME.txt with the number of graphs in its first line (DGCNN text); .graphml files "
            "(GraphML); .gml files (GML); .json files (node-link JSON); .g6 files (graph6); "
            "edges.csv in a folder or zip (edge list CSV); a .csv, .tsv, .jsonl or .parquet file "
            "(SMILES table); an .xlsx file (Excel workbook); an .smi file (SMILES); an .sdf "
            "file (SDF)"
        )


def test_every_format_is_in_one_list_and_recognises_its_own_files(tmp_path: Path) -> None:
    tiny = gr.from_edges([[(0, 1)]], [1], name="TINY")
    for form in FORMATS:
        for suffix in form.suffixes if form.write is not None else ():
            path = tmp_path / f"{form.word}{suffix}"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DatasetNote)  # a file of graph6 has no targets
                gr.write(tiny, path, form.name)
            assert format_of(open_files(path)) is form
    unwritten = [form.name for form in FORMATS if form.write is None]
    assert unwritten == ["SMILES table", "Excel workbook", "SMILES", "SDF"]


def test_an_option_that_a_format_does_not_have_is_refused(tmp_path: Path) -> None:
    path = write_folder(tmp_path / "TINY", TU)
    with pytest.raises(DatasetError, match=r"the TU format has no option 'target'; it has none$"):
        gr.read(path, target="y")
    with pytest.raises(DatasetError, match="the TU format has no option 'smiles'"):
        gr.load("MUTAG", smiles="smiles")


def test_the_format_that_the_docs_add_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    code = text[text.index('"""Lists of edges') :].split("```", 1)[0]
    module: dict[str, Any] = {}
    exec(code, module)  # noqa: S102, it is our own
    monkeypatch.setattr(formats, "FORMATS", (*FORMATS, module["EDGE_LISTS"]))
    path = tmp_path / "MINE.edges"
    path.write_text("0,1\n1,2\n\n0,1\n")
    assert [graph.edges.tolist() for graph in gr.read(path)] == [[[0, 1], [1, 2]], [[0, 1]]]
    path.write_text("0,1\n\n0,-1\n")
    with pytest.raises(DatasetError, match="graph 1 has node -1; expected 0 or more"):
        gr.read(path)
    path.rename(tmp_path / "MINE.unknown")
    with pytest.raises(DatasetError, match=r"an .edges file \(edge lists\)"):
        gr.read(tmp_path / "MINE.unknown")


def test_one_file_of_graphs_may_stand_alone(tmp_path: Path) -> None:
    path = write_folder(tmp_path, DGCNN) / "TINY.txt"
    assert len(gr.read(path)) == 3
    path.write_text("1\n1 0\n0 -1\n")
    with pytest.raises(DatasetError, match=rf"^{path}:3: found '0 -1'"):
        gr.read(path)


def test_a_zip_is_known_by_its_content_too(tmp_path: Path) -> None:
    assert len(gr.read(write_zip(tmp_path / "TINY.backup", TU))) == 3


def test_two_datasets_in_one_zip_are_refused(tmp_path: Path) -> None:
    for texts in ({"X/X_A.txt": "", "Y/Y_A.txt": ""}, {"X/X.txt": "1", "Y/Y.txt": "1"}):
        with pytest.raises(DatasetError, match="several datasets, X and Y; expected one"):
            gr.read(write_zip(tmp_path / "two.zip", texts))
