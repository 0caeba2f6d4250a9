"""Tables of molecules as a user has them: every row is used or accounted for."""

import csv
import gzip
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote, SettingError
from graphrings.graphs.reading_options import READING
from graphrings.graphs.tables import open_table
from graphrings.graphs.tables.rejected import Rejected, write_rejected

Chem = pytest.importorskip("rdkit.Chem")
TABLE = """id,smiles,active,logp
a,CCO,1,-0.31
b,C1CC,0,0.5
c,c1ccccc1,1,
d,OCC,0,0.1
e,,1,1.5
f,C,NA,2.5
g,N
"""


@pytest.fixture
def mols(tmp_path: Path) -> Path:
    path = tmp_path / "mols.csv"
    path.write_text(TABLE)
    return path


def test_every_row_is_used_or_rejected_with_its_line_and_a_reason(mols: Path) -> None:
    read = gr.read_table(mols, target="active", id="id")
    assert (read.dataset.name, read.dataset.smiles) == ("mols", ("CCO", "c1ccccc1", "OCC"))
    assert (read.lines, read.ids, read.n_rows) == ((2, 4, 5), ("a", "c", "d"), 7)
    assert (read.smiles, read.target) == ("smiles", "active")
    assert read.dataset.targets is not None
    assert (read.dataset.targets.tolist(), read.dataset.class_names) == ([1, 1, 0], (0, 1))
    assert read.rejected == (
        Rejected(3, "does not parse: unclosed ring", "C1CC", "b"),
        Rejected(6, "no molecule", "", "e"),
        Rejected(7, "no target", "C", "f"),
        Rejected(8, "short row: 2 cells for 4 columns", "g, N", "g"),
    )


def test_read_says_once_how_many_rows_were_rejected_and_why(mols: Path) -> None:
    with pytest.warns(DatasetNote) as notes:
        dataset = gr.read(mols, smiles="smiles", target="logp")
    assert dataset.targets is not None
    assert dataset.targets.tolist() == [-0.31, 0.1, 2.5]
    assert [str(note.message) for note in notes] == [
        f"{mols}: 4 of 7 rows cannot be used (does not parse: 1, no target: 1, no molecule: 1, "
        "short row: 1); the first is line 3: does not parse: unclosed ring ('C1CC')"
    ]


def test_strict_makes_the_first_an_error(mols: Path) -> None:
    with pytest.raises(DatasetError) as error:
        gr.read(mols, target="active", strict=True)
    assert str(error.value) == (
        f"{mols}:3: does not parse: unclosed ring ('C1CC'); 3 more cannot be used"
    )


def test_rejected_rows_are_written_as_csv(mols: Path, tmp_path: Path) -> None:
    path = tmp_path / "rejected.csv"
    read = gr.read_table(mols, target="active", rejected=path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(int(row["line"]), row["reason"], row["text"]) for row in rows] == [
        (row.line, row.reason, row.text) for row in read.rejected
    ]
    assert "id" not in rows[0]
    write_rejected(path, gr.read_table(mols, target="active", id="id").rejected)
    assert path.read_text().splitlines()[:2] == [
        "line,reason,text,id",
        "3,does not parse: unclosed ring,C1CC,b",
    ]
    with pytest.raises(DatasetError, match=r"nowhere: no such folder to write r.csv to"):
        write_rejected(tmp_path / "nowhere" / "r.csv", read.rejected)


def test_duplicates_are_found_by_their_canonical_form_and_conflicts_among_them(mols: Path) -> None:
    [one] = gr.read_table(mols, target="active").duplicates
    assert (one.smiles, one.graphs, one.conflicting) == ("CCO", (0, 2), True)
    [one] = gr.read_table(mols, target="").duplicates
    assert (one.graphs, one.conflicting) == ((0, 2), False)


def test_without_a_target_the_graphs_have_none(mols: Path, tmp_path: Path) -> None:
    assert gr.read_table(mols, target="").dataset.targets is None
    bare = tmp_path / "bare.csv"
    bare.write_text("smiles\nCCO\nC\n")
    assert gr.read(bare).targets is None


def test_the_chemistry_is_that_of_the_options(mols: Path) -> None:
    read = gr.read_table(mols, target="active", labels="element", hydrogens=True)
    assert read.dataset.label_names == ("C", "H", "O")
    assert read.dataset.chemistry is not None
    assert read.dataset.chemistry.hydrogens


def test_decimal_commas_are_values_and_said(tmp_path: Path) -> None:
    """As spreadsheets write them in half of the world, cells parted by semicolons."""
    path = tmp_path / "werte.csv"
    path.write_text("smiles;y\nCCO;1,5\nCCC;-0,25\nCCN;2\nCC;>10\n")
    with pytest.warns(DatasetNote, match=r"werte.csv: column 'y' has decimal commas; '1,5' is rea"):
        read = gr.read_table(path, target="y")
    assert read.dataset.targets is not None
    assert read.dataset.targets.tolist() == [1.5, -0.25, 2.0]
    assert [str(row) for row in read.rejected] == ["no finite number: target '>10' ('CC')"]
    names = gr.read_table(path, target="y", task="classification").dataset.class_names
    assert names == ("-0,25", "1,5", "2", ">10")
    path.write_text("smiles;y\nCCO;1,500\nCCC;2,250\n")
    with pytest.raises(
        DatasetError, match=r"'1,500' in column 'y' may be 1\.500 or 1500; expected"
    ):
        gr.read_table(path, target="y")


def test_classes_that_differ_in_case_alone_are_said(tmp_path: Path) -> None:
    path = tmp_path / "mols.csv"
    path.write_text("smiles,active\nCCO,Yes\nCCC,yes\nCC,no\nC,YES\n")
    told = r"classes 'YES', 'Yes', 'yes' in column 'active' differ in upper and lower case alone"
    with pytest.warns(DatasetNote, match=told):
        assert gr.read_table(path, target="active").dataset.n_classes == 4


def test_nearly_as_many_classes_as_molecules_are_said(tmp_path: Path) -> None:
    """Values with a unit, or names of the molecules."""
    path = tmp_path / "mols.csv"
    path.write_text("smiles,ic50\n" + "".join(f"{'C' * n},{n}.5 nM\n" for n in range(1, 8)))
    told = r"column 'ic50' has 7 classes for 7 molecules, such as '1\.5 nM'; values are numbers alo"
    with pytest.warns(DatasetNote, match=told):
        assert gr.read_table(path, target="ic50").dataset.n_classes == 7


def test_the_task_decides_about_whole_numbers(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("smiles,n\n" + "".join(f"{'C' * (i + 1)},{i}\n" for i in range(60)))
    with pytest.warns(DatasetNote, match="the 60 whole numbers in column 'n' are taken for classe"):
        assert gr.read(path, target="n").n_classes == 60
    values = gr.read(path, target="n", task="regression")
    assert values.has_values
    with pytest.raises(SettingError, match="task = 'regresion'; expected classification or regr"):
        gr.read(path, target="n", task="regresion")


def test_a_target_that_is_no_number_among_values_takes_its_graph_along(tmp_path: Path) -> None:
    path = tmp_path / "mols.csv"
    path.write_text("smiles,y\nC,1.5\nCC,>10\nCCC,2.5\nC1,3\n")
    read = gr.read_table(path, target="y")
    assert read.dataset.targets is not None
    assert (read.dataset.sizes.tolist(), read.dataset.targets.tolist()) == ([1, 3], [1.5, 2.5])
    assert read.lines == (2, 4)
    assert [row.line for row in read.rejected] == [3, 5]
    assert read.rejected[0].reason == "no finite number: target '>10'"


def as_csv(path: Path) -> Path:
    return path


def as_gzip(path: Path) -> Path:
    packed = path.with_suffix(".csv.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def as_tsv(path: Path) -> Path:
    other = path.with_suffix(".tsv")
    other.write_text(path.read_text().replace(",", "\t"))
    return other


def as_json(path: Path) -> Path:
    import json

    other = path.with_suffix(".jsonl")
    with path.open() as file:
        other.write_text("".join(json.dumps(row) + "\n" for row in csv.DictReader(file)))
    return other


def as_parquet(path: Path) -> Path:
    pandas, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    other = path.with_suffix(".parquet")
    pandas.read_csv(path).to_parquet(other)
    return other


def as_sdf(path: Path) -> Path:
    other = path.with_suffix(".sdf")
    writer = Chem.SDWriter(str(other))
    with path.open() as file:
        for row in csv.DictReader(file):
            mol = Chem.MolFromSmiles(row["smiles"])
            mol.SetProp("active", row["active"])
            writer.write(mol)
    writer.close()
    return other


def as_smi(path: Path) -> Path:
    other = path.with_suffix(".smi")
    with path.open() as file:
        lines = [f"{row['smiles']} {row['active']}\n" for row in csv.DictReader(file)]
    other.write_text("".join(lines))
    return other


@pytest.mark.parametrize(
    "made", [as_csv, as_gzip, as_tsv, as_json, as_parquet, as_sdf, as_smi], ids=lambda f: f.__name__
)
def test_every_kind_of_file_holds_the_same_molecules(
    tmp_path: Path, made: Callable[[Path], Path]
) -> None:
    path = tmp_path / "mols.csv"
    path.write_text("smiles,active\nCCO,1\nc1ccccc1,0\n[Na+].[Cl-],1\n")
    dataset = gr.read(made(path), target="name" if made is as_smi else "active")
    assert dataset.targets is not None
    assert dataset.targets.tolist() == [1, 0, 1]
    assert (
        dataset.fingerprint
        == gr.from_smiles(["CCO", "c1ccccc1", "[Na+].[Cl-]"], [1, 0, 1]).fingerprint
    )


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("", {}, "mols.csv: the file is empty"),
        ("smiles,active\n", {"target": "active"}, "mols.csv: no rows below the header"),
        ("CCO,1\nCC,0\n", {}, "mols.csv:1: no header, since 'CCO' is a molecule"),
        (
            "smiles,active\nC,1\n",
            {"target": "activ"},
            "no target column 'activ', the columns are 'sm",
        ),
        (
            "smiles,active\nC,1\n",
            {"smiles": "mol"},
            "no column 'mol', the columns are 'smiles', 'act",
        ),
        (
            "smiles,y\nC,1\n",
            {"target": "Smiles"},
            "target column 'smiles' holds the molecules; exp",
        ),
        ("smiles,y\nC,1\n", {"target": "y", "id": "nr"}, "no id column 'nr', the columns are"),
        ("smiles,y,y\nC,1,2\n", {"target": "y"}, "2 columns are called 'y'"),
        ("smiles,a,b\nC,1,2\n", {}, "2 columns may hold the targets"),
        (
            "smiles,y\nC1,1\nC2,0\n,1\n",
            {"target": "y"},
            "mols.csv: 3 of 3 rows cannot be used (does not parse: 2, no molecule: 1); the first",
        ),
        ("smiles,y\nC,\nN,NA\n", {"target": "y"}, "2 of 2 rows cannot be used (no target: 2)"),
        ("smiles,y\nC,1\n", {"tagret": "y"}, "has no option 'tagret'; did you mean 'target'?"),
        ("smiles,y\nC,1\n", {"strict": 1}, "strict = 1; expected True or False"),
    ],
)
def test_bad_input_gets_one_clear_line_and_nothing_is_written(
    tmp_path: Path, text: str, options: dict[str, Any], message: str
) -> None:
    path = tmp_path / "mols.csv"
    path.write_text(text)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((DatasetError, SettingError)) as error:
            gr.read(path, **options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == [path]


def test_quotes_commas_line_breaks_and_latin_1_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "mols.csv"
    path.write_bytes(
        '"name";"smiles";"y"\r\n"a, ""b""\n(two lines)";"C\\C=C\\C";ja\r\nGrün;CC;nein\r\n'.encode(
            "latin-1"
        )
    )
    with pytest.warns(DatasetNote, match="not UTF-8"):
        read = gr.read_table(path, target="y", id="name")
    assert read.ids == ('a, "b"\n(two lines)', "Grün")
    assert (read.lines, read.dataset.class_names) == ((2, 4), ("ja", "nein"))


@settings(max_examples=30)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["CCO", "C1CC", "", "c1ccccc1", "x"]),
            st.sampled_from(["1", "0", "", "NA"]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_no_row_is_lost(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("any") / "mols.csv"
    path.write_text("smiles,y,z\n" + "".join(f"{smiles},{y},.\n" for smiles, y in rows))
    good = [
        i
        for i, (smiles, y) in enumerate(rows, 2)
        if smiles in ("CCO", "c1ccccc1") and y in "10" and y
    ]
    if not good:
        with pytest.raises(DatasetError, match=f"{len(rows)} of {len(rows)} rows cannot be used"):
            gr.read_table(path, target="y")
        return
    read = gr.read_table(path, target="y")
    assert list(read.lines) == good
    assert sorted([*read.lines, *(row.line for row in read.rejected)]) == list(
        range(2, len(rows) + 2)
    )


REAL = {  # rows, and those that cannot be used
    "BBBP.csv": ("BBBP", 2050, 11),
    "SAMPL.csv": ("expt", 642, 0),
    "delaney-processed.csv": ("measured log solubility in mols per litre", 1128, 0),
    "bace.csv": ("Class", 1513, 0),
    "Lipophilicity.csv": ("exp", 4200, 0),
    "tox21.csv": ("NR-AR", 7831, 573),
}


def test_the_rows_of_hiv_are_all_there_between_its_blank_lines(datasets: Path) -> None:
    path = datasets / "molecules" / "HIV.csv"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    with open_table(path) as table:
        chunks = list(table.chunks(10_000))
    assert [len(rows) for rows in chunks] == [10_000] * 4 + [1127]
    assert [line for rows in chunks for line in rows.lines] == list(range(3, 2 * 41_127 + 2, 2))
    assert not any(rows.faults for rows in chunks)


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_the_files_of_moleculenet_are_read_as_they_are(datasets: Path, name: str) -> None:
    path = datasets / "molecules" / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    target, n_rows, n_rejected = REAL[name]
    read = gr.read_table(path, target=target)
    assert (read.n_rows, len(read.rejected)) == (n_rows, n_rejected)
    assert len(read.dataset) == n_rows - n_rejected
    lines = path.read_bytes().decode().splitlines()
    for k in (0, len(read.lines) // 2, -1):
        assert read.dataset.smiles[k] in lines[read.lines[k] - 1]
    some = read.dataset[:: max(1, len(read.dataset) // 200)]
    for graph in some:
        mol = Chem.MolFromSmiles(graph.smiles)
        assert (graph.n_nodes, graph.n_edges) == (mol.GetNumAtoms(), mol.GetNumBonds())


def test_the_docs_have_every_option_with_its_meaning_and_default() -> None:
    text = (Path(__file__).parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
    for name, setting in READING.items():
        row = next(line for line in text.splitlines() if line.startswith(f"| `{name}` | "))
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert cells[1] == setting.meaning
        assert cells[3] == ("" if setting.default is None else f"`{setting.default}`")
        if setting.words:
            assert cells[2] == ", ".join(f"`{word}`" for word in setting.words)
