"""graphrings check."""

from __future__ import annotations

from pathlib import Path

import click

from graphrings.cli.output import say
from graphrings.cli.waiting import waiting


@click.command()
@click.argument("store", type=click.Path(path_type=Path))
def check(store: Path) -> None:
    """Look over all that STORE, a file of results, holds.

    Every page, every row by its checksum, and whether what it says can be. Cells that are damaged
    are named; the next run does them again. The exit status is 1 if there are any.
    """
    from graphrings.results.soundness import examine

    with waiting(f"looking over {store.name}"):
        found = examine(store)
    for line in found.lines():
        say(line)
    if not found.sound:
        click.get_current_context().exit(1)
