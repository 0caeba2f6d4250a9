from pathlib import Path

import pytest

from graphrings.errors import DatasetError
from graphrings.graphs.tables import open_table


@pytest.mark.parametrize("header", ["", "SMILES id\n"])
def test_a_line_is_a_molecule_and_perhaps_its_name(tmp_path: Path, header: str) -> None:
    path = tmp_path / "mols.smi"
    path.write_text(f"{header}CCO ethanol\n\nC\tmarsh gas \nN\n")
    with open_table(path) as table:
        [rows] = table.chunks(9)
    assert (table.columns, table.molecules) == (("smiles", "name"), "smiles")
    assert rows.rows == (("CCO", "ethanol"), ("C", "marsh gas"), ("N", ""))
    assert [line - len(header.splitlines()) for line in rows.lines] == [1, 3, 4]


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "mols.smi").write_text("\n")
    with pytest.raises(DatasetError, match=r"mols.smi: the file is empty"):
        open_table(tmp_path / "mols.smi")
