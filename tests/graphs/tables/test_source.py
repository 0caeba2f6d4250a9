"""Bytes become text: encodings, gzip, standard input."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from graphrings.errors import ArchiveError, DatasetError, DatasetNote
from graphrings.graphs.tables import open_table

TEXT = "smiles,name\nCCO,café\nC,Grüße\n"
ROWS = [("CCO", "café"), ("C", "Grüße")]


def rows_of(path: Path | str) -> list[tuple[str, ...]]:
    with open_table(path) as table:
        assert table.columns == ("smiles", "name")
        return [row for chunk in table.chunks(10) for row in chunk.rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be-mark"])
@pytest.mark.parametrize("packed", [False, True])
def test_marks_say_the_encoding_and_gzip_is_known_by_its_bytes(
    tmp_path: Path, encoding: str, packed: bool
) -> None:
    content = ("\ufeff" + TEXT).encode("utf-16-be") if "mark" in encoding else TEXT.encode(encoding)
    for name in ("mols.csv", "mols.csv.gz", "mols"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(content) if packed else content)
        assert rows_of(path) == ROWS


def test_lines_that_are_not_utf_8_are_latin_1_which_is_said_once(tmp_path: Path) -> None:
    path = tmp_path / "mols.csv"
    path.write_bytes(TEXT.encode("latin-1") + "N,naïve\n".encode())
    with pytest.warns(DatasetNote) as notes:
        assert rows_of(path) == [*ROWS, ("N", "naïve")]
    assert [str(note.message) for note in notes] == [
        f"{path}:2: not UTF-8; such lines are read as Latin-1"
    ]


def test_text_that_is_not_the_utf_16_it_promises_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mols.csv"
    path.write_bytes(TEXT.encode("utf-16")[:-1])
    with pytest.raises(
        DatasetError, match=r"mols.csv: not the UTF-16 that its first bytes promise"
    ):
        rows_of(path)


def test_a_damaged_gzip_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "mols.csv.gz"
    path.write_bytes(gzip.compress(TEXT.encode())[:-9])
    with pytest.raises(ArchiveError, match=r"mols.csv.gz: a gzip file that was cut off or damaged"):
        rows_of(path)


@pytest.mark.parametrize("packed", [False, True])
def test_a_dash_is_standard_input_which_stays_open(
    monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    content = gzip.compress(TEXT.encode()) if packed else TEXT.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert rows_of("-") == ROWS
    assert sys.stdin.read() == ""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(DatasetError, match=r"^standard input: the file is empty"):
        open_table("-")


def test_json_on_standard_input_is_known_by_its_first_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b' {"smiles": "CCO", "name": "x"}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert rows_of("-") == [("CCO", "x")]


def test_a_folder_and_a_missing_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"nix.csv: no such file$"):
        open_table(tmp_path / "nix.csv")
    with pytest.raises(DatasetError, match="a folder; expected a table"):
        open_table(tmp_path)
