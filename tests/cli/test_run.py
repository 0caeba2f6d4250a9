"""Experiments from the command line, in this process and in ones that are killed."""

import csv
import io
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

import graphrings as gr
from cli.commands import mistake, output, run
from graphrings.cli import running
from graphrings.cli.running import Bar
from graphrings.errors import StoreError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.protocol import whole_run
from graphrings.protocol.jobs import Event, Job, Started
from graphrings.protocol.nested import attempt
from graphrings.protocol.shipped import shipped_experiments
from graphrings.results.record import Cell, Failure
from graphrings.results.store import Store
from written import write_folder

COMMAND = [sys.executable, "-c", "from graphrings.cli.main import main; main()"]
QUICK = """
n_folds = 3
repetitions = 2
datasets = ["MUTAG"]
[methods.baseline-labels]
grid = { C = [0.1, 1.0] }
"""
BAD = """
n_folds = 3
datasets = ["MUTAG"]
[methods.pgc-dgcnn]
settings = { max_epochs = 3, channels = [4, 1], learning_rate = 1e30 }
"""
LONG = QUICK.replace("[0.1, 1.0]", str([k / 10 for k in range(1, 31)]))  # half a second a cell
ENDLESS = QUICK.replace("[0.1, 1.0]", str([k / 10 for k in range(1, 9999)]))


@pytest.fixture
def quick(tmp_path: Path) -> Path:
    """Six cells, most of a second together."""
    return written(tmp_path / "quick.toml", QUICK)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cells are run in this process: one less to start."""

    def run_here(jobs: Sequence[Job], datasets: Mapping[str, Dataset], **_: Any) -> Iterator[Event]:
        for job in jobs:
            yield Started(job.cell, "here")
            yield attempt(job, datasets[job.cell.dataset], ArrayCache())

    monkeypatch.setattr(whole_run, "run_local", run_here)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def start(folder: Path, *words: object) -> subprocess.Popen[str]:
    """Run ``graphrings run`` in a process group of its own."""
    return subprocess.Popen(
        [*COMMAND, "run", *map(str, words)],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Whoever runs the tests in the background may have Ctrl-C ignored, which is inherited.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for(claim: Callable[[], object], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end
        time.sleep(0.05)


def n_finished(store: Path) -> int:
    if not store.exists():
        return 0
    try:
        with Store.read(store) as opened:
            return sum(len(opened.finished(name)) for name in opened.experiments())
    except StoreError as error:
        if "an empty file" in str(error):
            return 0  # it is being made
        raise


def children(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return psutil.Process(process.pid).children(recursive=True)


def are_gone(processes: list[psutil.Process]) -> bool:
    return not [p for p in processes if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.slow
def test_a_run_and_then_nothing_is_left_to_do(tmp_path: Path, quick: Path) -> None:
    """Of stdout one line; of stderr nothing, as it is no terminal and no minute has passed."""
    store = tmp_path / "results.db"
    told = f"{store}: 6 cells of quick are finished\n"
    assert output("run", quick, "--store", store, "--jobs", 1) == told
    with Store.read(store) as opened:
        before = opened.records("quick")
    assert output("run", quick, "--store", store, "--jobs", 1) == told
    assert output("run", quick, "--store", store, "--dry-run") == (
        f"{store}: holds all cells of quick; nothing is left to run\n"
    )
    with Store.read(store) as opened:
        assert opened.records("quick") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "quick.toml",
        "results.db",
        "results.db.lock",
    ]


def test_a_dry_run_tells_cells_and_time_and_makes_no_file(tmp_path: Path, quick: Path) -> None:
    store = tmp_path / "results.db"
    told = output("run", quick, "--store", store, "--dry-run", "--jobs", 2, "--repetitions", 1)
    assert re.search(r"\n3 cells, 6 fits, .+ with --jobs 2\n$", told)
    assert "baseline-labels" in told
    assert list(tmp_path.iterdir()) == [quick]


def test_the_help_names_all_experiments_of_the_package() -> None:
    told = " ".join(output("run", "--help").split())
    assert f"comes with graphrings: {', '.join(shipped_experiments())}. Trust" in told


def test_a_dry_run_says_where_its_figures_come_from(tmp_path: Path, quick: Path) -> None:
    told = output("run", quick, "--store", tmp_path / "r.db", "--dry-run", "--jobs", 1)
    assert re.search(r"baseline-labels +6 +2 .* timings", told)
    assert "\ntimings: come with graphrings, " in told
    assert "\ngraphs: " not in told


def test_cells_are_counted_and_not_listed(tmp_path: Path) -> None:
    """A billion repetitions are forecast in no memory; to run them is refused."""
    path = written(tmp_path / "many.toml", QUICK.replace("= 2\n", "= 1_000_000_000\n"))
    words = ("run", path, "--store", tmp_path / "r.db", "--jobs", 1)
    limits = ("--repetitions", 999_999_999)
    assert "\n3,000,000,000 cells, 6,000,000,000 fits, " in output(*words, "--dry-run")
    assert "\n2,999,999,997 cells, " in output(*words, "--dry-run", *limits)
    assert "many: 3,000,000,000 cells; expected at most 5,000,000, such as" in mistake(*words)


def test_an_unknown_word_lists_the_experiments_that_come_with_the_package() -> None:
    said = mistake("run", "dmeo")
    assert "expected a path, or one of demo, " in said
    assert said.endswith("table2, table3; did you mean 'demo'?")


@pytest.mark.usefixtures("here")
def test_a_part_of_an_experiment(tmp_path: Path, quick: Path) -> None:
    words = ("--dataset", "MUTAG", "--method", "baseline-labels", "--repetitions", 1, "--fold", 2)
    output("run", quick, "--store", tmp_path / "r.db", "--jobs", 1, *words)
    with Store.read(tmp_path / "r.db") as store:
        assert store.finished("quick") == {("MUTAG", "baseline-labels", 0, 1)}


@pytest.mark.usefixtures("here")
def test_an_experiment_may_be_one_of_values(tmp_path: Path) -> None:
    """The classes of MUTAG are called -1 and 1, which are numbers too."""
    path, store = (
        written(tmp_path / "values.toml", 'task = "regression"' + QUICK),
        tmp_path / "r.db",
    )
    output("run", path, "--store", store, "--jobs", 1, "--repetitions", 1)
    with Store.read(store) as opened:
        card, records = opened.card("values"), opened.records("values")
    assert (card.task, card.datasets[0].class_names, len(records)) == ("regression", (), 3)
    assert card.datasets[0].targets == "-1 to 1, median 1"
    for record in records:
        assert record.scores.keys() == {"rmse", "mae", "r2", "spearman"}
        assert set(record.test.truth.tolist()) == {-1.0, 1.0}
        assert all(trial.scores.keys() == {"rmse", "mae"} for trial in record.trials)
    rows = list(csv.DictReader(io.StringIO(output("export", "--store", store, "--predictions"))))
    assert len(rows) == 188
    assert {row["truth"] for row in rows} == {"-1.0", "1.0"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--dataset", "MUTAGG"), "no dataset 'MUTAGG'; expected one of MUTAG; did you mean"),
        (("--method", "pgc"), "quick has no method 'pgc'; expected one of baseline-labels"),
        (("--repetitions", 3), "quick has no repetition 3; expected 1 to 2"),
        (("--fold", 4), "quick has no fold 4; expected 1 to 3"),
        (("--fold", 0), "Invalid value for '--fold': 0 is not in the range x>=1."),
        (("--jobs", 0), "Invalid value for '--jobs': 0 is not in the range x>=1."),
        (("--cluster", "foo"), "foo: no Dask scheduler answers (missing port number"),
    ],
)
def test_what_is_not_there_cannot_be_chosen(
    tmp_path: Path, quick: Path, words: tuple[object, ...], message: str
) -> None:
    assert message in mistake("run", quick, "--store", tmp_path / "r.db", *words)


def test_a_store_needs_a_folder(quick: Path) -> None:
    said = mistake("run", quick, "--store", "/nowhere/r.db")
    assert said == "/nowhere/r.db: no such folder /nowhere"


def test_more_jobs_than_cores_are_noted(tmp_path: Path, quick: Path) -> None:
    done = run("run", quick, "--store", tmp_path / "r.db", "--jobs", 999, "--dry-run")
    assert re.match(r"note: 999 jobs on \d+ cores; they will wait for each other\n", done.stderr)


@pytest.mark.usefixtures("here")
def test_failed_cells_are_kept_and_tried_again_when_asked(tmp_path: Path) -> None:
    path, store = written(tmp_path / "bad.toml", BAD), tmp_path / "r.db"
    words = ("run", path, "--store", store, "--jobs", 1, "--repetitions", 1, "--fold", 1)
    done = run(*words)
    assert done.exit_code == 1
    assert done.stdout == (
        f"{store}: 0 cells of bad are finished, 1 have failed (see graphrings status)\n"
    )
    assert done.stderr.startswith("failed: pgc-dgcnn on MUTAG, repetition 1, fold 1: ")
    assert done.stderr.count("\n") == 1
    again = run(*words)
    assert (again.exit_code, again.stderr) == (1, "")
    assert run(*words, "--retry-failed").stderr == done.stderr


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda text: "seed = 7" + text, "seed"),
        (lambda text: text.replace("n_folds = 3", "n_folds = 4"), "n_folds"),
        (lambda text: text.replace("1.0]", "2.0]"), "baseline-labels"),
    ],
)
def test_another_experiment_of_the_same_name_is_refused(
    tmp_path: Path, quick: Path, change: Callable[[str], str], difference: str
) -> None:
    words = ("run", quick, "--store", tmp_path / "r.db", "--jobs", 1, "--fold", 1)
    output(*words, "--repetitions", 1)
    quick.write_text(change(QUICK))
    told = mistake(*words)
    assert f"{tmp_path / 'r.db'}: experiment 'quick' is another one there" in told
    assert difference in told
    assert n_finished(tmp_path / "r.db") == 1


def pairs(n_graphs: int, n_first: int) -> dict[str, bytes | str]:
    """Graphs of one edge each; the first some are of class 0."""
    classes = [0] * n_first + [1] * (n_graphs - n_first)
    return {
        "P_A.txt": "".join(f"{2 * g + 1}, {2 * g + 2}\n" for g in range(n_graphs)),
        "P_graph_indicator.txt": "".join(f"{g + 1}\n{g + 1}\n" for g in range(n_graphs)),
        "P_graph_labels.txt": "".join(f"{k}\n" for k in classes),
        "P_node_labels.txt": "".join(f"{k}\n{g % 3}\n" for g, k in enumerate(classes)),
    }


@pytest.mark.usefixtures("here")
@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
def test_a_dataset_that_has_changed_is_refused(tmp_path: Path) -> None:
    write_folder(tmp_path / "P", pairs(20, 10))
    path = written(tmp_path / "own.toml", QUICK.replace('["MUTAG"]', '["./P"]'))
    words = ("run", path, "--store", tmp_path / "r.db", "--jobs", 1, "--quiet")
    assert run(*words, "--repetitions", 1).exit_code == 0
    write_folder(tmp_path / "P", pairs(20, 9))
    done = run(*words)
    assert done.exit_code == 2
    assert "experiment 'own' is another one there" in done.stderr
    assert n_finished(tmp_path / "r.db") == 3


@pytest.mark.usefixtures("here")
@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
def test_a_class_too_small_for_the_folds_ends_it_before_the_first_cell(tmp_path: Path) -> None:
    write_folder(tmp_path / "P", pairs(20, 2))
    path = written(tmp_path / "own.toml", QUICK.replace('["MUTAG"]', '["MUTAG", "./P"]'))
    done = run("run", path, "--store", tmp_path / "r.db", "--jobs", 1, "--quiet")
    assert done.exit_code == 2
    assert "2 graphs" in done.stderr
    assert n_finished(tmp_path / "r.db") == 0


@pytest.mark.usefixtures("here")
def test_names_may_look_like_anything(tmp_path: Path) -> None:
    name, row, column = """a "b" <i>""", "it's <b>", """x'; DROP TABLE cells; -- ü"""
    path = written(
        tmp_path / "odd.toml",
        f"name = '''{name}'''\nn_folds = 3\nrepetitions = 1\n"
        f'[datasets]\n"{column}" = "MUTAG"\n'
        f'[methods."{row}"]\nmethod = "baseline-labels"\ngrid = {{ C = [1.0] }}\n',
    )
    store = tmp_path / "r.db"
    told = output("run", path, "--store", store, "--jobs", 1, "--fold", 2)
    assert told == f"{store}: 1 cells of {name} are finished\n"
    lines = output("export", "--store", store).splitlines()
    assert len(lines) == 2
    assert f"{column},{row}," in lines[1]


def test_the_time_left_is_reckoned_from_cells_of_the_same_kind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three of 20 s and one of 11 s, and two of a new kind, of which nothing is known."""
    monkeypatch.setattr(running, "SPEAK_EVERY", 0.0)
    left = Counter({("D", "slow"): 3, ("D", "m"): 2, ("D", "new"): 2})
    with Bar({("D", "slow"): (2, 20.0)}, left, quiet=False) as bar:
        bar.move(Failure(Cell("D", "m", 0, 0), "", 11.0, ""))
    assert capsys.readouterr().err == "1 of 7 cells, m on D, at least 71 s left\n"


def test_without_a_terminal_there_is_at_most_one_line_per_minute(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 20.0, 59.0, 61.0, 61.0, 90.0])
    monkeypatch.setattr(running, "monotonic", lambda: next(clock))
    cells = [Cell("D", "m", 0, fold) for fold in range(5)]
    with Bar({}, Counter({("D", "m"): 5}), quiet=False) as bar:
        for cell in cells[:2]:
            bar.move(Started(cell, "worker"))
        for cell in cells[:4]:
            bar.move(Failure(cell, "", 10.0, ""))
            bar.move(Started(cells[4], "worker"))
    assert capsys.readouterr() == ("", "3 of 5 cells, m on D, about 20 s left\n")


@pytest.mark.slow
def test_a_second_run_on_the_same_store_is_refused(tmp_path: Path) -> None:
    path, store = written(tmp_path / "quick.toml", QUICK), tmp_path / "results.db"
    first = start(tmp_path, path, "--jobs", 1)
    wait_for(store.exists)  # and a second passes until its worker is there
    said = mistake("run", path, "--store", store, "--jobs", 1)
    assert said == f"another run is writing to {store}; wait for it, or use another store"
    assert first.communicate()[0] == "results.db: 6 cells of quick are finished\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("whom", "number", "jobs"),
    [("group", signal.SIGINT, 2), ("parent", signal.SIGINT, 1), ("parent", signal.SIGTERM, 1)],
)
def test_it_ends_at_once_and_says_how_to_go_on(
    tmp_path: Path, whom: str, number: signal.Signals, jobs: int
) -> None:
    process = start(tmp_path, written(tmp_path / "endless.toml", ENDLESS), "--jobs", jobs)
    wait_for((tmp_path / "results.db.shared").exists)
    wait_for(lambda: len(children(process)) > jobs)  # the workers, and Python's own
    time.sleep(0.3)  # they are not yet ready to work
    workers = children(process)
    before = time.monotonic()
    (os.killpg if whom == "group" else os.kill)(process.pid, number)
    told = process.communicate()
    assert time.monotonic() - before < 5
    assert (process.returncode, *told) == (130, "", "stopped; the same command runs what is left\n")
    wait_for(lambda: are_gone(workers), 2)
    assert not (tmp_path / "results.db.shared").exists()


@pytest.mark.slow
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_numbers(tmp_path: Path) -> None:
    path, moments = written(tmp_path / "long.toml", LONG), random.Random(0)  # noqa: S311
    store, other = tmp_path / "results.db", tmp_path / "undisturbed.db"
    for in_flight in (False, True):  # in whatever it does; with cells in flight
        n_before = n_finished(store)
        process = start(tmp_path, path, "--jobs", 2)
        if in_flight:
            wait_for(lambda n=n_before: n_finished(store) != n)
        time.sleep(moments.random() * (0.5 if in_flight else 3))
        workers = children(process) if process.poll() is None else []
        process.kill()
        process.communicate()
        wait_for(lambda workers=workers: are_gone(workers), 5)
    output("run", path, "--store", store, "--jobs", 1)
    output("run", path, "--store", other, "--jobs", 1)
    words = ("export", "--no-times", "--format", "jsonl", "--store")
    assert output(*words, store) == output(*words, other)
    assert not (tmp_path / "results.db.shared").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, quick: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    assert mistake("run", quick, "--store", folder / "r.db") == (
        f"{folder}/r.db: the folder is read-only"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_full_disk_ends_it_with_a_line_and_an_intact_store(tmp_path: Path, quick: Path) -> None:
    """No file may grow beyond some size, here, as if the disk ended there."""
    store = tmp_path / "results.db"
    output("run", quick, "--store", store, "--jobs", 1, "--repetitions", 1)
    most = 2**16
    done = subprocess.run(
        [*COMMAND, "run", quick, "--store", store, "--jobs", "1"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"Error: .*(full|too large).*\n", done.stderr)
    assert n_finished(store) >= 3
    assert output("run", quick, "--store", store, "--jobs", 1).endswith("are finished\n")


@pytest.mark.usefixtures("here")
def test_attributes_that_no_row_sees_are_said_once(tmp_path: Path) -> None:
    """Edge labels are mentioned where people look on, which tests do not."""
    mutag = gr.load("MUTAG")
    attributes = np.ones((mutag.n_nodes, 1))
    gr.write(replace(mutag, name="A", node_attributes=attributes), tmp_path / "A.npz")
    text = QUICK.replace('["MUTAG"]', f'["{tmp_path}/A.npz"]')
    path = written(tmp_path / "own.toml", text)
    done = run("run", path, "--store", tmp_path / "r.db", "--jobs", 1, "--repetitions", 1)
    assert (done.exit_code, done.stderr) == (
        0,
        f"note: {tmp_path}/A.npz: 1 node attribute ignored by baseline-labels\n",
    )
