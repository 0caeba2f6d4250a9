"""A progress bar for one training."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graphrings.learning.learner import Epoch
from graphrings.printable import one_line
from graphrings.tasks import Task
from graphrings.tasks.scores import SCORES


class TrainingProgress:
    """Shows what is trained on, epochs, losses and a score on standard error."""

    def __init__(self, max_epochs: int, task: Task, shown: bool, heading: str = "") -> None:
        columns = (
            TextColumn("Training"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}", markup=False),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=Console(stderr=True), disable=not shown)
        self._line = self._bar.add_task("", total=max_epochs)
        self._score, self._heading = SCORES[task.epoch_score], heading

    def show(self, epoch: Epoch) -> None:
        """Move on by one epoch."""
        line = (
            f"loss {epoch.train_loss:.3f}, validation {epoch.validation_loss:.3f}, "
            f"{self._score.written(epoch.validation_score)}"
        )
        self._bar.update(self._line, advance=1, description=line)

    def __enter__(self) -> Self:
        if self._heading and not self._bar.disable:
            self._bar.console.print(one_line(self._heading), markup=False, highlight=False)
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
