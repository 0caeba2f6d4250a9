"""graphrings merge."""

from pathlib import Path

import click

from graphrings.cli.output import say
from graphrings.cli.waiting import waiting


@click.command()
@click.argument(
    "sources",
    nargs=-1,
    required=True,
    metavar="FILE...",
    type=click.Path(path_type=Path),
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="STORE",
    type=click.Path(path_type=Path),
    help="The new store.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="METHOD",
    help="Leave this row out, for instance one that is to be run anew.",
)
def merge(sources: tuple[Path, ...], output: Path, without: tuple[str, ...]) -> None:
    """Make one store of several stores and exports, for instance from several machines.

    A FILE is a store, or JSON lines of `graphrings export`, compressed or not. Cells that several
    files hold must be the same in all, but for times and versions; if some are not, they are named
    and nothing is written. `graphrings run` goes on from the new store.
    """
    from graphrings.results.merge import merge as merge_files
    from graphrings.results.store import Store

    with waiting(f"merging {len(sources):,} files"):
        merge_files(sources, output, without)
    with Store.read(output) as store:
        for name in store.experiments():
            n_failed = len(store.failures(name))
            failed = f", {n_failed:,} have failed" if n_failed else ""
            say(f"{output}: {len(store.finished(name)):,} cells of {name} are finished{failed}")
