"""CSV and its relatives; the csv module writes what is read here."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings.errors import DatasetError
from graphrings.graphs.tables import Rows, open_table

# The csv module writes a lone carriage return without quotes, which ends the record.
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=8)
UGLY = CELLS | st.sampled_from(['"', ",", ";", "\n", "\r\n", "a\tb", "|", " x ", '""', "é", "'"])


def read_all(path: Path, size: int = 1000) -> tuple[tuple[str, ...], list[Rows]]:
    with open_table(path) as table:
        return table.columns, list(table.chunks(size))


def written(folder: Path, content: str | bytes, name: str = "mols.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@given(
    rows=st.lists(st.tuples(UGLY, UGLY, UGLY), max_size=6),
    separator=st.sampled_from(",;\t|"),
    end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    size=st.integers(1, 4),
)
def test_cells_come_back_as_they_were_written_each_with_the_line_where_it_starts(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, str, str]],
    separator: str,
    end: str,
    quoting: int,
    size: int,
) -> None:
    text, starts = io.StringIO(), []
    writer = csv.writer(text, delimiter=separator, lineterminator=end, quoting=quoting)
    writer.writerow(["smiles", "a b", "c"])
    for row in rows:
        if any(cell.strip() for cell in row):
            lines = io.StringIO(text.getvalue(), newline="").readlines()
            starts.append(len(lines) + 1)
        writer.writerow(row)
    path = written(tmp_path_factory.mktemp("csv"), text.getvalue(), "any.csv")
    with open_table(path, separator=separator) as table:
        chunks = list(table.chunks(size))
    assert table.columns == ("smiles", "a b", "c")
    assert [row for chunk in chunks for row in chunk.rows] == [
        row for row in rows if any(cell.strip() for cell in row)
    ]
    assert [line for chunk in chunks for line in chunk.lines] == starts
    assert all(len(chunk) <= size and not chunk.faults for chunk in chunks)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["mols.csv", "mols.tsv"])
def test_the_separator_is_found(tmp_path: Path, separator: str, name: str) -> None:
    text = "smiles,y,note\nCCO,1,x\nC,0,\n".replace(",", separator)
    columns, [rows] = read_all(written(tmp_path, text, name))
    assert columns == ("smiles", "y", "note")
    assert rows.rows == (("CCO", "1", "x"), ("C", "0", ""))


def test_a_comma_in_one_column_does_not_part_cells(tmp_path: Path) -> None:
    columns, [rows] = read_all(written(tmp_path, "smiles\nCCO\n"))
    assert (columns, rows.rows) == (("smiles",), (("CCO",),))
    text = "smiles;log P; 1,5 M\nCCO;1,5\nC;1,7\n"
    columns, _ = read_all(written(tmp_path, text.replace("; 1,5 M", "")))
    assert columns == ("smiles", "log P")


def test_blank_lines_and_mixed_line_ends_are_counted_and_passed_over(tmp_path: Path) -> None:
    """As in HIV.csv: every record ends in CRLF, and a blank line follows."""
    content = b"smiles,y\r\n\nCCO,1\r\n\n\nC,0\rN,1\n,\n"
    _, [rows] = read_all(written(tmp_path, content))
    assert rows.rows == (("CCO", "1"), ("C", "0"), ("N", "1"))
    assert rows.lines == (3, 6, 7)


def test_short_and_long_rows_have_a_fault_and_lose_nothing(tmp_path: Path) -> None:
    _, [rows] = read_all(written(tmp_path, "smiles,y,z\nCCO\nC,1,2,3,4\nN,1,2,,\nO,1,2\n"))
    assert rows.rows == (
        ("CCO", "", ""),
        ("C", "1", "2,3,4"),
        ("N", "1", "2"),
        ("O", "1", "2"),
    )
    assert rows.faults == {
        0: "short row: 1 cells for 3 columns",
        1: "long row: 5 cells for 3 columns",
    }


def test_text_behind_a_closing_quote_is_a_fault_of_that_row_alone(tmp_path: Path) -> None:
    _, [rows] = read_all(written(tmp_path, 'smiles,y\n"CCO"x,1\nC,0\n'))
    assert rows.faults == {0: "broken quotes: text behind a closing quote"}
    assert rows.rows == (('"CCO"x,1', ""), ("C", "0"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "mols.csv: the file is empty"),
        ("\n \n\r\n", "mols.csv: the file is empty"),
        ("\ufeff", "mols.csv: the file is empty"),
        ("smiles,y,y,z\nC,1,2,3\n", "mols.csv: 2 columns are called 'y'; expected a name of its"),
        ('smiles,y\nC,1\n"CCO,1\nC,0\n', "mols.csv:3: a quote opens in this record and is never"),
        (f"smiles,y\nC,1\n{'x' * 10**7},1\n", "mols.csv:3: a line of more than 10,000,000 char"),
        (f"smiles,y\nC,1\n{'x' * 200_000},1\n", "mols.csv:3: a cell of more than 131,072 charact"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "mols.csv: not text; expected a table"),
    ],
)
def test_a_file_that_is_no_table_gets_one_line(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    with pytest.raises(DatasetError) as error:
        read_all(written(tmp_path, content))
    assert str(error.value).startswith(f"{tmp_path}/{message}")
    assert "\n" not in str(error.value)


def test_columns_without_a_name_may_be_several(tmp_path: Path) -> None:
    """Spreadsheets leave them at the end, and pandas one at the beginning."""
    columns, [rows] = read_all(written(tmp_path, ",smiles,,\n0,CCO,,\n"))
    assert (columns, rows.rows) == (("", "smiles", "", ""), (("0", "CCO", "", ""),))


def test_a_column_is_found_whatever_its_case_and_else_the_nearest_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "SMILES, Active ," + ",".join(f"d{i}" for i in range(20)) + "\n")
    with open_table(path) as table:
        assert table.column("smiles") == "SMILES"
        assert table.column("active") == " Active "
        with pytest.raises(DatasetError) as error:
            table.column("activ", "target column")
    assert str(error.value) == (
        f"{path}: no target column 'activ', the columns are 'SMILES', ' Active ', 'd0', 'd1', "
        "'d2', 'd3', 'd4', 'd5', 'd6', 'd7' and 12 more; did you mean ' Active '?"
    )


def test_what_was_peeked_at_is_read_again(tmp_path: Path) -> None:
    with open_table(written(tmp_path, "smiles,y\nC,1\nN,2\nO,3\n")) as table:
        assert table.peek(2).column("smiles") == ("C", "N")
        assert [chunk.column("y") for chunk in table.chunks(2)] == [("1", "2"), ("3",)]


@pytest.mark.parametrize(("kind", "separator"), [("ods", None), (None, "x"), ("smi", ",")])
def test_an_unknown_kind_or_separator_is_refused(
    tmp_path: Path, kind: str | None, separator: str | None
) -> None:
    path = written(tmp_path, "smiles,y\nC,1\n")
    with pytest.raises(DatasetError, match=r"no kind of table; expected one of csv|expected a c"):
        open_table(path, kind=kind, separator=separator)
