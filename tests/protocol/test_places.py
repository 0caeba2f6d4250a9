"""Datasets of an experiment file with options to read them by."""

from collections.abc import Callable
from pathlib import Path

import pytest

from graphrings.errors import DatasetError, ExperimentError
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.prepare import load_dataset

pytest.importorskip("rdkit")

TABLE = "name,SMILES,toxic,other\n" + "".join(
    f"m{k},{'C' * (k + 1)}O,{k % 2},x\n" for k in range(12)
)
ROWS = "\n[methods.baseline-labels]\n"
Read = Callable[[str], Experiment]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Reads an experiment that lies beside a table of molecules, from another folder."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (tmp_path / "mols.csv").write_text(TABLE)

    def written(text: str) -> Experiment:
        (tmp_path / "own.toml").write_text(text + ROWS)
        return read_experiment(tmp_path / "own.toml")

    return written


def test_options_stand_beside_the_path(read: Read, tmp_path: Path) -> None:
    experiment = read(
        '[datasets]\nMUTAG = "MUTAG"\n[datasets.mols]\npath = "mols.csv"\ntarget = "toxic"\n'
        'labels = "element"\nrejected = "bad.csv"\n'
    )
    assert experiment.datasets == {"MUTAG": "MUTAG", "mols": str(tmp_path / "mols.csv")}
    assert experiment.options == {
        "mols": {"target": "toxic", "labels": "element", "rejected": str(tmp_path / "bad.csv")}
    }
    dataset = load_dataset(experiment, "mols")
    assert (len(dataset), dataset.n_classes, dataset.n_labels) == (12, 2, 2)
    assert dataset.smiles[0] == "CO"


def test_scaffold_folds_of_a_table(read: Read) -> None:
    experiment = read(
        'folds = "scaffold"\nn_folds = 3\ndatasets.mols = { path = "mols.csv", target = "toxic" }'
    )
    assert (experiment.folds, load_dataset(experiment, "mols").n_classes) == ("scaffold", 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[datasets.mols]\ntarget = "y"', "1: dataset 'mols' without a path; expected path = "),
        (
            '[datasets.mols]\npath = "mols.csv"\ntraget = "y"',
            "3: no format has an option 'traget'; ",
        ),
        ("[datasets.mols]\npath = 7", "2: dataset 7; expected a name or a path, text of one line"),
    ],
)
def test_mistakes_stand_at_their_line(read: Read, text: str, message: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        read(text)
    assert str(caught.value).partition("own.toml:")[2].startswith(message)


def test_an_option_of_another_format(read: Read) -> None:
    experiment = read('[datasets.mols]\npath = "MUTAG"\ntarget = "y"')
    with pytest.raises(DatasetError, match="format has no option 'target'"):
        load_dataset(experiment, "mols")
