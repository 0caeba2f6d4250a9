import csv
import json
from pathlib import Path

import pandas
import pytest
from pyarrow import parquet

from graphrings.cli.predict import STYLES as OFFERED
from graphrings.errors import SettingError
from graphrings.prediction.columns import Column
from graphrings.prediction.writers import STYLES, opened, style_of

COLUMNS = [Column("id"), Column("x, y"), Column("prediction", int), Column("p(1)", float)]
ROWS = [("a", 'say "hello"', 1, 0.25), ("b\n", "\t", None, None), ("ü", "", -1, 1e-9)]


def written(path: Path, columns: list[Column] = COLUMNS, n_parts: int = 2) -> Path:
    """The rows, written in several parts in the style of the ending."""
    with opened(str(path), style_of(str(path), None), columns) as write:
        for part in range(n_parts):
            write(ROWS[part::n_parts])
    return path


@pytest.mark.parametrize(("ending", "separator"), [("csv", ","), ("tsv", "\t")])
def test_separated_cells_come_back(tmp_path: Path, ending: str, separator: str) -> None:
    path = written(tmp_path / f"out.{ending}", n_parts=1)
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file, delimiter=separator)
    assert header == [column.name for column in COLUMNS]
    assert rows == [["" if cell is None else str(cell) for cell in row] for row in ROWS]


def test_objects_come_back(tmp_path: Path) -> None:
    lines = written(tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    names = [column.name for column in COLUMNS]
    expected = [dict(zip(names, row, strict=True)) for row in (ROWS[0], ROWS[2], ROWS[1])]
    assert [json.loads(line) for line in lines] == expected


def test_parquet_comes_back_with_its_types(tmp_path: Path) -> None:
    frame = pandas.read_parquet(written(tmp_path / "out.parquet"), dtype_backend="pyarrow")
    assert [str(dtype) for dtype in frame.dtypes] == ["string"] * 2 + ["int64", "double"] or [
        str(dtype) for dtype in frame.dtypes
    ] == ["string[pyarrow]"] * 2 + ["int64[pyarrow]", "double[pyarrow]"]
    assert frame["id"].tolist() == ["a", "ü", "b\n"]
    assert frame["prediction"].isna().tolist() == [False, False, True]


TYPED = [
    Column("n", int),
    Column("x", float),
    Column("mixed", int),
    Column("no"),
    Column("b", bool),
]
CELLS = [("1", "0.5", "7", "007", "true"), ("", "NA", "8", "", ""), ("3", "2", "no", "7", "false")]


def test_cells_of_users_keep_their_types_in_objects(tmp_path: Path) -> None:
    """What is no number in a column of numbers stays what it is."""
    with opened(str(tmp_path / "o.jsonl"), STYLES["jsonl"], TYPED) as write:
        write(CELLS)
    rows = [
        list(json.loads(line).values()) for line in (tmp_path / "o.jsonl").read_text().splitlines()
    ]
    assert rows == [
        [1, 0.5, 7, "007", True],
        [None, None, 8, "", None],
        [3, 2, "no", "7", False],
    ]


def test_a_parquet_column_is_what_all_of_its_cells_are(tmp_path: Path) -> None:
    """Also if that shows only in a later part."""
    path = tmp_path / "o.parquet"
    with opened(str(path), STYLES["parquet"], TYPED) as write:
        write(CELLS[:2])
        write(CELLS[2:])
    table = parquet.read_table(path)
    assert list(map(str, table.schema.types)) == ["int64", "double", "string", "string", "bool"]
    assert table.column("n").to_pylist() == [1, None, 3]
    assert table.column("x").to_pylist() == [0.5, None, 2.0]
    assert table.column("mixed").to_pylist() == ["7", "8", "no"]
    assert table.column("no").to_pylist() == ["007", "", "7"]
    assert [file.name for file in tmp_path.iterdir()] == ["o.parquet"]


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_columns_without_a_name_are_not_lost(tmp_path: Path, ending: str) -> None:
    columns = [Column(""), Column(" "), Column("column_1", int), Column("p", float)]
    path = written(tmp_path / f"out.{ending}", columns)
    if ending == "parquet":
        names = list(pandas.read_parquet(path).columns)
    else:
        names = list(json.loads(path.read_text(encoding="utf-8").splitlines()[0]))
    assert names == ["column_1_", "column_2", "column_1", "p"]


@pytest.mark.parametrize("ending", sorted(STYLES))
def test_a_file_is_there_as_a_whole_or_not_at_all(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    path.write_text("what was there before")

    def half() -> None:
        with opened(str(path), STYLES[ending], COLUMNS) as write:
            write(ROWS)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert path.read_text() == "what was there before"
    assert list(tmp_path.iterdir()) == [path]


def test_the_style_is_that_of_the_ending() -> None:
    assert tuple(STYLES) == OFFERED
    assert style_of("-", None).name == "csv"
    assert style_of("A.TSV", None).name == "tsv"
    assert style_of("out.csv", "jsonl").name == "jsonl"
    with pytest.raises(SettingError, match=r"out.xls: an unknown ending; expected one of .csv, .t"):
        style_of("out.xls", None)


def test_parquet_needs_a_file() -> None:
    with (
        pytest.raises(SettingError, match="a Parquet file cannot go to standard output"),
        opened("-", STYLES["parquet"], COLUMNS),
    ):
        pass
