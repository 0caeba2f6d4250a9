from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import DatasetError, ModelError
from graphrings.graphs.chemistry import USUAL, Chemistry
from graphrings.prediction import inputs
from graphrings.prediction.inputs import Named, dataset_input, is_table, table_input

TABLE = "id,smiles,y\na,CCO,1\nb, CCN ,\nc,C\n"


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., inputs.Input]:
    path = tmp_path / "new.csv"
    path.write_text(TABLE)
    return lambda **named: table_input(str(path), Named(**named), USUAL)


@pytest.mark.parametrize("name", ["-", "a.csv", "a.TSV", "a.csv.gz", "b.jsonl", "c.smi", "d.sdf"])
def test_tables_are_known_by_their_ending(name: str) -> None:
    assert is_table(name)


@pytest.mark.parametrize("name", ["MUTAG", "a.zip", "a.npz", "folder", "a.txt", "csv"])
def test_everything_else_is_a_dataset(name: str) -> None:
    assert not is_table(name)


def test_rows_keep_their_cells(table: Callable[..., inputs.Input]) -> None:
    given = table(target="y")
    assert [column.name for column in given.columns] == ["id", "smiles", "y"]
    (chunk,) = given.chunks
    assert chunk.cells == (("a", "CCO", "1"), ("b", " CCN ", ""), ("c", "C", ""))
    assert chunk.question.graphs == ("CCO", "CCN", "C")
    assert chunk.truth == ("1", None, None)
    assert list(chunk.question.faults) == [2]


def test_of_some_rows_only_the_id_is_kept(table: Callable[..., inputs.Input]) -> None:
    given = table(id="ID")
    (chunk,) = given.chunks
    assert chunk.cells == (("a",), ("b",), ("c",))
    assert chunk.truth == (None, None, None)


@pytest.mark.parametrize("name", ["smiles", "target", "id"])
def test_a_column_that_is_not_there_is_named(table: Callable[..., inputs.Input], name: str) -> None:
    with pytest.raises(DatasetError, match="'zzz', the columns are 'id', 'smiles', 'y'"):
        table(**{name: "zzz"})


def test_molecules_need_a_model_of_molecules() -> None:
    with pytest.raises(ModelError, match="a table of molecules, but the model was trained on oth"):
        table_input("new.csv", Named(), None)


def test_graphs_come_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "AT_ONCE", 100)
    mutag = gr.load("MUTAG")
    chunks = list(dataset_input(mutag, None).chunks)
    assert [len(chunk.cells) for chunk in chunks] == [100, 88]
    assert chunks[1].cells[0] == ("MUTAG", 100)
    assert chunks[1].question.graphs.fingerprint == mutag[100:].fingerprint
    names = [mutag.class_names[target] for target in mutag.targets[100:]]
    assert chunks[1].truth == tuple(names)
    unknown = replace(mutag, targets=None, class_names=())
    assert {true for chunk in dataset_input(unknown, None).chunks for true in chunk.truth} == {None}


def test_molecules_that_were_read_in_another_way_are_refused(alcohols: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match=r"molecules read as Chemistry\(labels='atom'"):
        dataset_input(alcohols, Chemistry(labels="element"))
    assert dataset_input(alcohols, USUAL).place == "molecules"
