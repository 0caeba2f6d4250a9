"""The run behind a fit: nested cross-validation of all candidates, inside a time if one is set."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from time import perf_counter

from graphrings.errors import ExperimentError
from graphrings.fit.plan import Plan
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

    With a clock, the first fold of every method has a third of the time, so that three folds fit
    into it: a method that does not finish then is left out. ``left_out`` says why, by method.
    """

    def __init__(
        self,
        plan: Plan,
        store: Store,
        launch: Launch,
        clock: Clock | None = None,
    ) -> None:
        self.plan, self.left_out = plan, dict[str, str]()
        self._store, self._launch, self._clock = store, launch, clock
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
        rest = self._folds(jobs, 1, self.plan.n_cells)
        yield from self._run(
            [job for job in rest if job.cell.method not in self.left_out], deadline
        )

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
        for candidate in self.plan.candidates:
            if candidate.method not in finished | failed:
                self.left_out[candidate.method] = (
                    f"one fold of it took more than a third of the {budget}"
                )
        if not finished & set(self.plan.contenders):
            raise ExperimentError(
                f"{self.plan.dataset.name}: no method finished a fold within a third of the "
                f"{budget}; expected a longer budget (the store keeps what was done)"
            )

    def _folds(self, jobs: Iterable[Job], first: int, last: int) -> list[Job]:
        """The jobs of some folds, which count on through all repetitions."""
        n = self.plan.n_folds
        return [job for job in jobs if first <= job.cell.repetition * n + job.cell.fold < last]
