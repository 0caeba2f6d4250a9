"""The code that readers copy runs on what the export writes."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import pytest

from cli.commands import output
from graphrings.report import recipes
from graphrings.report.gallery import GALLERY
from graphrings.results.store import Store
from graphrings.tasks import TASKS
from report.records import experiment, records

pytest.importorskip("pandas")
TASK_NAMES = ("classification", "regression")


@pytest.fixture(scope="module", params=TASK_NAMES)
def exported(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all exports of a small experiment."""
    folder = tmp_path_factory.mktemp(request.param)
    card = experiment(repetitions=1, n_folds=2, task=request.param)
    with Store.write(folder / "results.db") as store:
        store.register(card)
        for record in records(card, epochs=5):
            store.add(card.name, record)
    for name, more in (("cells.csv", ()), ("said.csv", ("--predictions",)), ("cells.jsonl", ())):
        output("export", "--store", folder / "results.db", *more, "-o", folder / name)
    return folder


@pytest.mark.slow
def test_every_recipe_runs(
    exported: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(exported)
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    task = next(name for name in TASK_NAMES if name in exported.name)
    codes = [section.code for section in GALLERY if section.task in (None, task)]
    assert all(codes)
    for code in (recipes.OPENING, recipes.FOREST, *codes):
        text = recipes.written(code, TASKS[task].main_score, reference="dgcnn")
        exec(text, {})  # noqa: S102, our own code, which is what is tested
        drawn = [axes.has_data() for n in plt.get_fignums() for axes in plt.figure(n).axes]
        assert (drawn and all(drawn)) or capsys.readouterr().out, text
        plt.close("all")


def test_names_are_quoted() -> None:
    text = recipes.written(recipes.FOREST, TASKS["regression"].main_score, reference="it's")
    assert 'wide["it\'s"]' in text
    assert "rmse" in text
    assert "SCORE" not in text
