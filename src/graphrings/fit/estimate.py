"""The run behind a fit: nested cross-validation of all candidates, inside a time if one is set."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from time import perf_counter

from graphrings.durations import duration
from graphrings.fit.plan import Plan
from graphrings.protocol.folds import LEAST_FOLDS
from graphrings.protocol.jobs import Event, Executor, Job
from graphrings.protocol.run import prepare_missing, run
from graphrings.results.store import Store

PILOT = 1 / 3  # of the time is there for one fold of everything
FOR_THE_MODEL = 1 / 5  # of the budget is kept for the final fit
Place = tuple[int, int]  # repetition and fold
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

    With a clock, the first folds of all methods have a third of the time, so that three folds fit
    into it, and every method has its share of that. What does not finish a fold then has to wait
    until the others are done. ``left_out`` says in the end which methods the time was too short
    for, and why.
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
        yield from self._pilot(now + (deadline - now) * PILOT)
        slow = self._unfinished()
        yield from self._run([job for job in jobs if job.cell.method not in slow], deadline)
        for method in slow:
            yield from self._run([job for job in jobs if job.cell.method == method], deadline)
        self._leave_out(slow)

    def _pilot(self, end: float) -> Generator[Event, None, None]:
        """The first folds of every method, one per worker; a quick one leaves time to the next."""
        left = list(self._folds())
        while left:
            now = perf_counter()
            limit = now + (end - now) / len(left)
            method = left.pop(0)
            own = [job for job in self.prepared.jobs if job.cell.method == method]
            yield from self._run(own[: self._n_workers], limit)

    def _run(self, jobs: Iterable[Job], deadline: float | None) -> Generator[Event, None, None]:
        done = self._store.finished(self.plan.name)
        part = replace(self.prepared, jobs=tuple(job for job in jobs if job.cell not in done))
        with closing(run(part, self._store, self._launch(deadline))) as events:
            yield from events

    def _unfinished(self) -> list[str]:
        """Methods that have finished no fold; what failed is no matter of time."""
        failed = self._failed()
        return [name for name, done in self._folds().items() if not done and name not in failed]

    def _leave_out(self, slow: Sequence[str]) -> None:
        """Leave out slow methods that have not caught up with the others.

        One with three folds stays where else only the baseline would be left, and one with any
        fold where nothing would be: few folds of a method that may be good say more than many
        of the baseline.
        """
        assert self._clock is not None
        folds, failed = self._folds(), self._failed()
        kept = [name for name in folds if name not in slow and name not in failed]
        for method in slow:
            needed = set.intersection(*(folds[name] for name in kept)) if kept else set[Place]()
            rivals = set(kept) & set(self.plan.contenders)
            is_needed = not rivals - {self.plan.task.baseline}
            enough = len(folds[method]) >= (LEAST_FOLDS if rivals else 1)
            if folds[method] >= needed > set() or (is_needed and enough):
                kept.append(method)
            else:
                time = duration(self._clock.budget)
                self.left_out[method] = f"{time} is too short to finish as many folds as the others"

    def _folds(self) -> dict[str, set[Place]]:
        """The folds that every method has finished."""
        done = self._store.finished(self.plan.name)
        return {
            one.method: {(c.repetition, c.fold) for c in done if c.method == one.method}
            for one in self.plan.candidates
        }

    def _failed(self) -> set[str]:
        return {failure.cell.method for failure in self._store.failures(self.plan.name)}
