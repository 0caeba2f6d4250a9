"""Folds that somebody else has drawn."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.model_selection import StratifiedKFold

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.own_folds import OwnFolds, csv_entries, listed_entries, own_folds
from graphrings.protocol.prepare import prepare

EXPERIMENT = """
folds = "{}"
datasets = ["MUTAG"]
[methods.baseline-labels]
"""
Read = Callable[..., Experiment]


@pytest.fixture
def folds() -> np.ndarray:
    """Five folds of MUTAG as scikit-learn draws them, counted from 0."""
    mutag = gr.load("MUTAG")
    fold_of = np.empty(len(mutag), dtype=int)
    drawn = StratifiedKFold(5, shuffle=True, random_state=3).split(mutag.targets, mutag.targets)
    for fold, (_, test) in enumerate(drawn):
        fold_of[test] = fold
    return fold_of


def as_csv(fold_of: np.ndarray) -> str:
    rows = (f"{graph},{fold + 1}\n" for graph, fold in enumerate(fold_of))
    return "graph,fold\n" + "".join(rows)


def as_lists(fold_of: np.ndarray) -> list[list[int]]:
    return [np.flatnonzero(fold_of == fold).tolist() for fold in range(fold_of.max() + 1)]


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Read:
    """Reads an experiment in another folder with folds beside it."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    def written(text: str, name: str = "folds.csv", head: str = "") -> Experiment:
        (tmp_path / name).write_text(text)
        (tmp_path / "own.toml").write_text(head + EXPERIMENT.format(name))
        return read_experiment(tmp_path / "own.toml")

    return written


def test_the_folds_are_those_of_the_file(read: Read, folds: np.ndarray) -> None:
    experiment = read(as_csv(folds))
    assert (experiment.n_folds, experiment.repetitions) == (5, 1)
    jobs = prepare(experiment, list(experiment.cells())).jobs
    for job in jobs:
        test, validation = job.cell.fold, (job.cell.fold + 1) % 5
        assert np.array_equal(job.split.test, np.flatnonzero(folds == test))
        assert np.array_equal(job.split.validation, np.flatnonzero(folds == validation))
        others = (folds != test) & (folds != validation)
        assert np.array_equal(job.split.training, np.flatnonzero(others))


def test_csv_and_json_say_the_same(read: Read, folds: np.ndarray) -> None:
    one = read(as_csv(folds))
    other = read(json.dumps(as_lists(folds)), "folds.json")
    assert one.folds == other.folds
    assert one.folds.startswith("own:")
    assert read(as_csv(np.roll(folds, 1))).folds != one.folds


@settings(max_examples=50)
@given(
    arrays.arrays(np.int64, st.integers(3, 30), elements=st.integers(0, 4)),
    st.integers(1, 3),
    st.randoms(),
)
def test_whatever_is_written_is_read_again(
    drawn: np.ndarray, n_repetitions: int, order: object
) -> None:
    """In any order of rows; numbers that are not used are closed up first."""
    fold_of = np.unique(drawn, return_inverse=True)[1]
    rows = [
        f"{r + 1},{graph},{fold + 1}\n"
        for r in range(n_repetitions)
        for graph, fold in enumerate(np.roll(fold_of, r))
    ]
    order.shuffle(rows)  # type: ignore[attr-defined]
    read = own_folds(csv_entries("repetition,graph,fold\n" + "".join(rows), "f"), "f")
    lists = [as_lists(np.roll(fold_of, r)) for r in range(n_repetitions)]
    again = own_folds(listed_entries(lists, "f"), "f")
    assert read.name == again.name
    assert (read.n_folds, read.n_repetitions) == (fold_of.max() + 1, n_repetitions)
    for r in range(n_repetitions):
        tests = read.tests("any", len(fold_of), r)
        assert [test.tolist() for test in tests] == lists[r]


def test_repetitions_may_have_folds_of_their_own(read: Read, folds: np.ndarray) -> None:
    lists = [as_lists(folds), as_lists(np.roll(folds, 1))]
    experiment = read(json.dumps(lists), "folds.json")
    assert experiment.repetitions == 2
    jobs = prepare(experiment, list(experiment.cells())).jobs
    tests = {job.cell[2:]: job.split.test.tolist() for job in jobs}
    assert tests == {(r, f): lists[r][f] for r in range(2) for f in range(5)}
    with pytest.raises(ExperimentError, match=r"repetitions = 3, but folds.json has 2; expected"):
        read(json.dumps(lists), "folds.json", "repetitions = 3\n")


def test_one_repetition_serves_for_many(read: Read, folds: np.ndarray) -> None:
    experiment = read(as_csv(folds), head="repetitions = 3\n")
    jobs = prepare(experiment, list(experiment.cells())).jobs
    assert len(jobs) == 15
    assert all(np.array_equal(jobs[k].split.test, jobs[k + 5].split.test) for k in range(10))


def test_folds_of_several_datasets() -> None:
    rows = "dataset,graph,fold\na,0,1\na,1,2\na,2,3\nb,0,3\nb,1,1\nb,2,2\nb,3,2\n"
    both = own_folds(csv_entries(rows, "f.csv"), "f.csv")
    listed = {"b": [[1], [2, 3], [0]], "a": [[0], [1], [2]]}
    assert both.name == own_folds(listed_entries(listed, "f.json"), "f.json").name
    both.check_datasets(["a", "b"])
    assert [test.tolist() for test in both.tests("b", 4, 0)] == [[1], [2, 3], [0]]
    with pytest.raises(ExperimentError, match=r"f.csv: no folds of 'c'; there are some of a, b"):
        both.check_datasets(["a", "c"])


def refused_csv(text: str) -> str:
    with pytest.raises(ExperimentError) as caught:
        own_folds(csv_entries(text, "f.csv"), "f.csv")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.csv:1: no column 'graph'; expected graph, fold, and perhaps repetition and"),
        ("graph,folds\n0,1\n", "f.csv:1: no column 'fold'; expected graph, fold, and perhaps "),
        ("graph,fold,x\n0,1,2\n", "f.csv:1: column 'x'; expected graph, fold, and perhaps"),
        ("graph,fold,fold\n0,1,1\n", "f.csv:1: column 'fold'; expected graph, fold, and perhaps"),
        ("graph,fold\n", "f.csv: no folds; expected every graph once"),
        ("graph,fold\n0,1\n-1,2\n", "f.csv:3: graph '-1'; expected a whole number, 0 or larger"),
        ("graph,fold\n0,0\n", "f.csv:2: fold '0'; expected a whole number, 1 or larger"),
        ("graph,fold\n0\n", "f.csv:2: fold None; expected a whole number, 1 or larger"),
        ("graph,fold\n0,1.0\n", "f.csv:2: fold '1.0'; expected a whole number, 1 or larger"),
        ("graph,fold\n0,1\n0,2\n", "f.csv:3: graph 0 for the second time; expected every graph"),
        ("graph,fold\n0,1\n2,2\n", "f.csv: graph 1 is in no fold in the folds; expected every"),
        (
            "graph,fold\n0,1\n1,3\n",
            "f.csv: fold 2 is empty in the folds; expected the folds 1 to 3",
        ),
        ("graph,fold\n0,1\n1,2000000000\n", "f.csv: fold 2 is empty in the folds; expected the"),
        ("graph,fold,repetition\n0,1,2\n", "1 repetitions, but none is number 1; expected 1, 2"),
        ("graph,fold,dataset\n0,1,\n", "f.csv:2: no dataset; expected its name"),
        ('graph,fold\n0,"1\n', "f.csv:2: not CSV: unexpected end of data"),
        (
            "graph,fold,repetition,dataset\n0,1,1,a\n0,1,1,b\n0,1,2,b\n",
            "f.csv: repetitions: 1 of a, 2 of b; expected as many of every dataset",
        ),
    ],
)
def test_bad_tables(text: str, message: str) -> None:
    assert message in refused_csv(text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "f: expected a list of folds, each a list of graph numbers (or of such lists, one"),
        ([0, 1], "f: expected a list of folds"),
        ("x", "f: expected a list of folds"),
        ([[0], 1], "f, fold 2: 1; expected a list of folds"),
        ([[], [0]], "f, fold 1: []; expected a list of folds"),
        ([[0], [True]], "f, fold 2: graph True; expected a whole number, 0 or larger"),
        ([[0], [1.5]], "f, fold 2: graph 1.5; expected a whole number, 0 or larger"),
        ([[0], [0]], "f, fold 2: graph 0 for the second time"),
        ({"a": [[0]], "b": [0]}, "f: b: expected a list of folds"),
        ({}, "f: no folds; expected every graph once"),
        ({"": [[0]]}, "f: no dataset; expected its name"),
        ([[[0], [1]], 5], "f, fold 1: None; expected a list of folds"),
    ],
)
def test_bad_lists(content: object, message: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        own_folds(listed_entries(content, "f"), "f")
    assert message in str(caught.value)


def refused(read: Read, *words: str) -> str:
    with pytest.raises(ExperimentError) as caught:
        read(*words)
    return str(caught.value).partition("own.toml:")[2]


def test_mistakes_stand_at_their_line(read: Read, folds: np.ndarray, tmp_path: Path) -> None:
    assert refused(read, "[", "folds.json").startswith("2: folds.json: not JSON: ")
    assert refused(read, "graph,fold\n0,1\n1,2\n") == (
        "2: n_folds = 2; expected at least 3: one fold to test, one to validate, one to train"
    )
    assert refused(read, as_csv(folds), "folds.csv", "n_folds = 10\n") == (
        "1: n_folds = 10, but folds.csv has 5; expected the same"
    )
    (tmp_path / "own.toml").write_text(EXPERIMENT.format("nowhere.csv"))
    with pytest.raises(ExperimentError, match=r"own.toml:2: nowhere.csv: no such file"):
        read_experiment(tmp_path / "own.toml")


def test_as_many_graphs_as_the_dataset_has(read: Read, folds: np.ndarray) -> None:
    experiment = read(as_csv(folds[:-1]))
    with pytest.raises(ExperimentError) as caught:
        prepare(experiment, list(experiment.cells()))
    assert str(caught.value) == (
        "folds.csv: folds of 187 graphs, but MUTAG has 188; expected every graph once, counted "
        "from 0"
    )


def test_every_class_must_be_trained_on(read: Read) -> None:
    targets = gr.load("MUTAG").targets
    fold_of = np.where(targets == 0, 0, 1 + np.arange(188) % 2)
    experiment = read(as_csv(fold_of))
    with pytest.raises(ExperimentError, match="fold 1 of the own folds leaves no graph of class"):
        prepare(experiment, list(experiment.cells()))


def test_one_list_of_folds_is_not_for_two_datasets() -> None:
    one = OwnFolds("f.csv", 3, 1, {"": (np.arange(3),)})
    with pytest.raises(ExperimentError, match=r"f.csv: folds of one dataset for 2 of them"):
        one.check_datasets(["a", "b"])
