"""Inside a time: which methods and folds are run, with cells that take as long as a script says."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.fit import estimate
from graphrings.fit.estimate import Clock, Estimation
from graphrings.fit.judgement import judge
from graphrings.fit.plan import Plan, Wanted, plan
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.jobs import Event, Executor, Job, Started, now
from graphrings.protocol.nested import attempt
from graphrings.results.record import Failure, Record
from graphrings.results.store import Store

pytestmark = pytest.mark.usefixtures("quick_list")


@dataclass
class Script:
    """Cells that take a scripted time on a clock that only they move.

    The first cell of all waits for the compiler.
    """

    seconds: Mapping[str, float]
    time: float = 0.0
    failing: str = ""
    compiling: float = 0.0

    def __call__(self, deadline: float | None) -> Executor:
        """An executor that ends when the clock has reached the deadline."""

        def execute(
            jobs: Sequence[Job], datasets: Mapping[str, Dataset]
        ) -> Generator[Event, None, None]:
            cache = ArrayCache()
            for job in jobs:
                yield Started(job.cell, "script")
                self.time += self.seconds[job.cell.method] + self.compiling
                self.compiling = 0.0
                if deadline is not None and self.time > deadline:
                    self.time = deadline
                    return
                if job.cell.method == self.failing:
                    yield Failure(job.cell, "scripted", 1.0, now())
                    continue
                outcome = attempt(job, datasets[job.cell.dataset], cache)
                assert isinstance(outcome, Record)
                yield replace(outcome, seconds=self.seconds[job.cell.method])

        return execute


Run = Callable[..., tuple[Estimation, list[tuple[str, int]]]]


@pytest.fixture
def decided(mutag: gr.Dataset) -> Plan:
    return plan(mutag, Wanted(n_folds=4))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.write(tmp_path / "fit.db") as opened:
        yield opened


@pytest.fixture
def run(decided: Plan, store: Store, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run an estimation under a script; the cells that were finished, in their order."""

    def under(script: Script, budget: float | None) -> tuple[Estimation, list[tuple[str, int]]]:
        monkeypatch.setattr(estimate, "perf_counter", lambda: script.time)
        clock = None if budget is None else Clock(script.time, budget)
        estimation = Estimation(decided, store, script, clock=clock)
        done = [event.cell for event in estimation.events() if isinstance(event, Record)]
        return estimation, [(cell.method, cell.fold) for cell in done]

    return under


def test_without_a_budget_all_methods_finish_a_fold_before_the_next(run: Run) -> None:
    _, done = run(Script({"baseline-labels": 1, "wl": 1}), None)
    assert done == [(method, fold) for fold in range(4) for method in ("baseline-labels", "wl")]


def test_the_budget_ends_the_run_and_leaves_time_for_the_model(run: Run) -> None:
    script = Script({"baseline-labels": 1, "wl": 9})
    estimation, done = run(script, 45.0)
    assert [fold for method, fold in done if method == "wl"] == [0, 1, 2]
    assert script.time == 36.0
    assert estimation.left_out == {}


def test_the_same_command_goes_on_with_what_is_missing(run: Run) -> None:
    _, first = run(Script({"baseline-labels": 1, "wl": 9}), 45.0)
    _, second = run(Script({"baseline-labels": 1, "wl": 9}), 45.0)
    assert len(first) + len(second) == 8
    assert not set(first) & set(second)


def test_a_method_too_slow_for_its_first_fold_waits_until_the_others_are_done(run: Run) -> None:
    """28 of 84 seconds are there for a fold of both; the kernel alone takes 30."""
    estimation, done = run(Script({"baseline-labels": 1, "wl": 30}), 105.0)
    assert done == [*(("baseline-labels", fold) for fold in range(4)), ("wl", 0)]
    assert estimation.left_out == {"wl": "2 min is too short to finish as many folds as the others"}


def test_a_slow_method_that_catches_up_is_back(run: Run) -> None:
    """The first third of the time is over before the first cell is; then all is quick."""
    script = Script({"baseline-labels": 1, "wl": 5}, compiling=30.0)
    estimation, done = run(script, 105.0)
    kernel = [("wl", fold) for fold in range(4)]
    assert done == [*kernel, *(("baseline-labels", fold) for fold in range(4))]
    assert estimation.left_out == {}


def test_the_only_contender_stays_however_slow_it_is(
    mutag: gr.Dataset, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script({"baseline-labels": 1, "wl": 30})
    monkeypatch.setattr(estimate, "perf_counter", lambda: script.time)
    alone = plan(mutag, Wanted(n_folds=4, methods=("wl",)))
    estimation = Estimation(alone, store, script, clock=Clock(0.0, 105.0))
    done = [event.cell for event in estimation.events() if isinstance(event, Record)]
    assert estimation.left_out == {}
    judgement = judge(alone, estimation.prepared.card, store.records(alone.name))
    assert (len(done), judgement.n_complete) == (5, 1)


def test_what_failed_is_not_called_slow(run: Run) -> None:
    estimation, _ = run(Script({"baseline-labels": 1, "wl": 1}, failing="wl"), 100.0)
    assert estimation.left_out == {}


def test_a_budget_too_short_for_anything_leaves_nothing_to_choose(run: Run, decided: Plan) -> None:
    estimation, done = run(Script({"baseline-labels": 90, "wl": 90}), 100.0)
    assert done == []
    with pytest.raises(ExperimentError, match=r"no method is left to choose .*is too short"):
        judge(decided, estimation.prepared.card, [], left_out=estimation.left_out)


def test_a_quick_method_leaves_its_share_of_the_first_third_to_the_next(run: Run) -> None:
    """Half of 28 seconds are too short for the kernel's 20; all but one are not."""
    estimation, done = run(Script({"baseline-labels": 1, "wl": 20}), 105.0)
    assert done[:2] == [("baseline-labels", 0), ("wl", 0)]
    assert estimation.left_out == {}


def test_three_folds_of_a_method_are_worth_more_than_four_of_the_baseline_alone(run: Run) -> None:
    """Of 84 seconds 28 and four are gone when the kernel's turn comes: 52 are left."""
    estimation, done = run(Script({"baseline-labels": 1, "wl": 16}, compiling=30.0), 105.0)
    assert done.count(("wl", 2)) == 1
    assert ("wl", 3) not in done
    assert estimation.left_out == {}
