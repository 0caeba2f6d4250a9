"""Excel workbooks: those that openpyxl writes, and some by hand as other programs write them."""

import datetime
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import ArchiveError, DatasetError, DatasetNote
from graphrings.graphs.tables import Rows, open_table
from graphrings.graphs.tables.workbook_cells import date_text, is_date, number_text

openpyxl = pytest.importorskip("openpyxl")

TEXT = st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=9).filter(
    lambda text: text.strip() and not text.startswith("=")
)
DAYS = st.dates(datetime.date(1900, 3, 1), datetime.date(9000, 1, 1))
CELLS = (
    st.none()
    | st.booleans()
    | TEXT
    | st.integers(-(10**14), 10**14)
    | st.floats(-1e300, 1e300).map(lambda value: float(f"{value:.14g}"))  # openpyxl keeps 16 digits
    | DAYS
    | st.datetimes(datetime.datetime(1900, 3, 1), datetime.datetime(9000, 1, 1)).map(
        lambda moment: moment.replace(microsecond=0)
    )
)


def write(path: Path, *sheets: list[list[Any]], epoch: datetime.datetime | None = None) -> Path:
    workbook = openpyxl.Workbook()
    workbook.epoch = epoch or workbook.epoch
    workbook.remove(workbook.active)
    for number, rows in enumerate(sheets, start=1):
        sheet = workbook.create_sheet(f"Sheet {number}")
        for row in rows:
            sheet.append(row)
    workbook.save(path)
    return path


def read(path: Path) -> tuple[tuple[str, ...], Rows]:
    with open_table(path) as table:
        (rows,) = list(table.chunks(10_000)) or [Rows(table.columns, (), (), {})]
    return table.columns, rows


def as_text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.datetime):
        return (
            value.isoformat(sep=" ") if value.time() != datetime.time() else as_text(value.date())
        )
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=6))
def test_cells_are_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Any, ...]]
) -> None:
    """Rows of empty cells are passed over, as they are in CSV; lines are rows of the sheet."""
    path = tmp_path_factory.mktemp("book") / "mols.xlsx"
    columns, found = read(write(path, [["smiles", "y", 7], *map(list, rows)]))
    expected = {n: tuple(map(as_text, row)) for n, row in enumerate(rows, start=2)}
    kept = {n: cells for n, cells in expected.items() if any(cell.strip() for cell in cells)}
    assert columns == ("smiles", "y", "7")
    assert dict(zip(found.lines, found.rows, strict=True)) == kept
    assert found.faults == {}


def test_days_may_be_counted_from_1904(tmp_path: Path) -> None:
    day = datetime.date(2018, 11, 18)
    since = openpyxl.utils.datetime.CALENDAR_MAC_1904
    _, rows = read(write(tmp_path / "m.xlsx", [["smiles", "day"], ["C", day]], epoch=since))
    assert rows.rows == (("C", "2018-11-18"),)


def test_the_table_may_begin_anywhere_and_rows_may_be_longer(tmp_path: Path) -> None:
    rows = [[], [None, None], ["smiles", "y", None], ["C", 1], [], ["CC", 2, None, "more", 3]]
    columns, found = read(write(tmp_path / "mols.xlsx", rows))
    assert columns == ("smiles", "y")
    assert found.lines == (4, 6)
    assert found.rows == (("C", "1"), ("CC", "2, more, 3"))
    assert found.faults == {1: "long row: cells in 5 columns, the header has 2"}


def test_the_first_sheet_in_sight_with_something_in_it_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "mols.xlsx", [["hidden"]], [], [["smiles"], ["C"]], [["notes"]])
    workbook = openpyxl.load_workbook(path)
    workbook.worksheets[0].sheet_state = "hidden"
    workbook.save(path)
    told = r"mols.xlsx: read the sheet 'Sheet 3'; left 'Sheet 2', 'Sheet 4'; sheet names another$"
    with pytest.warns(DatasetNote, match=told):
        assert read(path)[0] == ("smiles",)
    for name, columns in (("Sheet 1", ("hidden",)), (" sheet 4", ("notes",))):
        with open_table(path, sheet=name) as table:
            assert table.columns == columns
    with pytest.raises(DatasetError, match=r"no sheet 'Shet 4'; the sheets are .*did you mean"):
        open_table(path, sheet="Shet 4")
    with pytest.raises(DatasetError, match="sheet 'Sheet 2' is empty"):
        open_table(path, sheet="Sheet 2")
    with pytest.raises(DatasetError, match="no sheet in sight holds anything"):
        open_table(write(tmp_path / "empty.xlsx", [], [[None]]))


def test_formulas_without_results_are_said_once(tmp_path: Path) -> None:
    path = write(tmp_path / "mols.xlsx", [["smiles", "y"], ["C", "=1+1"], ["CC", "=2+2"]])
    with pytest.warns(DatasetNote, match="row 2: a formula without a result") as told:
        _, rows = read(path)
    assert len(told) == 1
    assert rows.rows == (("C", ""), ("CC", ""))


REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
LINK = '<Relationship Id="{}" Type="' + REL + '/{}" Target="{}"/>'


def by_hand(path: Path, rows: str, shared: str = "", **others: str) -> Path:
    """A workbook as small as they can be."""
    links = [LINK.format("r1", "worksheet", "/xl/sheet.xml")]
    links += [LINK.format("r2", "sharedStrings", "strings.xml")] * bool(shared)
    parts: Mapping[str, str] = {
        "_rels/.rels": f"<R>{LINK.format('r9', 'officeDocument', 'xl/book.xml')}</R>",
        "xl/book.xml": f'<w xmlns:r="{REL}"><sheets><sheet name="A" r:id="r1"/></sheets></w>',
        "xl/_rels/book.xml.rels": f"<R>{''.join(links)}</R>",
        "xl/sheet.xml": f"<w><sheetData>{rows}</sheetData></w>",
        "xl/strings.xml": f"<sst>{shared}</sst>",
        **others,
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def test_texts_may_be_shared_in_pieces_spoken_and_inline(tmp_path: Path) -> None:
    shared = "<si><t>smi</t></si><si><r><t>C</t></r><r><t>CO</t></r><rPh><t>no</t></rPh></si><si/>"
    rows = (
        '<row><c t="s"><v>0</v></c>'
        '<c t="inlineStr"><is><r><t>a</t></r><r><t>b</t></r></is></c></row>'
        '<row r="9"><c t="s"><v>1</v></c><c r="B9" t="b"><v>1</v></c></row>'
        '<row><c t="s"><v>2</v></c><c t="str"><f>A1</f><v> x </v></c></row>'
        '<row><c r="B11" t="e"><v>#N/A</v></c></row>'
    )
    columns, found = read(by_hand(tmp_path / "mols.xlsx", rows, shared))
    assert columns == ("smi", "ab")
    assert found.lines == (9, 10, 11)
    assert found.rows == (("CCO", "true"), ("", " x "), ("", "#N/A"))


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ('<row r="2"/><row r="2"/>', "row '2' behind row 2; damaged"),
        ('<row r="9999999"/>', "row '9999999' behind row 0; damaged"),
        ('<row r="\u0663"/>', "damaged"),
        ('<row><c r="XFE1"/></row>', "no cell 'XFE1'; damaged"),
        ('<row><c r="1A"/></row>', "no cell '1A'; damaged"),
        ('<row><c t="s"><v>0</v></c></row>', "no text '0'; damaged"),
        ('<row><c t="s"><v>-1</v></c></row>', "no text '-1'; damaged"),
        ("<row><c><v>1_0</v></c></row>", "no number '1_0'; damaged"),
        ("<row><c><v>inf</v></c></row>", "no number 'inf'; damaged"),
        ("<row><c>", "a damaged workbook, not XML inside"),
        (f"<row><c t='str'><v>{'C' * 140_000}</v></c></row>", "a cell of more than 131,072 chara"),
    ],
)
def test_damage_is_one_line(tmp_path: Path, rows: str, told: str) -> None:
    with pytest.raises(DatasetError, match=f"mols.xlsx: .*{told}") as error:
        read(by_hand(tmp_path / "mols.xlsx", rows))
    assert "\n" not in str(error.value)


def test_what_is_no_workbook_is_told_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "mols.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(
        DatasetError, match=r"an old Excel workbook .* or one with a password; save"
    ):
        gr.read(path)
    path = tmp_path / "mols.xlsx"
    path.write_text("smiles\nC\n")
    with pytest.raises(DatasetError, match="not an Excel workbook"):
        open_table(path)
    path.write_bytes(write(path, [["smiles"]]).read_bytes()[:-40])
    with pytest.raises(ArchiveError, match="cut off or damaged"):
        open_table(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(DatasetError, match=r"no Excel workbook .* though a zip archive"):
        open_table(path)
    entity = '<!DOCTYPE w [<!ENTITY x "x">]><w><sheetData/></w>'
    with pytest.raises(DatasetError, match="a document type inside"):
        read(by_hand(path, "", **{"xl/sheet.xml": entity}))
    with pytest.raises(ArchiveError, match="would unpack to"):
        open_table(by_hand(path, "", **{"xl/big.bin": "\0" * (130 << 20)}))


def test_only_a_workbook_has_sheets(tmp_path: Path) -> None:
    path = tmp_path / "mols.csv"
    path.write_text("smiles\nC\n")
    with pytest.raises(DatasetError, match="sheet 'A'; only an Excel workbook has sheets"):
        gr.read(path, sheet="A")


def test_a_workbook_is_a_dataset_like_any_table(tmp_path: Path) -> None:
    pytest.importorskip("rdkit")
    rows = [["Name", "SMILES", "logS"], ["a", "CCO", 1.1], ["b", "C1CC", 2.5], ["c", "CC", -0.3]]
    with pytest.warns(DatasetNote, match=r"1 of 3 rows .* line 3"):
        dataset = gr.read(write(tmp_path / "mols.xlsx", rows), target="logS", id="Name")
    assert dataset.targets is not None
    assert dataset.targets.tolist() == [1.1, -0.3]


@pytest.mark.parametrize(
    ("number", "code", "date"),
    [
        ("14", None, True),
        ("0", None, False),
        ("46", None, False),
        ("x", None, False),
        ("164", "dd/mm/yyyy", True),
        ("164", "[$-407]d. mmm;@", True),
        ("164", "General", False),
        ("164", "0.00E+00", False),
        ("164", '0 "days"', False),
        ("164", r"0\d", False),
        ("164", "[Red]0.0", False),
        ("164", "[h]:mm", False),
    ],
)
def test_formats_tell_which_numbers_are_dates(number: str, code: str | None, date: bool) -> None:
    assert is_date(number, code) == date


@given(day=DAYS | st.dates(datetime.date(1904, 1, 2), datetime.date(9000, 1, 1)))
def test_days_are_those_of_openpyxl(day: datetime.date) -> None:
    for epoch, since_1904 in (
        (openpyxl.utils.datetime.CALENDAR_WINDOWS_1900, False),
        (openpyxl.utils.datetime.CALENDAR_MAC_1904, True),
    ):
        if not since_1904 or day.year >= 1904:
            serial = openpyxl.utils.datetime.to_excel(day, epoch)
            assert date_text(serial, since_1904) == day.isoformat()


def test_days_at_the_beginning_are_as_excel_has_them() -> None:
    assert [date_text(serial) for serial in (1, 59, 60, 61, -1, 1e9)] == [
        "1900-01-01",
        "1900-02-28",
        None,
        "1900-03-01",
        None,
        None,
    ]
    assert (date_text(0.5), date_text(1.25)) == ("12:00:00", "1900-01-01 06:00:00")


def test_numbers_are_as_short_as_they_are_exact() -> None:
    texts = ("1.1000000000000001", "007", "2.0", "1E+20", "123456789012345678", "1e5", "-0")
    shown = ("1.1", "7", "2", "1e+20", "1.2345678901234568e+17", "100000", "0")
    assert tuple(number_text(text, False, False) for text in texts) == shown
    assert number_text("x", False, False) is None
