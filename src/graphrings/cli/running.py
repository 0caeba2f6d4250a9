"""What people see while an experiment runs."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING

import click

from graphrings.cli.output import say
from graphrings.printable import one_line

if TYPE_CHECKING:
    from graphrings.protocol.jobs import Event, Executor
    from graphrings.protocol.prepare import Prepared
    from graphrings.results.record import Cell
    from graphrings.results.store import Store

SPEAK_EVERY = 60.0  # seconds, where there is no terminal to draw a bar on
INTERRUPTED = 130


@contextmanager
def interruptible() -> Iterator[None]:
    """End by Ctrl-C or SIGTERM with a line that says how to go on."""
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        yield
    except KeyboardInterrupt:
        say("stopped; the same command runs what is left", err=True)
        click.get_current_context().exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGTERM, before)


def workers(jobs: int | None) -> int:
    """How many cells to run at once: as many as are asked for, or as there are cores."""
    from graphrings.protocol.whole_run import n_cores

    cores = n_cores()
    if jobs is not None and jobs > cores:
        say(f"note: {jobs} jobs on {cores} cores; they will wait for each other", err=True)
    return jobs or cores


def _interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    raise KeyboardInterrupt


def run_with_progress(prepared: Prepared, store: Store, execute: Executor, quiet: bool) -> int:
    """Run what is prepared with a progress bar, and return the exit status."""
    from graphrings.protocol.run import run

    name = prepared.card.name
    show_progress(run(prepared, store, execute), prepared, store, quiet)
    n_failed = len(store.failures(name))
    say(
        f"{store.path}: {len(store.finished(name)):,} cells of {name} are finished"
        + (f", {n_failed:,} have failed (see graphrings status)" if n_failed else "")
    )
    return 1 if n_failed else 0


def show_progress(
    events: Generator[Event, None, None], prepared: Prepared, store: Store, quiet: bool
) -> None:
    """Move a progress bar by what comes from a run."""
    from graphrings.results.record import Failure

    left = Counter((job.cell.dataset, job.cell.method) for job in prepared.jobs)
    with Bar(store.seconds(prepared.card.name), left, quiet) as bar, closing(events):
        for event in events:
            bar.move(event)
            if isinstance(event, Failure):
                bar.say(f"failed: {event.cell}: {event.error}")


class Bar:
    """A progress bar on standard error, or one line per minute where that is not a terminal."""

    def __init__(
        self,
        known: dict[tuple[str, str], tuple[int, float]],
        left: Counter[tuple[str, str]],
        quiet: bool,
    ) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._known, self._left = dict(known), left
        self._running: set[Cell] = set()
        self._console = Console(stderr=True)
        self._speaks = not quiet and not self._console.is_terminal
        columns = (
            TextColumn("Cells"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.description}", markup=False),
        )
        hidden = quiet or not self._console.is_terminal
        self._bar = Progress(*columns, console=self._console, disable=hidden)
        self._n_cells = sum(left.values())
        self._task = self._bar.add_task("", total=self._n_cells)
        self._spoken = monotonic()

    def move(self, event: Event) -> None:
        """Show that a cell has begun, or that one more has ended."""
        from graphrings.protocol.jobs import Started
        from graphrings.results.progress import time_left

        if isinstance(event, Started):
            self._running.add(event.cell)
            return
        n_at_once = max(1, len(self._running))
        self._running.discard(event.cell)
        group = dataset, method = event.cell[:2]
        n, mean = self._known.get(group, (0, 0.0))
        self._known[group] = n + 1, mean + (event.seconds - mean) / (n + 1)
        self._left[group] -= 1
        left = time_left(self._left, self._known, n_at_once)
        state = one_line(f"{method} on {dataset}, {left}")
        self._bar.update(self._task, advance=1, description=state)
        if self._speaks and monotonic() - self._spoken >= SPEAK_EVERY:
            self._spoken = monotonic()
            n_left = sum(self._left.values())
            say(f"{self._n_cells - n_left:,} of {self._n_cells:,} cells, {state}", err=True)

    def say(self, line: str) -> None:
        """A line above the bar."""
        if self._bar.disable:
            say(line, err=True)
        else:
            self._console.print(one_line(line), markup=False, highlight=False)

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(self, *ending: object) -> None:
        self._bar.stop()
