from pathlib import Path

import pytest

import graphrings as gr
from cli.commands import mistake, output


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "model.safetensors"
    gr.ForestClassifier(n_trees=5, random_state=0).fit(gr.load("MUTAG")).save(path)
    return str(path)


@pytest.fixture(scope="module")
def of_molecules(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("models") / "molecules.safetensors"
    smiles = [f"{'C' * n}{end}" for n in range(2, 12) for end in ("O", "N")]
    gr.KernelClassifier("wl").fit(gr.from_smiles(smiles, ["yes", "no"] * 10)).save(path)
    return str(path)


@pytest.mark.parametrize("suffix", [".html", ".csv", ".svg"])
def test_it_writes_what_the_ending_names(model: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"explain{suffix}"
    said = output("explain", model, "MUTAG", "--graph", "3", "5", "-o", str(path))
    assert said == f"{path}: 188 graphs of MUTAG explained\n"
    text = path.read_text()
    starts = {".html": "<!doctype html>", ".csv": "graph,output,part", ".svg": "<svg"}
    assert text.startswith(starts[suffix])
    if suffix == ".csv":
        assert {line.split(",")[0] for line in text.splitlines()[1:]} == {"3", "5"}


def test_the_surest_are_as_many_as_are_asked_for(model: str, tmp_path: Path) -> None:
    path = tmp_path / "explain.html"
    output("explain", model, "MUTAG", "--top", "2", "--masking", "-o", str(path))
    assert path.read_text().count("<article") == 2
    assert "nodes taken out one by one" in path.read_text()


def test_a_table_of_molecules_is_read_as_in_training(of_molecules: str, tmp_path: Path) -> None:
    table, page = tmp_path / "new.csv", tmp_path / "explain.html"
    table.write_text("id,smiles,measured\na,CCCO,yes\nb,CCCN,no\n")
    output("explain", of_molecules, str(table), "--target", "measured", "-o", str(page))
    text = page.read_text()
    assert text.count("✓ right") == 2
    output("explain", of_molecules, str(table), "-o", str(page))
    assert "right</span>" not in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--graph", "188"], "graph 188; expected a number from 0 to 187"),
        (["--graph", "1", "--top", "2"], "--graph and --top; expected one of them"),
        (["7"], "7 behind DATA; expected --graph 7."),
        (["-o", "page.pdf"], "an unknown ending; expected one of .html, .csv, .svg"),
        (["-o", "nowhere/page.html"], "no such folder"),
    ],
)
def test_mistakes_are_one_line(
    model: str, arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in mistake("explain", model, "MUTAG", *arguments)
    assert not list(tmp_path.glob("*"))


def test_a_table_of_molecules_needs_a_model_of_molecules(model: str, tmp_path: Path) -> None:
    table = tmp_path / "new.csv"
    table.write_text("smiles\nCCO\n")
    said = mistake("explain", model, str(table), "-o", str(tmp_path / "page.html"))
    assert "trained on other graphs, not on molecules" in said
