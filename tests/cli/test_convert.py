from pathlib import Path

import pytest

import graphrings as gr
from cli.commands import mistake, output, run
from graphrings.graphs.formats import FORMATS


@pytest.mark.parametrize(
    ("name", "style"),
    [("X.npz", None), ("X.zip", None), ("X", "node-link-json"), ("X.zip", "GraphML"), ("X", "GML")],
)
def test_a_dataset_comes_back_from_any_format(tmp_path: Path, name: str, style: str | None) -> None:
    path = tmp_path / name
    said = output("convert", "MUTAG", path, *(("--format", style) if style else ()))
    assert said.startswith(f"{path}: 188 graphs of MUTAG as ")
    assert gr.read(path).fingerprint == gr.load("MUTAG").fingerprint


def test_what_is_lost_is_said(tmp_path: Path) -> None:
    done = run("convert", "MUTAG", tmp_path / "X.g6")
    assert (done.exit_code, done.stderr) == (
        0,
        f"note: {tmp_path}/X.g6: targets and node labels and edge labels are left out, since "
        "graph6 has no place for them\n",
    )


def test_the_help_lists_the_formats() -> None:
    words = output("convert", "--help").split()
    assert {known.word for known in FORMATS} <= set(words)


def test_mistakes_are_one_line_and_write_nothing(tmp_path: Path) -> None:
    assert "no format is written to .xyz; expected .npz" in mistake(
        "convert", "MUTAG", tmp_path / "X.xyz"
    )
    assert "GML is not written to .npz; but to .gml or a folder or .zip" in mistake(
        "convert", "MUTAG", tmp_path / "X.npz", "--format", "gml"
    )
    assert "format 'grafml'; expected one of graphrings, mapped, " in mistake(
        "convert", "MUTAG", tmp_path / "X", "--format", "grafml"
    )
    assert "no such file" in mistake("convert", tmp_path / "lost.zip", tmp_path / "X.npz")
    assert list(tmp_path.iterdir()) == [] or [p.name for p in tmp_path.iterdir()] == ["cache"]


def test_tables_of_molecules_have_their_options(tmp_path: Path) -> None:
    pytest.importorskip("rdkit")
    (tmp_path / "mols.csv").write_text("mol,active\nCCO,yes\nCC,no\n")
    words = ("convert", tmp_path / "mols.csv", tmp_path / "X.json")
    output(*words, "--smiles", "mol", "--target", "active")
    made = gr.read(tmp_path / "X.json")
    assert made.smiles == ("CCO", "CC")
    assert made.class_names == ("no", "yes")
