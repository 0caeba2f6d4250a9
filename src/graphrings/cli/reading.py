"""What verbs that learn tell the reader of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def with_task(name: str, reading: dict[str, Any], task: str | None) -> dict[str, Any]:
    """The options of reading, with the task where a file's reader must know what targets are."""
    from graphrings.graphs.files import open_files
    from graphrings.graphs.formats import format_of
    from graphrings.graphs.load import is_path

    if task is None or not is_path(name):
        return reading
    asks = "task" in format_of(open_files(Path(name))).options
    return {**reading, "task": task} if asks else reading
