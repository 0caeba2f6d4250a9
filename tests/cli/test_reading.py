"""The options of reading tables of molecules, as several verbs have them."""

import json
from pathlib import Path

import pytest

from cli.commands import mistake, output, run
from graphrings.cli.options import READING

pytest.importorskip("rdkit")
VERBS = ("info", "audit", "rings", "train", "kernel")


@pytest.fixture
def mols(tmp_path: Path) -> Path:
    path = tmp_path / "mols.csv"
    path.write_text("smiles,a,b\nCCO,1,2.5\nC1CC,0,1.5\nCC,0,0.5\n[Na+].[Cl-],1,0.1\n")
    return path


@pytest.mark.parametrize("verb", VERBS)
def test_help_is_made_from_the_settings(verb: str) -> None:
    text = " ".join(output(verb, "--help").split())
    for name, setting in READING.items():
        assert f"--{name}" in text
        assert setting.meaning.split(";")[0].split(":")[0] in text


def test_a_column_is_the_target(mols: Path) -> None:
    done = run("info", mols, "--target", "a", "--format", "json")
    assert done.stderr == (
        f"note: {mols}: 1 of 4 rows cannot be used (does not parse: 1); the first is line 3: does "
        "not parse: unclosed ring ('C1CC')\n"
    )
    [row] = json.loads(done.stdout)
    assert (row["graphs"], row["class_sizes"], row["labels"]) == (3, {"0": 1, "1": 2}, 5)


def test_options_reach_the_reader(mols: Path) -> None:
    words = ("--target", "b", "--labels", "element", "--hydrogens", "--fragments", "largest")
    [row] = json.loads(run("info", mols, *words, "--stereo", "--format", "json").stdout)
    assert (row["target_min"], row["labels"]) == (0.1, 4)
    assert run("rings", mols, "--smiles", "SMILES", "--target", "a").exit_code == 0
    assert run("audit", mols, "--target", "a", "--id", "b").exit_code == 0


def test_rejected_rows_are_written_where_one_wants_them(mols: Path, tmp_path: Path) -> None:
    path = tmp_path / "rejected.csv"
    assert run("info", mols, "--target", "a", "--rejected", path).exit_code == 0
    assert path.read_text() == "line,reason,text\n3,does not parse: unclosed ring,C1CC\n"
    assert mistake("info", mols, mols, "--target", "a", "--rejected", path).startswith(
        "--rejected names one file, but there are several datasets."
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--target", "c"], "no target column 'c', the columns are 'smiles', 'a', 'b'"),
        ([], "2 columns may hold the targets; name one as target, or '' for none"),
        (["--target", "a", "--strict"], "mols.csv:3: does not parse: unclosed ring ('C1CC')"),
        (["--target", "a", "--labels", "atoms"], "Invalid value for '--labels': 'atoms' is not"),
        (["--target", "a", "--rejected", "no/r.csv"], "no: no such folder to write r.csv to"),
    ],
)
def test_mistakes_are_one_line(mols: Path, words: list[str], message: str) -> None:
    assert message in mistake("info", mols, *words)


def test_a_file_that_is_not_there_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    assert mistake("info", "mols.csv") == "mols.csv: no such file or folder"
    assert mistake("train", "mols.csv", "-o", tmp_path / "m") == "mols.csv: no such file or folder"
    assert mistake("info", "MUTAG", "--target", "y").endswith(
        "the TU format has no option 'target'; it has none"
    )


def test_a_model_is_trained_on_a_table(mols: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    done = run("train", mols, "--target", "a", "--method", "wl", "-o", model)
    assert done.exit_code == 0
    assert "wl on 3 graphs of mols" in done.stdout
