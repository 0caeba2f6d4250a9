"""The run behind a fit: nested cross-validation of all candidates, inside a time if one is set."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import perf_counter

from graphrings.errors import ExperimentError
from graphrings.fit.plan import Plan
from graphrings.protocol.folds import LEAST_FOLDS
from graphrings.protocol.jobs import Event, Executor, Job
from graphrings.protocol.run import prepare_missing, run
from graphrings.results.durations import duration
from graphrings.results.store import Store

PILOT = 1 / 3  # of the time is there for one fold of everything
FOR_THE_MODEL = 1 / 5  # of the budget is kept for the final fit
Launch = Callable[[float | None], Executor]  # an executor that ends at a time of perf_counter


@dataclass(frozen=True)
class Clock:
    """A budget in seconds, since a time of ``perf_counter``."""

    start: float
    budget: float

    @property
    def deadline(self) -> float:
        """When the estimate has to end, so that there is time left for the final fit."""
        return self.start + self.budget * (1 - FOR_THE_MODEL)


class Estimation:
    """The missing cells of a plan, in an order that leaves whole folds whenever it ends.

    With a clock, the first fold of every method is run first: a method that has not finished it
    after a third of the time is left out, and so are the slowest ones until the rest can finish
    three folds. ``left_out`` says why, by method.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        launch: Launch,
        n_workers: int = 1,
        clock: Clock | None = None,
    ) -> None:
        self.plan, self.left_out = plan, dict[str, str]()
        self._store, self._launch = store, launch
        self._n_workers, self._clock = n_workers, clock
        self.prepared = prepare_missing(
            plan.experiment(), store, given={plan.dataset.name: plan.dataset}, retry_failed=True
        )

    def events(self) -> Generator[Event, None, None]:
        """Run the cells; every outcome is in the store before it is passed on."""
        jobs = self.prepared.jobs
        if self._clock is None:
            yield from self._run(jobs, None)
            return
        deadline, now = self._clock.deadline, perf_counter()
        yield from self._run(self._folds(jobs, 0, 1), now + PILOT * (deadline - now))
        self._leave_out_unfinished()
        self._leave_out_slow(self._folds(jobs, 1, LEAST_FOLDS), deadline)
        rest = self._folds(jobs, 1, self.plan.n_cells)
        yield from self._run([job for job in rest if self._is_in(job)], deadline)

    def _run(self, jobs: Iterable[Job], deadline: float | None) -> Generator[Event, None, None]:
        part = replace(self.prepared, jobs=tuple(jobs))
        with closing(run(part, self._store, self._launch(deadline))) as events:
            yield from events

    def _leave_out_unfinished(self) -> None:
        """Leave out what the time was too short for; what failed is no matter of time."""
        assert self._clock is not None
        name, budget = self.plan.name, duration(self._clock.budget)
        finished = {cell.method for cell in self._store.finished(name)}
        failed = {failure.cell.method for failure in self._store.failures(name)}
        for method in self._methods():
            if method not in finished | failed:
                self.left_out[method] = f"one fold of it took more than a third of the {budget}"
        if not finished & set(self.plan.contenders):
            raise ExperimentError(
                f"{self.plan.dataset.name}: no method finished a fold within a third of the "
                f"{budget}; expected a longer budget (the store keeps what was done)"
            )

    def _leave_out_slow(self, needed: Sequence[Job], deadline: float) -> None:
        """Leave out the slowest methods until the others have time for so many cells."""
        assert self._clock is not None
        seconds = {method: s for (_, method), (_, s) in self._store.seconds(self.plan.name).items()}
        while self._work(needed, seconds) > self._n_workers * (deadline - perf_counter()):
            if not (removable := self._removable()):
                return
            slowest = max(removable, key=lambda method: seconds.get(method, 0.0))
            self.left_out[slowest] = (
                f"{duration(self._clock.budget)} is too short for {LEAST_FOLDS} folds of it, "
                f"which take {duration(seconds.get(slowest, 0.0))} each"
            )

    def _folds(self, jobs: Iterable[Job], first: int, last: int) -> list[Job]:
        """The jobs of some folds, which count on through all repetitions."""
        n = self.plan.n_folds
        return [job for job in jobs if first <= job.cell.repetition * n + job.cell.fold < last]

    def _work(self, jobs: Iterable[Job], seconds: Mapping[str, float]) -> float:
        return sum(seconds.get(job.cell.method, 0.0) for job in jobs if self._is_in(job))

    def _is_in(self, job: Job) -> bool:
        return job.cell.method not in self.left_out

    def _methods(self) -> list[str]:
        return [one.method for one in self.plan.candidates if one.method not in self.left_out]

    def _removable(self) -> list[str]:
        """Methods that may go: not the baseline, and not the last contender."""
        contenders = [name for name in self._methods() if name in self.plan.contenders]
        removable = [name for name in contenders if name != self.plan.task.baseline]
        return removable if len(contenders) > 1 else []
