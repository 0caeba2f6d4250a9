"""What people see of a step that takes longer than they expect."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from graphrings.printable import one_line

PATIENCE = 3.0  # seconds that pass without a word


@contextmanager
def waiting(what: str, quiet: bool = False) -> Iterator[None]:
    """Show what is done and for how long, on a terminal, once that takes more than some seconds.

    Compiled loops do not stop it. The line is gone when the step is.
    """
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    line = Progress(*columns, console=console, transient=True)
    line.add_task(one_line(what), total=None)
    later = threading.Timer(PATIENCE, line.start)
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()
        if line.live.is_started:
            line.stop()
