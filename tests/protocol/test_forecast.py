import warnings
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import UnseenLabelWarning
from graphrings.methods import METHODS, Method
from graphrings.protocol import cell_costs, forecast, trial_costs
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.forecast import Forecast, forecasts
from graphrings.protocol.prepare import Folds
from graphrings.protocol.reference_costs import (
    Reference,
    Size,
    best_epoch_at,
    reference_at,
    references,
)
from graphrings.protocol.run import n_missing
from graphrings.protocol.shipped import experiment_path


class Clock:
    """A fit takes a millisecond, and for every epoch one per node and one for the start."""

    now = 0.0
    seen: list[int] = []  # noqa: RUF012
    quadratic = False

    def __init__(
        self, max_epochs: int = 100, patience: int = 9, times: int = 1, random_state: int = 0
    ) -> None:
        self.max_epochs, self.patience, self.times = max_epochs, patience, times
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """As scikit-learn has it."""
        del deep
        return vars(self)

    def described_settings(self) -> dict[str, Any]:
        """None that have to be checked."""
        return {}

    def check(self) -> None:
        """Anything goes."""

    def fit(self, graphs: Any, y: Any, validation: Any) -> None:
        """Let the time go by."""
        warnings.warn("of another fold", UnseenLabelWarning, stacklevel=2)
        Clock.seen.append(len(graphs) + len(validation[0]))
        nodes = graphs.dataset.n_nodes
        epoch = self.times * (1 + (nodes**2 if self.quadratic else nodes))
        Clock.now += 0.001 * (self.times + self.max_epochs * epoch)
        assert len(np.unique(y)) == 2

    def predict(self, graphs: Any) -> np.ndarray:
        """Something."""
        return np.zeros(len(graphs))


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    """Six cells of a method whose time is known."""
    Clock.seen, Clock.now = [], 0.0
    monkeypatch.setattr(Clock, "quadratic", False)
    monkeypatch.setattr(Method, "estimator_class", lambda *_: Clock)
    monkeypatch.setattr(Method, "described", lambda *_: {"patience": POSITIVE, "times": POSITIVE})
    monkeypatch.setitem(METHODS, "slow", Method("slow", "nowhere.Clock", "takes its time"))
    monkeypatch.setattr(trial_costs, "process_time", lambda: Clock.now)
    monkeypatch.setattr(forecast, "PER_ROW", 1e6)
    monkeypatch.setattr(forecast, "IN_ALL", 1e6)
    return gr.experiment(
        "MUTAG",
        {"row": {"method": "slow", "grid": {"patience": [9, 19]}}},
        n_folds=3,
        repetitions=2,
    )


POSITIVE = METHODS["dgcnn"].described()["patience"]


def forecast_of(experiment: Experiment, finished: Any = None) -> Forecast:
    (line,) = forecasts(experiment, n_missing(experiment, None), finished or {})
    return line


def known_nodes(experiment: Experiment) -> float:
    """Of three folds two are not tested."""
    assert experiment.n_folds == 3
    return gr.load("MUTAG").n_nodes * 2 / 3


def test_epochs_are_extended_to_all_graphs(slow: Experiment) -> None:
    """Of two fits, one stops after 10 and one after 20 epochs at the earliest."""
    line, nodes = forecast_of(slow), known_nodes(slow)
    assert (line.dataset, line.method, line.n_cells, line.n_settings) == ("MUTAG", "row", 6, 2)
    assert line.fastest == pytest.approx(0.001 * (2 + 30 * (1 + nodes)), rel=1e-6)
    assert line.slowest == pytest.approx(0.001 * (2 + 200 * (1 + nodes)), rel=1e-6)
    assert line.shared == pytest.approx(0, abs=1e-9)


@pytest.mark.usefixtures("slow")
def test_settings_that_were_not_timed_take_so_many_times_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """References say a second for an epoch, whatever the clock says of samples."""
    size, cost = Size.of(gr.load("MUTAG")), trial_costs.Cost(0.0, 1.0, 0.0, 0.0)
    known = Reference("slow", "MUTAG", size, cost, (), 30.0)
    monkeypatch.setattr(forecast, "reference_at", lambda *_: known)
    usual = {"method": "slow", "settings": {"times": 3, "patience": 9}}
    experiment = gr.experiment("MUTAG", {"row": usual}, n_folds=10)
    line = forecast_of(experiment)
    assert line.slowest == pytest.approx(3 * 100, rel=1e-6)
    assert line.fastest == pytest.approx(3 * 10, rel=1e-6)
    assert line.source.startswith("timings, ")


def test_short_epochs_are_measured_by_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a start takes moves by more than what three epochs do."""
    starts = iter([0.03, 0.01, 0.02] * 40)

    def pass_time(*_: Any, **changed: int) -> float:
        return next(starts) + 0.001 * changed["max_epochs"]

    mutag, task = gr.load("MUTAG"), forecast.TASKS["classification"]
    experiment = gr.experiment("MUTAG", {"dgcnn": None})
    sample = forecast.Sample(mutag, Folds(experiment, "MUTAG", mutag).of(0)[0], task)
    monkeypatch.setattr(trial_costs.Trial, "_fit", pass_time)
    (card,) = experiment.methods
    point = {"network": "dgcnn", "patience": 200}
    trial = trial_costs.Trial(card, point, None, task, sample)
    assert all(
        cost.epoch == pytest.approx(0.001, rel=0.5) for cost in trial.growth(point, 1.0).costs
    )


def test_a_small_sample_is_enough(slow: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time that grows in proportion is told from 20 and from 100 graphs."""
    monkeypatch.setattr(forecast, "PER_ROW", 30.0)
    line, nodes = forecast_of(slow), known_nodes(slow)
    assert (line.source, max(Clock.seen)) == ("100 graphs", 100)
    assert line.slowest == pytest.approx(0.001 * (2 + 200 * (1 + nodes)), rel=1e-6)


def test_a_square_is_told_from_samples_too(
    slow: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Clock, "quadratic", True)
    square = Method("slow", "nowhere.Clock", "takes its time", growth=2)
    monkeypatch.setitem(METHODS, "slow", square)
    monkeypatch.setattr(forecast, "PER_ROW", 10_000.0)
    line, nodes = forecast_of(slow), known_nodes(slow)
    assert max(Clock.seen) == 100
    assert line.slowest == pytest.approx(0.2 * nodes**2, rel=0.01)


def test_a_budget_ends_the_sampling(slow: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "PER_ROW", 0.001)
    monkeypatch.setattr(trial_costs, "FIRST", 0.001)
    assert (forecast_of(slow).source, set(Clock.seen)) == ("20 graphs", {20})


def test_a_method_that_fails_on_a_sample_is_not_known(
    slow: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Clock, "fit", lambda *_, **__: 1 / 0)
    line = forecast_of(slow)
    assert (line.fastest, line.slowest) == (None, None)
    assert line.source == "not known, a sample fails: division by zero"
    assert line.all_cells(line.fastest, 2) is None


def test_finished_cells_say_it_better(slow: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dataset is not even read."""
    monkeypatch.setattr(forecast, "load_dataset", None)
    line = forecast_of(slow, {("MUTAG", "row"): (5, 7.5)})
    assert (line.fastest, line.slowest, line.source, Clock.seen) == (7.5, 7.5, "5 cells", [])
    assert line.all_cells(line.slowest, 2) == 6 * 7.5 / 2


def test_what_cells_share_is_counted_once() -> None:
    """Of 14 settings of a kernel, seven share each Gram matrix; a baseline shares nothing."""
    kernel = {"method": "wl", "grid": {"height": [1, 2], "C": [0.1, 1.0, 10.0]}}
    experiment = gr.experiment("MUTAG", {"wl": kernel, "baseline-labels": None}, n_folds=3)
    point = {"kernel": "wl", "height": 1, "C": 0.1}
    mutag = gr.load("MUTAG")
    task = forecast.TASKS["classification"]
    sample = forecast.Sample(mutag, Folds(experiment, "MUTAG", mutag).of(0)[0], task)
    wl, baseline = experiment.methods
    assert trial_costs.Trial(wl, point, None, task, sample).own_settings() == ("height",)
    assert cell_costs.n_different(wl, ("height",)) == 2
    first = {"kind": "counts", "C": 1e-3}
    assert trial_costs.Trial(baseline, first, None, task, sample).own_settings() == ()
    assert cell_costs.n_different(baseline, ()) == 1


def test_methods_of_ours_are_forecast_without_a_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecast, "Trial", None)
    experiment = gr.experiment(
        "MUTAG", {"pgc-dgcnn": None, "wl-oa": None}, n_folds=3, repetitions=1
    )
    lines = list(forecasts(experiment, n_missing(experiment, None), {}))
    assert [(f.method, f.n_cells) for f in lines] == [("pgc-dgcnn", 3), ("wl-oa", 3)]
    assert all(0 < (f.fastest or 0) <= (f.likely or 0) <= (f.slowest or 0) for f in lines)
    assert {f.source for f in lines} == {"timings"}


def test_other_settings_are_sampled_once_for_all_datasets() -> None:
    row = {"method": "wl", "settings": {"height": 9}, "grid": {"C": [1.0, 10.0]}}
    mutag = gr.load("MUTAG")
    datasets = {"one": mutag, "all": mutag, "few": mutag[:60]}
    experiment = gr.experiment(datasets, {"row": row}, n_folds=3)
    lines = list(forecasts(experiment, n_missing(experiment, None), {}))
    assert [f.source for f in lines] == ["timings, 40 graphs"] * 3
    assert lines[0].fastest == lines[0].slowest == lines[1].slowest


@pytest.mark.parametrize("name", ["demo", "table2", "table3"])
def test_experiments_of_the_package_need_no_sample(name: str) -> None:
    experiment = read_experiment(experiment_path(name))
    size, task = Size(200, 4000, 4000), forecast.TASKS[experiment.task]
    for card in experiment.methods:
        assert cell_costs.reference_cell(card, size, task, 10) is not None, card.name


def test_timings_are_of_methods_and_settings_that_there_are() -> None:
    for one in references():
        assert set(one.own_settings) <= set(METHODS[one.method].grid)


def cost_of(row: Any, size: Size, n_folds: int = 10) -> cell_costs.CellCost:
    (card,) = gr.experiment("MUTAG", {"row": row}).methods
    cost = cell_costs.reference_cell(card, size, forecast.TASKS["classification"], n_folds)
    assert cost is not None
    return cost


def test_timings_are_taken_as_they_are_on_their_own_dataset() -> None:
    """Seven values of C share a Gram matrix and a fold's part of it, six heights do not."""
    for one in references():
        if one.method == "wl":
            cost = cost_of({"method": "wl"}, one.size)
            of_fold = 42 * one.cost.start + 6 * one.cost.per_fold
            assert cost.fastest == cost.slowest == pytest.approx(of_fold)
            assert cost.shared == pytest.approx(6 * one.cost.once)


def test_epochs_are_counted_at_least_and_at_most() -> None:
    settings = {"radius": 2, "max_epochs": 50, "patience": 9}
    one = next(one for one in references() if one.method == "pgc-dgcnn")
    cost = cost_of({"method": "pgc-dgcnn", "settings": settings}, one.size)
    assert cost.fastest == pytest.approx(one.cost.start + 10 * one.cost.epoch)
    assert cost.slowest == pytest.approx(one.cost.start + 50 * one.cost.epoch)


def test_a_training_likely_ends_its_patience_after_the_epoch_that_was_best_before() -> None:
    one = next(one for one in references() if one.method == "dgcnn" and one.dataset == "NCI1")
    assert one.best_epoch is not None
    for patience, most, epochs in ((9, 500, 9 + one.best_epoch), (9, 20, 20)):
        settings = {"max_epochs": most, "patience": patience}
        cost = cost_of({"method": "dgcnn", "settings": settings}, one.size)
        assert cost.likely == pytest.approx(one.cost.start + epochs * one.cost.epoch)


def test_a_method_that_was_never_seen_is_taken_to_learn_as_others_do() -> None:
    size = Size(1000, 20_000, 20_000)
    seen = [one.best_epoch for one in references() if one.best_epoch is not None]
    assert min(seen) < best_epoch_at("mine:Network", size) < max(seen)


def test_timings_grow_with_nodes_or_with_pairs_of_graphs() -> None:
    for method, factor in (("dgcnn", 3), ("wl", 9)):
        one = next(one for one in references() if one.method == method)
        larger = Size(3 * one.size.n_graphs, 3 * one.size.n_nodes, 3 * one.size.n_edges)
        assert one.at(larger).start == pytest.approx(factor * one.cost.start)
    size = Size(10_000, 10**6, 10**6)
    halves = cost_of({"method": "dgcnn"}, size, n_folds=2).slowest
    assert halves == pytest.approx(5 / 9 * cost_of({"method": "dgcnn"}, size).slowest)


def test_between_two_datasets_timings_are_between_theirs() -> None:
    """MUTAG and NCI1, of which one is mostly overhead; each alone would say something else."""
    small, large = (
        next(one for one in references() if (one.method, one.dataset) == ("wl", name))
        for name in ("MUTAG", "NCI1")
    )
    told = reference_at("wl", Size(900, 20_000, 21_000))
    assert told is not None
    assert small.cost.start < told.cost.start < large.cost.start


def test_a_committee_costs_what_its_members_cost() -> None:
    size = Size(200, 4000, 4000)
    table = {"method": "wl", "settings": {"height": 3}}
    committee = {"method": "committee", "settings": {"members": ["gin", table]}}
    alone = [cost_of(row, size) for row in ({"method": "gin"}, table)]
    assert cost_of(committee, size) == cell_costs.total(alone)


@pytest.mark.parametrize(
    "row",
    [
        {"method": "pgc-dgcnn", "settings": {"radius": 5}},
        {"method": "wl", "grid": {"height": [9]}},
        {"method": "dgcnn", "settings": {"channels": [8, 8, 1]}},
        {
            "method": "committee",
            "settings": {"members": [{"method": "ring-forest", "settings": {"n_trees": 9}}]},
        },
    ],
)
def test_settings_that_were_not_timed_are_sampled(row: Any) -> None:
    (card,) = gr.experiment("MUTAG", {"row": row}).methods
    task = forecast.TASKS["classification"]
    assert cell_costs.reference_cell(card, Size(200, 4000, 4000), task, 10) is None


@pytest.mark.parametrize("growth", [1, 2])
def test_polynomials_are_extended_exactly(growth: int) -> None:
    sizes = np.array([10.0, 60.0, 360.0])
    terms = np.array([3.0, 0.5, 0.01])[: growth + 1]
    seconds = np.polynomial.polynomial.polyval(sizes, terms)
    expected = np.polynomial.polynomial.polyval(5000.0, terms)
    assert trial_costs.extended(sizes, seconds, 5000.0, growth) == pytest.approx(expected)


def test_a_time_too_short_to_measure_does_not_decide() -> None:
    """A small sample whose epochs seem to take no time was seen to make large ones free."""
    sizes, seconds = np.array([365.0, 1821.0, 3027.0]), np.array([0.0, 0.0045, 0.0087])
    assert 0.006 < trial_costs.extended(sizes, seconds, 3027.0, 1) < 0.009


def test_what_a_fold_makes_is_told_from_what_all_cells_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three seconds for all on the way to one second for the fold, which is not four."""
    now = 0.0

    def pass_time(seconds: float) -> dict[str, np.ndarray]:
        nonlocal now
        now += seconds
        return {}

    monkeypatch.setattr(trial_costs, "process_time", lambda: now)
    cache = trial_costs.WatchedCache()
    assert cache.shared == 1

    def of_fold() -> Any:
        cache.get("all", lambda: pass_time(3))
        return pass_time(1)

    for fold in ("one", "one", "two"):
        cache.latest("training", fold, of_fold)
    assert (cache.n_made, cache.once, cache.per_fold) == (3, 3, 2)
    assert cache.shared == pytest.approx(3 / 5)
