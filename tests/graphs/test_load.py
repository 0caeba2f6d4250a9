import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import graphrings as gr
from conftest import Mirror
from graphrings.errors import (
    ArchiveError,
    DatasetError,
    DatasetNote,
    FetchError,
    FingerprintError,
    UnknownDatasetError,
)
from graphrings.graphs.load import BUNDLED
from written import DGCNN, FOLDS, TU, Texts, renamed, write_folder, write_zip

MUTAG = BUNDLED / "MUTAG.zip"


def test_the_bundled_dataset_comes_before_the_users_folder(tmp_path: Path) -> None:
    write_zip(tmp_path / "MUTAG.zip", TU)
    assert len(gr.load("MUTAG", tmp_path)) == 188


def test_a_small_dataset_comes_without_the_compiler_and_the_http_client() -> None:
    """Importing them takes longer than reading it."""
    script = (
        "import sys, graphrings as gr; assert len(gr.load('MUTAG')) == 188; "
        "assert not {'numba', 'requests', 'scipy', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("texts", [TU, DGCNN | FOLDS], ids=["TU", "DGCNN"])
@pytest.mark.parametrize("deep", ["", "inner"])
@pytest.mark.parametrize("zipped", [True, False])
def test_a_name_is_found_in_a_folder_and_one_folder_deep(
    tmp_path: Path, texts: Texts, deep: str, zipped: bool
) -> None:
    place = tmp_path / "data" / deep
    if zipped:
        write_zip(place / "MINE.zip", renamed(texts, "MINE"), "MINE/")
    else:
        write_folder(place / "MINE", renamed(texts, "MINE"))
    mine = gr.load("MINE", tmp_path / "data")
    assert (mine.name, len(mine), len(mine.folds)) == ("MINE", 3, 2 * ("TINY.txt" in texts))


def test_the_folder_may_be_named_by_a_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_zip(tmp_path / "data" / "MINE.zip", TU)
    write_zip(tmp_path / "root" / "MINE.zip", TU | {"TINY_graph_labels.txt": "1\n2\n3\n"})
    monkeypatch.setenv("GRAPHRINGS_DATA", str(tmp_path / "data"))
    assert gr.load("MINE").n_classes == 2
    assert gr.load("MINE", tmp_path / "root").n_classes == 3


def test_the_users_folder_comes_before_the_cache_and_the_cache_before_a_download(
    tmp_path: Path, cache_folder: Path, mirror: Mirror
) -> None:
    (tmp_path / "data").mkdir()
    write_zip(cache_folder / "MINE.zip", TU | {"TINY_graph_labels.txt": "1\n2\n3\n"})
    mirror.files["/MINE.zip"] = MUTAG.read_bytes()
    assert gr.load("MINE", tmp_path / "data").n_classes == 3
    write_zip(tmp_path / "data" / "MINE.zip", TU)
    assert gr.load("MINE", tmp_path / "data").n_classes == 2
    assert mirror.asked == []


def test_the_format_with_folds_comes_first(tmp_path: Path) -> None:
    write_zip(tmp_path / "MINE.zip", TU)
    write_zip(tmp_path / "z" / "MINE.zip", DGCNN | FOLDS)
    assert len(gr.load("MINE", tmp_path).folds) == 2


def test_files_may_be_called_by_an_alias(datasets: Path) -> None:
    """The folder of the DGCNN texts has IMDBBINARY.zip only."""
    imdb = gr.load("imdb-b", datasets / "dgcnn_text")
    assert (imdb.name, len(imdb), len(imdb.folds)) == ("IMDB-BINARY", 1000, 10)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_path_is_read_as_it_is(tmp_path: Path, zipped: bool) -> None:
    path = tmp_path / ("NCI1.zip" if zipped else "NCI1")
    (write_zip if zipped else write_folder)(path, TU)
    for named in (path, str(path)):
        assert gr.load(named).name == "TINY"


def test_what_exists_is_a_path_whatever_it_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_folder(tmp_path / "NCI1", TU)
    assert gr.load("NCI1").name == "TINY"
    for name in ("", 300 * "X"):  # neither a path nor a name, which the system may not like
        with pytest.raises(UnknownDatasetError, match=f"'{name}' is not a dataset name"):
            gr.load(name)


@pytest.mark.parametrize("name", ["mols.csv", "MUTAG.v2", "./MUTAG", "data/NCI1"])
def test_a_name_with_a_dot_or_a_slash_never_leaves_the_machine(mirror: Mirror, name: str) -> None:
    with pytest.raises(DatasetError, match=f"^{name.removeprefix('./')}: no such file or folder$"):
        gr.load(name)
    assert mirror.asked == []


def test_options_are_passed_on_to_the_format(tmp_path: Path) -> None:
    pytest.importorskip("rdkit")
    path = tmp_path / "MINE.csv"
    path.write_text("mol,a,b\nCCO,1,2.5\nC,0,1.5\n")
    assert gr.load(path, target="a").n_classes == 2
    assert gr.load("MINE", tmp_path, target="b").has_values


def test_our_own_file_comes_by_name_too(tmp_path: Path) -> None:
    folded = gr.read(write_folder(tmp_path / "source" / "MINE", renamed(DGCNN | FOLDS, "MINE")))
    data = tmp_path / "data"
    write_zip(data / "MINE.zip", TU)
    write_folder(data, {"MINE.txt": "what I did to these graphs"})
    gr.write(folded, data / "MINE.npz")
    assert len(gr.load("MINE", data).folds) == 2
    with pytest.raises(FetchError, match="did you mean 'MINE'"):
        gr.load("MINEE", data)


def test_another_content_under_a_known_name_is_an_error_that_says_what_differs(
    tmp_path: Path,
) -> None:
    path = write_zip(tmp_path / "NCI1.zip", TU)
    with pytest.raises(FingerprintError) as error:
        gr.load("NCI1", tmp_path)
    assert str(error.value).startswith(f"{path}: not the NCI1 that everyone means: 3 graphs inste")
    assert "3 node labels instead of 37" in str(error.value)


def test_a_damaged_zip_in_the_folder_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "MINE.zip").write_bytes(b"PK")
    with pytest.raises(ArchiveError, match=r"MINE.zip: not a zip archive"):
        gr.load("MINE", tmp_path)


def test_a_folder_without_text_files_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "MINE").mkdir()
    write_zip(tmp_path / "MINE.zip", TU)
    assert len(gr.load("MINE", tmp_path)) == 3


def test_a_data_folder_that_is_not_there_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DatasetError, match=r"nowhere: no such folder$"):
        gr.load("NCI1", tmp_path / "nowhere")
    monkeypatch.setenv("GRAPHRINGS_DATA", str(tmp_path / "lost"))
    with pytest.raises(DatasetError, match=r"lost: no such folder, named by \$GRAPHRINGS_DATA"):
        gr.load("NCI1")


def test_ptc_cannot_be_downloaded(mirror: Mirror) -> None:
    with pytest.raises(FetchError, match=r"PTC cannot be downloaded: .* put PTC.zip into a folder"):
        gr.load("PTC")
    assert mirror.asked == []


def test_an_unknown_name_gets_the_nearest_known_one(tmp_path: Path, mirror: Mirror) -> None:
    with pytest.raises(UnknownDatasetError) as error:
        gr.load("MUTGA")
    assert str(error.value) == (
        f"{mirror.url}/MUTGA.zip: the server knows no such dataset; did you mean 'MUTAG'?"
    )
    write_zip(tmp_path / "data" / "MYGRAPHS.zip", TU)
    with pytest.raises(UnknownDatasetError, match="did you mean 'MYGRAPHS'"):
        gr.load("MYGRAPH", tmp_path / "data")


def test_an_unknown_name_gets_a_suggestion_without_a_network_too() -> None:
    with pytest.raises(FetchError, match=r"no connection to the server; did you mean 'MUTAG'\?"):
        gr.load("MUTGA")


def test_the_cache_is_checked_against_the_catalogue_too(cache_folder: Path) -> None:
    cache_folder.mkdir()
    shutil.copy(MUTAG, cache_folder / "NCI1.zip")
    with pytest.raises(FingerprintError, match="188 graphs instead of 4,110"):
        gr.load("NCI1")


def test_attributes_of_a_plain_dataset_go_by_a_name_of_their_own(tmp_path: Path) -> None:
    n_nodes = len(TU["TINY_graph_indicator.txt"].splitlines())
    values = "".join(f"{k}.5\n" for k in range(n_nodes))
    texts = renamed(TU | {"TINY_node_attributes.txt": values}, "ENZYMES")
    write_zip(tmp_path / "tu" / "ENZYMES.zip", texts)
    with pytest.warns(DatasetNote, match="ENZYMES: without its node attributes; ENZYMES-attrib"):
        plain = gr.load("ENZYMES", tmp_path)
    assert (plain.name, plain.node_attributes) == ("ENZYMES", None)
    laden = gr.load("enzymes-ATTRIBUTES", tmp_path)
    assert laden.name == "ENZYMES-attributes"
    assert laden.node_attributes[:, 0].tolist() == [k + 0.5 for k in range(n_nodes)]
    assert laden.fingerprint == plain.fingerprint


def test_attributes_are_looked_for_where_they_are_kept(
    tmp_path: Path, cache_folder: Path, mirror: Mirror
) -> None:
    """Not in DGCNN text, which comes first for the plain name, but on the server at last."""
    n_nodes = len(TU["TINY_graph_indicator.txt"].splitlines())
    texts = renamed(TU | {"TINY_node_attributes.txt": "1.5\n" * n_nodes}, "ENZYMES")
    write_zip(tmp_path / "dgcnn" / "ENZYMES.zip", renamed(DGCNN | FOLDS, "ENZYMES"))
    mirror.files["/ENZYMES.zip"] = write_zip(tmp_path / "served.zip", texts).read_bytes()
    assert gr.load("ENZYMES-attributes", tmp_path).node_attributes.shape == (n_nodes, 1)
    assert mirror.asked == ["/ENZYMES.zip"]
    assert (cache_folder / "ENZYMES.zip").exists()
    assert len(gr.load("ENZYMES", tmp_path).folds) == 2


def test_files_without_attributes_are_refused_where_the_name_promises_them(tmp_path: Path) -> None:
    write_zip(tmp_path / "ENZYMES.zip", renamed(TU, "ENZYMES"))
    with pytest.raises(DatasetError, match=r"ENZYMES\.zip: no node attributes, which ENZYMES-attr"):
        gr.load("ENZYMES-attributes", tmp_path)
