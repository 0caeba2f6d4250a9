"""An experiment said in Python means the same as one in a file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.learning.baseline import BaselineClassifier
from graphrings.protocol.experiment import read_experiment

FILE = """
name = "both"
seed = 3
folds = "grouped"
n_folds = 4
repetitions = 2
[datasets]
MUTAG = "MUTAG"
other = "PTC"
[methods.wl]
[methods."r = 2"]
method = "pgc-dgcnn"
settings = { radius = 2, channels = [4, 1] }
grid = { learning_rate = [1e-3, 3e-4] }
"""


def test_the_same_as_a_file(tmp_path: Path) -> None:
    (tmp_path / "both.toml").write_text(FILE)
    read = read_experiment(tmp_path / "both.toml")
    said = gr.experiment(
        {"MUTAG": "MUTAG", "other": "PTC"},
        {
            "wl": None,
            "r = 2": {
                "method": "pgc-dgcnn",
                "settings": {"radius": 2, "channels": (4, 1)},
                "grid": {"learning_rate": (1e-3, 3e-4)},
            },
        },
        name="both",
        seed=3,
        folds="grouped",
        n_folds=4,
        repetitions=2,
    )
    assert replace(read, path=said.path, home=None) == said


def test_lists_and_single_words() -> None:
    short = gr.experiment("MUTAG", "wl")
    assert (dict(short.datasets), short.methods[0].name) == ({"MUTAG": "MUTAG"}, "wl")
    assert (short.n_folds, short.repetitions, short.folds) == (10, 10, "stratified")
    listed = gr.experiment([gr.load("MUTAG"), "PTC"], ["wl", BaselineClassifier])
    assert list(listed.datasets) == ["MUTAG", "PTC"]
    assert list(listed.given) == ["MUTAG"]
    assert [row.name for row in listed.methods] == ["wl", "BaselineClassifier"]
    assert listed.methods[1].method == "graphrings.learning.baseline:BaselineClassifier"


def test_folds_may_be_lists_of_graphs() -> None:
    lists = [np.arange(k, 188, 4) for k in range(4)]
    own = gr.experiment("MUTAG", "wl", folds=lists)
    assert (own.n_folds, own.repetitions) == (4, 1)
    assert own.own_folds is not None
    assert all(map(np.array_equal, own.own_folds.tests("MUTAG", 188, 0), lists))


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"datasets": []}, "gr.experiment: no datasets; expected"),
        ({"datasets": ["MUTAG", "MUTAG"]}, "datasets: 'MUTAG' stands there twice; expected it"),
        ({"methods": {"x": {"method": "wll"}}}, "methods.x.method: unknown method 'wll'"),
        ({"methods": {"wl": {"setings": {}}}}, "methods.wl.setings: unknown key 'setings'; did"),
        ({"methods": {"wl": {"settings": {"C": "a"}}}}, "methods.wl.settings.C: C = 'a'; expected"),
        ({"n_folds": 2}, "n_folds: n_folds = 2; expected a whole number of at least 3"),
        ({"task": "clasification"}, "task: task = 'clasification'; expected"),
        ({"folds": [[0, 1], [2]]}, "folds: n_folds = 2; expected at least 3"),
        ({"folds": Path("nowhere.csv")}, "folds: nowhere.csv: no such file"),
    ],
)
def test_mistakes_name_the_argument(said: dict[str, Any], message: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        gr.experiment(**{"datasets": "MUTAG", "methods": "wl", **said})
    assert str(caught.value).startswith(message)


def test_a_dataset_may_be_a_table_of_path_and_options(tmp_path: Path) -> None:
    """A path of Python's is one wherever it stands."""
    table = tmp_path / "molecules.csv"
    table.write_text("smiles,active\nCCO,1\nCCN,0\n")
    said = gr.experiment({"mine": {"path": table, "smiles": "smiles", "target": "active"}}, "wl")
    assert dict(said.datasets) == {"mine": str(table)}
    assert dict(said.options["mine"]) == {"smiles": "smiles", "target": "active"}
