"""From graphs to a model with a card, in Python."""

import html
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.fit import best, estimate
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.protocol import serial
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import attempt
from graphrings.report.framing import unbroken
from graphrings.results.record import Failure, Record
from graphrings.results.store import Store

pytestmark = pytest.mark.usefixtures("quick_list")


def undated(card: Mapping[str, Any]) -> dict[str, Any]:
    """What must be the same whenever a fit is made."""
    return {key: value for key, value in card.items() if key != "date"}


def test_any_graphs_and_any_names_of_classes_will_do() -> None:
    graphs = [nx.cycle_graph(n) for n in range(3, 18)] + [nx.path_graph(n) for n in range(3, 18)]
    result = gr.fit_best(graphs, ["ring"] * 15 + ["chain"] * 15, n_folds=3)
    assert set(result.model.predict(graphs)) <= {"ring", "chain"}
    assert result.card["estimate"]["mean"] > 0.9
    assert result.card["data"]["classes"] == {"chain": 15, "ring": 15}
    assert result.card["data"]["graphs"] == 30
    assert "Counting degrees alone" in result.verdict


def test_values_are_predicted_and_judged_by_their_error(values: gr.Dataset) -> None:
    result = gr.fit_best(values, n_folds=3)
    predicted = result.model.predict(values)
    assert np.corrcoef(predicted, values.targets)[0, 1] > 0.9
    assert result.card["estimate"]["score"] == "rmse"
    assert "Expect RMSE" in result.verdict
    assert "lower is better" in result.verdict


def test_the_same_seed_gives_the_same_card(mutag: gr.Dataset) -> None:
    one, two = (gr.fit_best(mutag, n_folds=3, random_state=5) for _ in range(2))
    assert undated(one.card) == undated(two.card)
    assert json.loads(json.dumps(one.card)) == one.card, "plain data throughout"


def test_a_method_by_name_is_not_searched_for(mutag: gr.Dataset) -> None:
    result = gr.fit_best(mutag, methods="wl", n_folds=3)
    assert result.winner.method == "wl"
    assert "asked for, fitted on all 60 graphs" in result.verdict
    assert result.scores.index.tolist() == ["baseline-labels", "wl"]
    own = result.card["estimate"]
    assert own["mean"] == result.scores.loc["wl", "mean"]
    assert own["baseline"]["mean"] == result.scores.loc["baseline-labels", "mean"]


def test_the_verdict_says_that_no_graphs_are_left_for_the_final_model(mutag: gr.Dataset) -> None:
    result = gr.fit_best(mutag, n_folds=3)
    assert "no graphs are left to score the final model itself" in result.verdict
    assert 2 <= len(result.sentences) <= 6
    assert result.card["note"].startswith("The score is that of the whole procedure")


@pytest.mark.parametrize("n_cells", [0, 3, 5])
def test_a_fit_that_was_interrupted_goes_on_to_the_same_result(
    mutag: gr.Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_cells: int
) -> None:
    left = iter([*[True] * n_cells, False])

    def mortal(job: Job, dataset: Dataset, cache: ArrayCache) -> Record | Failure:
        if not next(left):
            raise KeyboardInterrupt
        return attempt(job, dataset, cache)

    store = tmp_path / "fit.db"
    with monkeypatch.context() as patched:
        patched.setattr(serial, "attempt", mortal)
        with pytest.raises(KeyboardInterrupt):
            gr.fit_best(mutag, n_folds=3, store=store)
    with Store.read(store) as held:
        assert len(held.finished(held.choose(None))) == n_cells
    n_run = []

    def counted(job: Job, dataset: Dataset, cache: ArrayCache) -> Record | Failure:
        n_run.append(job.cell)
        return attempt(job, dataset, cache)

    monkeypatch.setattr(serial, "attempt", counted)
    resumed = gr.fit_best(mutag, n_folds=3, store=store)
    assert len(n_run) == 6 - n_cells
    assert undated(resumed.card) == undated(gr.fit_best(mutag, n_folds=3).card)


@pytest.mark.slow
def test_processes_give_the_same_numbers(mutag: gr.Dataset, tmp_path: Path) -> None:
    one = gr.fit_best(mutag, n_folds=3)
    two = gr.fit_best(mutag, n_folds=3, n_jobs=2, store=tmp_path / "fit.db")
    assert undated(one.card) == undated(two.card)
    assert not (tmp_path / "fit.db.shared").exists()


def test_without_a_store_nothing_is_left_behind(mutag: gr.Dataset, tmp_path: Path) -> None:
    gr.fit_best(mutag, methods="baseline-labels", n_folds=3)
    assert list(tmp_path.iterdir()) == []


def test_a_budget_stops_between_cells_and_the_verdict_says_so(
    mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every look at the clock takes a second: 4 of 10 folds fit."""
    ticks = iter(range(10_000))
    for module in (best, estimate, serial):
        monkeypatch.setattr(module, "perf_counter", lambda: float(next(ticks)))
    result = gr.fit_best(mutag, methods="wl", budget="20s")
    done = result.judgement.n_complete
    assert 1 < done < 10
    assert f"Stopped after {done} of 10 folds: the time was over." in result.verdict
    assert result.card["estimate"]["folds_done"] == done


def test_the_model_is_saved_with_its_card(mutag: gr.Dataset, tmp_path: Path) -> None:
    result = gr.fit_best(mutag, methods="wl", n_folds=3)
    result.save(tmp_path / "model.safetensors")
    model = gr.load_model(tmp_path / "model.safetensors")
    assert model.card_["estimate"] == result.card["estimate"]
    assert model.predict(mutag).tolist() == result.model.predict(mutag).tolist()


@pytest.mark.slow
def test_the_page_tells_the_story_first(mutag: gr.Dataset, tmp_path: Path) -> None:
    result = gr.fit_best(mutag, n_folds=3)
    result.report(tmp_path / "fit.html", ["graphrings", "fit", "my data.csv"])
    text = (tmp_path / "fit.html").read_text()
    places = [text.index(f'id="{part}"') for part in ("found", "scores", "model", "results")]
    assert places == sorted(places)
    assert html.escape(unbroken(result.sentences[0])) in text
    assert "graphrings fit &#39;my data.csv&#39;" in text
    assert 'id="ranks"' not in text
