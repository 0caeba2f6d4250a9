"""Predictions on a real scheduler and real worker processes of this machine."""

from pathlib import Path

import pytest

import graphrings as gr
from cli.commands import mistake, run
from graphrings.prediction import inputs
from learning.settings import QUICK

pytest.importorskip("distributed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "model"
    gr.PGCClassifier(**QUICK).fit(gr.load("MUTAG")).save(path)
    return path


def test_a_cluster_writes_the_same_bytes(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In chunks of twenty, by two workers, of two inputs one after the other."""
    monkeypatch.setattr(inputs, "AT_ONCE", 20)
    written = []
    for name, more in (("here", ["--jobs", 1]), ("there", ["--cluster", "local", "--jobs", 2])):
        path = tmp_path / f"{name}.csv"
        done = run("predict", saved, "MUTAG", "MUTAG", "-o", path, *more)
        assert done.exit_code == 0, done.output
        written.append(path.read_bytes())
    assert written[0] == written[1]
    assert written[0].count(b"\n") == 2 * 188 + 1


def test_a_mistake_on_a_worker_is_one_line_and_nothing_is_written(
    saved: Path, tmp_path: Path
) -> None:
    gr.write(gr.synthetic.ego_networks(3), tmp_path / "egos.npz")
    path = tmp_path / "out.csv"
    said = mistake(
        "predict", saved, tmp_path / "egos.npz", "-o", path, "--cluster", "local", "--jobs", 1
    )
    assert "nodes without labels; training had labels" in said
    assert not path.exists()


def test_no_scheduler_is_one_line(saved: Path, tmp_path: Path) -> None:
    said = mistake("predict", saved, "MUTAG", "-o", tmp_path / "x.csv", "--cluster", "nowhere")
    assert "no Dask scheduler answers" in said
