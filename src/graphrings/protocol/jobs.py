"""What goes to a worker, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from graphrings.durations import duration
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.folds import Split
from graphrings.results.record import Cell, Failure, MethodCard, Record


@dataclass(frozen=True)
class Job:
    """A cell and all that is needed to run it, but for the dataset."""

    cell: Cell
    method: MethodCard
    split: Split
    seed: int  # of the experiment
    task: str  # a name from TASKS
    home: Path | None = None  # the folder that own methods may be imported from
    chosen_by: tuple[str, ...] = ()  # scores, the first one decides; none: those of the task
    fits: Path | None = None  # the folder where fitted networks of the dataset are kept


class Started(NamedTuple):
    """A worker has begun with a cell."""

    cell: Cell
    worker: str


class Said(NamedTuple):
    """A note of ours that a process has for whoever waits for its answer."""

    text: str
    category: type[Warning]


Event = Started | Record | Failure
Executor = Callable[[Sequence[Job], Mapping[str, Dataset]], Generator[Event, None, None]]


def too_long(job: Job, seconds: float, timeout: float) -> Failure:
    """The failure of a cell that was given up."""
    error = f"given up after {duration(timeout)}, the --cell-timeout of the run"
    return Failure(job.cell, error, seconds, now())


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
