import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.tables import open_table

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@given(
    rows=st.lists(st.fixed_dictionaries({"a": WORDS, "b": WORDS | st.none()}), min_size=1),
    ascii_only=st.booleans(),
)
def test_text_comes_back_and_nothing_is_empty(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str | None]], ascii_only: bool
) -> None:
    path = tmp_path_factory.mktemp("json") / "any.jsonl"
    lines = [json.dumps(row, ensure_ascii=ascii_only) for row in rows]
    path.write_text("\n\n".join(lines), encoding="utf-8", newline="")
    with open_table(path) as table:
        [read] = table.chunks(10_000)
    assert read.column("a") == tuple(row["a"] for row in rows)
    assert read.column("b") == tuple(row["b"] or "" for row in rows)
    assert read.lines == tuple(range(1, 2 * len(rows), 2))


def test_numbers_stay_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "mols.ndjson"
    path.write_text(
        '{"s": "C", "y": 1.50, "z": true}\n{"y": 1e3, "s": "N", "l": [1, {"a": 2.5}]}\n'
    )
    with open_table(path) as table:
        [rows] = table.chunks(9)
    assert table.columns == ("s", "y", "z", "l")
    assert rows.rows == (("C", "1.50", "true", ""), ("N", "1e3", "", '[1, {"a": 2.5}]'))


def test_a_line_that_is_no_object_is_a_fault_and_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "mols.jsonl"
    path.write_text('{"s": "C", "y": 1}\n{"s": \n[1]\n')
    with open_table(path) as table:
        [rows] = table.chunks(9)
    assert [fault.partition(":")[0] for fault in rows.faults.values()] == [
        "not JSON",
        "no JSON object",
    ]
    assert rows.rows[1:] == (('{"s":', ""), ("[1]", ""))


def test_a_name_that_comes_late_is_left_out_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "mols.jsonl"
    path.write_text('{"s": "C"}\n' * 100 + '{"s": "N", "late": 1}\n' * 2)
    with pytest.warns(DatasetNote) as notes, open_table(path) as table:
        assert [len(rows) for rows in table.chunks(60)] == [60, 42]
    assert [str(note.message) for note in notes] == [
        f"{path}:101: 'late' is not in the first 100 objects and is left out"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "the file is empty"),
        ("smiles\n", "mols.jsonl:1: not JSON: Expecting value"),
        ("{}\n", "mols.jsonl:1: an object without anything in it"),
        ("[" * 100_000, "mols.jsonl:1: not JSON"),
    ],
)
def test_a_file_without_objects_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "mols.jsonl"
    path.write_text(text)
    with pytest.raises(DatasetError, match=message):
        open_table(path)
