"""What a fit costs: measured on samples of growing size, and extended to a whole dataset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from graphrings.graphs.array_cache import ArrayCache, Arrays
from graphrings.methods import find
from graphrings.protocol.nested import Part, fit, predictions_of
from graphrings.protocol.refit import of_estimator
from graphrings.protocol.sampling import Sample
from graphrings.results.record import MethodCard, Setting
from graphrings.tasks import Task

EPOCHS, MORE_EPOCHS = 3, 4  # of a trial training, and how many times as many the next one has
SHOWS = 0.05  # seconds that can be told from those of a start
ONE_EPOCH = {"max_epochs": 1}
FIRST = 0.5  # seconds that a second sample may take in any case: one size tells no growth
AGAIN = 2  # fits, of which the quicker one counts
BLUR = 0.005  # seconds that a time may be off by: no shorter one counts for more than this does
MORE = 2  # how much longer than all before, at least, the next sample takes


@dataclass(frozen=True)
class Cost:
    """Seconds of a fit: of its start, of an epoch, and of what later fits need not compute again.

    What other cells share too is ``once``; what a fold needs for itself is ``per_fold``.
    """

    start: float
    epoch: float
    once: float
    per_fold: float

    def times(self, factor: float) -> Cost:
        """So many times as much."""
        return Cost(*(factor * seconds for seconds in astuple(self)))


@dataclass(frozen=True)
class Growth:
    """What a fit costs on samples of several sizes, and by which degree of the nodes it grows."""

    sizes: tuple[int, ...]  # of the samples, in graphs
    nodes: NDArray[np.float64]
    costs: tuple[Cost, ...]
    degree: int

    def on(self, size: int) -> Cost:
        """What was measured on so many graphs."""
        return self.costs[self.sizes.index(size)]

    def at(self, n_known: float, n_all: float) -> Cost:
        """The cost with so many nodes that are not tested, of so many in all."""
        goals = (n_known, n_known, n_all, n_all)
        columns = np.array([astuple(cost) for cost in self.costs]).T
        return Cost(
            *(
                extended(self.nodes, column, goal, self.degree)
                for column, goal in zip(columns, goals, strict=True)
            )
        )


class WatchedCache(ArrayCache):
    """A cache that times what has to be made for all cells, and what for one fold."""

    def __init__(self) -> None:
        super().__init__()
        self.n_made, self.once, self.per_fold = 0, 0.0, 0.0

    @property
    def shared(self) -> float:
        """The part of all time that was spent on what all cells share."""
        return self.once / (self.once + self.per_fold) if self.per_fold > 0 else 1.0

    def get(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """As ever, but timed."""

        def timed() -> Arrays:
            self.n_made += 1
            start = process_time()
            made = make()
            self.once += process_time() - start
            return made

        return super().get(key, timed)

    def latest(self, purpose: str, key: str, make: Callable[[], Arrays]) -> Arrays:
        """As ever, but timed, without what is made for all on the way."""

        def timed() -> Arrays:
            self.n_made += 1
            start, once = process_time(), self.once
            made = make()
            self.per_fold += process_time() - start - (self.once - once)
            return made

        return super().latest(purpose, key, timed)


class Trial:
    """Fits of one method on samples; ``first`` is the first point of its grid.

    Time is that of the processor: a worker has one thread, and others may be using the machine now.
    """

    def __init__(
        self, card: MethodCard, first: Setting, home: Path | None, task: Task, sample: Sample
    ) -> None:
        self._method, self._task = find(card.method, home), task
        self._card, self._first, self._sample = card, first, sample
        self._measure(next(sample.sizes()), first)  # what is compiled is not counted

    def growth(self, point: Setting, seconds: float) -> Growth:
        """What fits cost on samples that fit into so many seconds, and on one sample at least."""
        costs, sizes, start = [], [], process_time()
        for size in self._sample.sizes():
            costs.append(self._measure(size, point))
            sizes.append(size)
            allowed = seconds if len(sizes) > 1 else max(seconds, FIRST)
            if MORE * (process_time() - start) > allowed:
                break
        nodes = np.array([self._sample.n_nodes(size) for size in sizes], dtype=np.float64)
        return Growth(tuple(sizes), nodes, tuple(costs), self._method.growth)

    def own_settings(self) -> tuple[str, ...]:
        """The settings of the grid whose values need something that they do not share.

        Another value of such a setting makes the cache compute something new.
        """
        cache, own = WatchedCache(), []
        parts = self._sample.parts(next(self._sample.sizes()), cache)
        shortest = {} if epochs_of(self._method, self._first, self._task) is None else ONE_EPOCH
        for key, values in self._card.grid.items():
            self._fit(self._first, parts, **shortest)
            before = cache.n_made
            self._fit({**self._first, key: values[-1]}, parts, **shortest)
            own += [key] if cache.n_made > before else []
        return tuple(own)

    def _measure(self, size: int, point: Setting) -> Cost:
        """A fit that finds nothing made yet, and one that finds all."""
        cache = WatchedCache()
        parts = self._sample.parts(size, cache)
        epochs = epochs_of(self._method, point, self._task)
        if epochs is None:
            first, warm, epoch = self._fit(point, parts), self._quicker(point, parts), 0.0
        else:
            first = self._fit(point, parts, **ONE_EPOCH)
            warm = self._quicker(point, parts, **ONE_EPOCH)
            epoch = self._epoch(point, parts, warm, epochs[0] - 1)
        made, start = max(0.0, first - warm), max(0.0, warm - epoch)
        return Cost(start, epoch, made * cache.shared, made * (1 - cache.shared))

    def _epoch(self, point: Setting, parts: tuple[Part, Part], one: float, most: int) -> float:
        """What one epoch more takes than a training of ``one``, by so many that it shows."""
        n_epochs = min(EPOCHS, most)
        while n_epochs:
            more = self._fit(point, parts, max_epochs=1 + n_epochs) - one
            if more > SHOWS or n_epochs == most:
                return max(0.0, more) / n_epochs
            n_epochs = min(MORE_EPOCHS * n_epochs, most)
        return 0.0

    def _quicker(self, point: Setting, parts: tuple[Part, Part], **changed: int) -> float:
        return min(self._fit(point, parts, **changed) for _ in range(AGAIN))

    def _fit(self, point: Setting, parts: tuple[Part, Part], **changed: int) -> float:
        estimator = self._method.build({**of_estimator(point), **changed}, 0, self._task)
        start = process_time()
        fit(estimator, *parts)
        predictions_of(estimator, parts[1], self._task)
        return process_time() - start


def epochs_of(method: Any, point: Setting, task: Task) -> tuple[int, int] | None:
    """The fewest and the most epochs of a training; None where there are none."""
    parameters = {**method.parameters(task), **point}
    if "max_epochs" not in parameters or "patience" not in parameters:
        return None
    longest = int(parameters["max_epochs"])
    return min(longest, int(parameters["patience"]) + 1), longest


def extended(
    sizes: NDArray[np.float64], seconds: NDArray[np.float64], goal: float, growth: int
) -> float:
    """Seconds at a larger size: a polynomial of this degree without negative terms.

    It is nearest to what was measured by relative error. From one size alone, all time grows.
    """
    scale = float(sizes[-1])
    powers = np.arange(growth + 1) if len(sizes) > 1 else np.array([growth])
    basis = (sizes[:, None] / scale) ** powers
    weights = 1 / np.maximum(seconds, BLUR)
    terms, _ = nnls(basis * weights[:, None], seconds * weights)
    return float(terms @ (goal / scale) ** powers)
