"""SDF files as rdkit writes them."""

import gzip
from pathlib import Path

import pytest

from graphrings.errors import DatasetError
from graphrings.graphs.tables import open_table
from graphrings.graphs.tables import sdf as sdf_module

Chem = pytest.importorskip("rdkit.Chem")
SMILES = ["CCO", "c1ccncc1", "C[N+](C)(C)C.[Cl-]", "N[C@@H](C)C(=O)O"]


def write(path: Path, items: tuple[str, ...] = ("active", "note")) -> Path:
    writer = Chem.SDWriter(str(path))
    for i, text in enumerate(SMILES):
        mol = Chem.MolFromSmiles(text)
        mol.SetProp("_Name", f"m{i}")
        for item in items:
            mol.SetProp(item, f"{item} {i}\nsecond line")
        writer.write(mol)
    writer.close()
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_a_record_is_its_molecule_its_title_and_its_items(tmp_path: Path, packed: bool) -> None:
    path = write(tmp_path / "mols.sdf")
    text = path.read_text()
    if packed:
        path = tmp_path / "mols.sdf.gz"
        path.write_bytes(gzip.compress(text.encode()))
    with open_table(path) as table:
        [rows] = table.chunks(9)
    assert table.columns == ("smiles", "name", "active", "note")
    assert [Chem.CanonSmiles(row[0]) for row in rows.rows] == [*map(Chem.CanonSmiles, SMILES)]
    assert rows.rows[1][1:] == ("m1", "active 1\nsecond line", "note 1\nsecond line")
    titles = [i for i, line in enumerate(text.splitlines(), 1) if line in ("m0", "m1", "m2", "m3")]
    assert list(rows.lines) == titles


def test_items_called_like_our_columns_keep_their_names(tmp_path: Path) -> None:
    with open_table(write(tmp_path / "mols.sdf", ("SMILES", "name"))) as table:
        assert table.columns == ("structure_smiles", "title", "SMILES", "name")
        assert table.molecules == "structure_smiles"


def test_a_block_that_does_not_parse_is_a_fault(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "mols.sdf")
    text = path.read_text()
    path.write_text(text.replace("  3  2  0", "  3  x  0", 1) + "junk\n")
    with open_table(path) as table:
        [rows] = table.chunks(9)
    assert sorted(rows.faults) == [0, 4]
    assert rows.rows[0][:2] == ("", "m0")
    assert all(fault.startswith("does not parse: ") for fault in rows.faults.values())
    assert capfd.readouterr().err == ""


def test_a_record_without_end_and_an_empty_file_are_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mols.sdf"
    path.write_text("\n")
    with pytest.raises(DatasetError, match="the file is empty"):
        open_table(path)
    monkeypatch.setattr(sdf_module, "MOST_LINES", 10)
    path.write_text("x\n" * 12)
    with pytest.raises(DatasetError, match=r"mols.sdf:1: a record of more than 10 lines"):
        open_table(path)
