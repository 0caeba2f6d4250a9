"""Which columns are read when nobody names them."""

import warnings
from pathlib import Path

import pytest

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.tables import Table, open_table
from graphrings.graphs.tables.columns import smiles_column, target_column

pytest.importorskip("rdkit")


def table(folder: Path, text: str, name: str = "mols.csv") -> Table:
    path = folder / name
    path.write_text(text)
    return open_table(path)


@pytest.mark.parametrize(
    ("header", "column"),
    [
        ("y,SMILES", "SMILES"),
        ("id,Canonical_Smiles", "Canonical_Smiles"),
        ("y,mol", "mol"),
        ("y, Structure ", " Structure "),
    ],
)
def test_molecules_are_known_by_the_name_of_their_column(
    tmp_path: Path, header: str, column: str
) -> None:
    with table(tmp_path, f"{header}\n1,CCO\n2,C1CC\n") as opened:
        assert smiles_column(opened) == column


def test_a_column_called_smiles_is_it_even_if_nothing_in_it_parses(tmp_path: Path) -> None:
    with table(tmp_path, "smiles,x\n1,CCO\n") as opened:
        assert smiles_column(opened) == "smiles"


def test_else_by_content_which_is_said(tmp_path: Path) -> None:
    """A compound may be a name, and a class may be called N, which is a molecule too."""
    text = "compound,class,chem\nethanol,N,CCO\nmethane,O,C\n"
    with table(tmp_path, text) as opened, pytest.warns(DatasetNote, match="from column 'chem'"):
        assert smiles_column(opened) == "chem"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "mols.csv: no column of SMILES; the columns are 'a', 'b'"),
        ("a,b\nCC,CO\nCCC,OC\n", "mols.csv: 'a' and 'b' all hold SMILES; name the column to read"),
        ("CCO,1\nCC,0\n", "mols.csv:1: no header, since 'CCO' is a molecule; expected the names"),
        ("1,c1ccccc1\n0,CC\n", "mols.csv:1: no header, since 'c1ccccc1' is a molecule"),
        ("CCO,1\n", "mols.csv:1: no header, since 'CCO' is a molecule"),
    ],
)
def test_no_such_column_or_no_header_gets_one_line(tmp_path: Path, text: str, message: str) -> None:
    with table(tmp_path, text) as opened, pytest.raises(DatasetError) as error:
        smiles_column(opened)
    assert str(error.value).startswith(f"{tmp_path}/{message}")


def test_a_missing_header_is_told_also_to_those_who_name_a_column(tmp_path: Path) -> None:
    with (
        table(tmp_path, "CCO,1\nCC,0\n") as opened,
        pytest.raises(DatasetError, match="no header, since 'CCO'"),
    ):
        smiles_column(opened, "smiles")
    with (
        table(tmp_path, "smiles,CNS\nCC,0\n") as opened,  # CNS is a molecule too
        pytest.raises(DatasetError, match=r"no column 'smile', .*; did you mean 'smiles'\?"),
    ):
        smiles_column(opened, "smile")


def test_the_only_other_column_is_the_target_which_is_said(tmp_path: Path) -> None:
    with table(tmp_path, ",smiles,y\n0,C,1\n") as opened:
        with pytest.warns(DatasetNote, match="targets from column 'y'"):
            assert target_column(opened, None, ["smiles"]) == "y"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert target_column(opened, "Y", ["smiles"]) == "y"
            assert target_column(opened, "", ["smiles"]) is None
            assert target_column(opened, None, ["smiles", "y"]) is None


def test_one_of_several_must_be_named(tmp_path: Path) -> None:
    with (
        table(tmp_path, "smiles,a,b\nC,1,2\n") as opened,
        pytest.raises(DatasetError, match="2 columns may hold the targets; name one as target, or"),
    ):
        target_column(opened, None, ["smiles"])


def test_the_names_in_a_file_of_smiles_are_no_targets(tmp_path: Path) -> None:
    with table(tmp_path, "CCO 1\nCC 0\n", "mols.smi") as opened:
        assert smiles_column(opened) == "smiles"
        assert target_column(opened, None, ["smiles"]) is None
        assert target_column(opened, "name", ["smiles"]) == "name"
