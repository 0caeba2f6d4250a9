import sys
from pathlib import Path
from typing import Any

import pytest

from graphrings.errors import DatasetError, MissingLibraryError
from graphrings.graphs.tables import open_table

pyarrow = pytest.importorskip("pyarrow")


def write(path: Path, names: list[str], *columns: list[Any]) -> Path:
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_arrays([pyarrow.array(c) for c in columns], names), path)
    return path


def test_rows_are_text_and_counted_from_one(tmp_path: Path) -> None:
    path = write(
        tmp_path / "mols.parquet",
        ["s", "y", "z", "b"],
        ["C", "N,O", None],
        [1.5, 0.1, None],
        [1, 2, 3],
        [True, False, None],
    )
    with open_table(path) as table:
        chunks = list(table.chunks(2))
    assert table.columns == ("s", "y", "z", "b")
    assert [row for rows in chunks for row in rows.rows] == [
        ("C", "1.5", "1", "true"),
        ("N,O", "0.1", "2", "false"),
        ("", "", "3", ""),
    ]
    assert [rows.lines for rows in chunks] == [(1, 2), (3,)]


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "mols.parquet", ["s", "y", "y"], ["C"], [1], [2])
    with pytest.raises(DatasetError, match="2 columns are called 'y'"):
        open_table(path)


def test_a_file_that_is_cut_off_or_none_at_all_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "mols.parquet", ["s"], ["C"] * 100)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DatasetError, match=r"mols.parquet: a Parquet file that was cut off or dam"):
        open_table(path)
    path.write_text("smiles\nC\n")
    with pytest.raises(DatasetError, match=r"mols.parquet: not a Parquet file"):
        open_table(path)


def test_without_pyarrow_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "mols.parquet", ["s"], ["C"])
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingLibraryError) as error:
        open_table(path)
    assert str(error.value) == (
        "reading Parquet files needs pyarrow; install it with: pip install 'graphrings[parquet]'"
    )
