import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given

import graphrings as gr
from graphrings.cli.main import main
from graphrings.errors import DatasetError
from graphrings.graphs.formats import mapped_folder
from strategies import datasets as random_datasets


@pytest.fixture
def everything() -> gr.Dataset:
    """Three graphs with all that a dataset may carry."""
    return gr.from_edges(
        [[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)], []],
        ["b", "a", "b"],
        node_labels=["CCCO", "CN", "O"],
        node_attributes=[[[0.0], [1.0], [2.0], [3.0]], [[4.0], [5.0]], [[6.0]]],
    )


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(np.array_equal(one, other) and one.dtype == other.dtype)
    return bool(one == other)


def test_everything_is_found_again(everything: gr.Dataset, tmp_path: Path) -> None:
    gr.write(everything, tmp_path / "three.graphs")
    again = gr.read(tmp_path / "three.graphs")
    for field in fields(everything):
        assert same(getattr(again, field.name), getattr(everything, field.name)), field.name
    assert isinstance(again.indices.base.base, np.memmap)  # nothing was read into memory


def test_folds_are_kept(tmp_path: Path) -> None:
    mutag = gr.load("MUTAG")
    gr.write(mutag, tmp_path / "mutag.graphs")
    again = gr.load(tmp_path / "mutag.graphs")
    assert [list(map(len, fold)) for fold in again.folds] == [
        list(map(len, fold)) for fold in mutag.folds
    ]
    assert again.fingerprint == mutag.fingerprint


@given(dataset=random_datasets())
def test_any_dataset_makes_the_round_trip(
    dataset: gr.Dataset, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("mapped") / "some.graphs"
    gr.write(dataset, path)
    assert gr.read(path).fingerprint == dataset.fingerprint
    shutil.rmtree(path)


def test_it_is_written_by_convert_and_read_by_predict(tmp_path: Path) -> None:
    path = tmp_path / "mutag.graphs"
    done = CliRunner().invoke(main, ["convert", "MUTAG", str(path)])
    assert done.output.endswith("188 graphs of MUTAG as mapped\n")
    forest = gr.ForestClassifier(n_trees=5, random_state=0).fit(gr.load("MUTAG"))
    assert np.array_equal(forest.predict(gr.read(path)), forest.predict(gr.load("MUTAG")))
    again = CliRunner().invoke(main, ["convert", "MUTAG", str(path), "--format", "mapped"])
    assert again.exit_code == 2


def test_a_folder_that_is_there_is_not_written_over(everything: gr.Dataset, tmp_path: Path) -> None:
    gr.write(everything, tmp_path / "three.graphs")
    with pytest.raises(DatasetError):
        gr.write(everything, tmp_path / "three.graphs", "mapped")
    with pytest.raises(DatasetError, match="is there already"):
        mapped_folder.write_mapped(everything, tmp_path / "three.graphs")


def broken(folder: Path, name: str, values: Any) -> None:
    np.save(folder / f"{name}.npy", values)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("indices", np.array([1, 2] * 3, dtype=np.int32), "indptr does not rise from 0 to 6"),
        ("graph_ptr", np.array([0, 9, 6, 7], dtype=np.int32), "graph_ptr does not rise from 0"),
        ("graph_ptr", np.array([[0], [7]], dtype=np.int32), "graph_ptr does not rise from 0"),
        ("node_labels", np.zeros(3, dtype=np.int32), "node_labels has 3 rows; expected 7"),
        ("node_labels", np.full(7, 9, dtype=np.int32), "from graph 0 on: node_labels are not"),
        ("targets", np.zeros(3, dtype=np.int64), "targets.npy: 24 bytes for int64 of shape"),
        ("indices", np.zeros(10, dtype=np.int32), "an edge that leaves|self-loop"),
    ],
)
def test_damage_is_one_line(
    everything: gr.Dataset, tmp_path: Path, name: str, values: Any, message: str
) -> None:
    path = tmp_path / "three.graphs"
    gr.write(everything, path)
    broken(path, name, values)
    with pytest.raises(DatasetError, match=message):
        gr.read(path)


def test_damage_in_a_later_part_is_found(
    everything: gr.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mapped_folder, "AT_ONCE", 1)
    path = tmp_path / "three.graphs"
    gr.write(everything, path)
    broken(path, "targets", np.array([0, 7, 0], dtype=np.int32))
    with pytest.raises(DatasetError, match="from graph 1 on: targets are not classes"):
        gr.read(path)


def test_a_cut_off_file_and_another_version_are_refused(
    everything: gr.Dataset, tmp_path: Path
) -> None:
    path = tmp_path / "three.graphs"
    gr.write(everything, path)
    content = (path / "indices.npy").read_bytes()
    (path / "indices.npy").write_bytes(content[:-4])
    with pytest.raises(DatasetError, match=r"indices\.npy: 36 bytes for int32 of shape \(10,\)"):
        gr.read(path)
    (path / "indices.npy").write_bytes(content)
    header = json.loads((path / "dataset.json").read_text())
    (path / "dataset.json").write_text(json.dumps({**header, "version": 2}))
    with pytest.raises(DatasetError, match="version 2; this graphrings reads version 1"):
        gr.read(path)
