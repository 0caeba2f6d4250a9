"""The protocol by its public names."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import accuracy_score

import graphrings as gr
from graphrings.errors import ExperimentError, MissingLibraryError, SettingError
from graphrings.protocol.experiment import Experiment
from graphrings.protocol.jobs import Started
from graphrings.protocol.whole_run import executor
from graphrings.results.record import Failure, Record
from graphrings.results.results import Results

QUICK = {"C": [0.1, 1.0]}
EXAMPLE = Path(__file__).parents[2] / "examples" / "own_method" / "experiment.toml"


@pytest.fixture(scope="module")
def quick() -> Experiment:
    """Three cells on a part of a dataset in memory."""
    some = gr.load("MUTAG")[:60]
    return gr.experiment(
        {"some": some}, {"baseline-labels": {"grid": QUICK}}, n_folds=3, repetitions=1, name="quick"
    )


@pytest.fixture(scope="module")
def results(quick: Experiment) -> Results:
    return gr.run(quick, jobs=0)


def test_a_dataset_in_memory_is_run(results: Results) -> None:
    assert repr(results) == "Results('quick': 3 of 3 cells finished)"
    (data,) = results.card.datasets
    assert (data.name, data.n_graphs) == ("some", 60)
    assert data.fingerprint == gr.load("MUTAG")[:60].fingerprint


def test_the_rows_are_those_of_the_cells(results: Results) -> None:
    frame = results.to_frame()
    assert len(frame) == len(results.rows) == 3
    assert frame["fold"].tolist() == [1, 2, 3]
    said = results.predictions
    assert sorted(row["graph"] for row in said) == list(range(60))
    for row in results.rows:
        own = [one for one in said if one["fold"] == row["fold"]]
        truth, predicted = ([one[key] for one in own] for key in ("truth", "predicted"))
        assert accuracy_score(truth, predicted) == row["accuracy"]


def test_a_table_is_a_frame_and_a_page(results: Results, tmp_path: Path) -> None:
    table = gr.table(results)
    mean = 100 * np.mean([row["accuracy"] for row in results.rows])
    assert table.rows[0]["mean"] == table.to_frame()["mean"][0] == pytest.approx(mean)
    assert f"{mean:.2f}" in str(table)
    assert f"{mean:.2f}" in table._repr_html_()
    assert gr.table(results, score="mcc").rows[0]["score"] == "mcc"
    assert table.to_text("md").startswith("| Method")
    page = gr.report(results, tmp_path / "page.html", score="mcc")
    assert "test MCC" in page.read_text()
    assert f"{mean:.2f}" in gr.report(results, page).read_text()


def test_a_store_goes_on_where_it_stopped(quick: Experiment, tmp_path: Path) -> None:
    store, seen = tmp_path / "r.db", []
    part = gr.run(quick, store, jobs=0, folds=[2], watch=seen.append)
    assert [type(event) for event in seen] == [Started, Record]
    assert repr(part) == "Results('quick': 1 of 3 cells finished)"
    whole = gr.run(quick, store, jobs=0, watch=seen.append)
    assert [event.cell.fold for event in seen[2:] if isinstance(event, Record)] == [0, 2]
    assert gr.table(store).rows == gr.table(whole).rows


def test_failures_are_told(quick: Experiment) -> None:
    bad = {"method": "pgc-dgcnn", "settings": {"learning_rate": 1e30, "max_epochs": 2}}
    dataset = quick.given["some"]
    failing = gr.experiment({"some": dataset}, {"bad": bad}, n_folds=3, repetitions=1)
    results = gr.run(failing, jobs=0, folds=[1])
    assert isinstance(results.failures[0], Failure)
    assert repr(results) == "Results('experiment': 0 of 3 cells finished, 1 failed)"


def test_two_tables_at_once(results: Results) -> None:
    with pytest.raises(SettingError, match="against and ranks are two tables"):
        gr.table(results, against="baseline-labels", ranks=True)
    with pytest.raises(SettingError, match="style = 'pdf'; expected one of md, latex, csv, html"):
        gr.table(results).to_text("pdf")


def test_without_pandas_there_are_rows(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingLibraryError, match="pip install pandas"):
        results.to_frame()


def test_an_unknown_experiment_is_refused() -> None:
    with pytest.raises(ExperimentError, match="or one of demo, forest, future, "):
        gr.run("dmeo")


def test_the_page_and_the_package_share_a_name() -> None:
    """The package takes the place of the function once anything of it is imported."""
    code = """
import graphrings as gr
first = gr.report
import graphrings.report.words
assert callable(first) and callable(gr.report)
assert gr.report.words is graphrings.report.words
try:
    gr.report("nowhere.db")
except gr.GraphRingsError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "nowhere.db: no such store of results; `graphrings run` makes one\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "call",
    [
        "gr.run(gr.experiment('MUTAG', 'baseline-labels', n_folds=3, repetitions=1), jobs=1)",
        "gr.fit_best(gr.load('MUTAG'), methods='baseline-labels', n_folds=3, n_jobs=2)",
    ],
)
def test_a_script_that_forgets_its_guard_is_told_so(tmp_path: Path, call: str) -> None:
    """Once, by the script itself: its workers end without a word, and none is started again."""
    script = tmp_path / "careless.py"
    script.write_text(f"import graphrings as gr\n{call}\nprint('after')\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.endswith('call what starts them under if __name__ == "__main__":\n')
    assert (done.returncode, done.stdout) == (1, "")


@pytest.mark.slow
def test_own_methods_run_here_in_processes_and_on_dask() -> None:
    """The same bits everywhere; workers find the module beside the experiment file."""
    pytest.importorskip("distributed")
    rows = "forest on rings"
    wheres = ({"jobs": 0}, {"jobs": 1}, {"jobs": 1, "cluster": "local"})
    runs = [gr.run(EXAMPLE, methods=[rows], folds=[1], **where) for where in wheres]
    assert [run.failures for run in runs] == [()] * 3
    first, *others = (run.records[0] for run in runs)
    assert all(other.test == first.test for other in others)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"n_workers": 0, "cell_timeout": 5.0}, r"^cell_timeout without processes; expected jobs"),
        ({"n_workers": 2, "cell_timeout": "soon"}, r"^'soon' is no time; expected such as 90s"),
        ({"n_workers": 0, "portable": True}, r"^portable on a cluster or without processes; exp"),
        ({"n_workers": 1, "cluster": "local", "portable": True}, r"^portable on a cluster or with"),
    ],
)
def test_what_cannot_be_kept_is_refused_before_anything_runs(
    asked: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with pytest.raises(SettingError, match=message):
        executor(tmp_path / "results.db", **asked)
