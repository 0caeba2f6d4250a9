import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import UnseenLabelWarning
from graphrings.methods import METHODS, Method
from graphrings.protocol import forecast
from graphrings.protocol.forecast import forecasts
from graphrings.protocol.jobs import Job
from graphrings.results.record import MethodCard


class Clock:
    """Every fit takes two seconds, and one more for every epoch."""

    now = 0.0
    seen: list[np.ndarray] = []  # noqa: RUF012

    def __init__(self, max_epochs: int = 100, patience: int = 9, random_state: int = 0) -> None:
        self.max_epochs, self.patience, self.random_state = max_epochs, patience, random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """As scikit-learn has it."""
        del deep
        return vars(self)

    def fit(self, graphs: Any, y: Any, validation: Any) -> None:
        """Let the time go by."""
        del y
        warnings.warn("of another fold", UnseenLabelWarning, stacklevel=2)
        self.seen += [graphs.graphs, validation[0].graphs]
        Clock.now += 2 + self.max_epochs


@pytest.fixture
def slow(jobs: tuple[Job, ...], monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Two cells of a method whose time is known."""
    Clock.seen = []
    monkeypatch.setattr(Method, "estimator_class", lambda *_: Clock)
    monkeypatch.setitem(METHODS, "slow", Method("slow", "nowhere.Clock", "takes its time"))
    monkeypatch.setattr(forecast, "perf_counter", lambda: Clock.now)
    card = MethodCard("row", "slow", {}, {"patience": (9, 19)})
    cells = [job.cell._replace(method="row") for job in jobs[:2]]
    return [replace(jobs[0], cell=cell, method=card) for cell in cells]


def test_epochs_are_extrapolated(slow: list[Job], mutag: gr.Dataset) -> None:
    """Of two fits, one stops after 10 and one after 20 epochs at the earliest."""
    (group,) = forecasts(slow, {"MUTAG": mutag}, {})
    assert (group.dataset, group.method) == ("MUTAG", "row")
    assert (group.n_cells, group.n_settings) == (2, 2)
    assert group.fastest == pytest.approx(12 + 22)
    assert group.slowest == pytest.approx(102 + 102)


def test_a_few_epochs_are_never_more_than_allowed(slow: list[Job], mutag: gr.Dataset) -> None:
    short = replace(slow[0], method=MethodCard("row", "slow", {"max_epochs": 3}, {}))
    (group,) = forecasts([short], {"MUTAG": mutag}, {})
    assert (group.fastest, group.slowest) == pytest.approx((5, 5))


def test_no_test_fold_is_looked_at(slow: list[Job], mutag: gr.Dataset) -> None:
    list(forecasts(slow, {"MUTAG": mutag}, {}))
    assert Clock.seen
    for graphs in Clock.seen:
        assert not set(graphs) & set(slow[0].split.test)


def test_finished_cells_say_it_better(slow: list[Job], mutag: gr.Dataset) -> None:
    (group,) = forecasts(slow, {"MUTAG": mutag}, {("MUTAG", "row"): (5, 7.5)})
    assert (group.fastest, group.slowest, Clock.seen) == (7.5, 7.5, [])


def test_real_methods_can_be_forecast(jobs: tuple[Job, ...], mutag: gr.Dataset) -> None:
    groups = list(forecasts(jobs, {"MUTAG": mutag}, {}))
    assert [(f.method, f.n_cells) for f in groups] == [("pgc-dgcnn", 6), ("baseline-labels", 6)]
    assert all(0 < f.fastest <= f.slowest for f in groups)
