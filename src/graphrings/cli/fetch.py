"""graphrings fetch."""

from pathlib import Path

import click

from graphrings.cli import options
from graphrings.cli.output import Column, say, show

COLUMNS = (
    Column("name", "Dataset", left=True),
    Column("graphs", "Graphs", ","),
    Column("title", "What", left=True),
    Column("where", "Where", left=True),
)


@click.command()
@click.argument("names", nargs=-1, metavar="[DATASET...]")
@click.option("--force", is_flag=True, help="Download again what is there already.")
@options.root
@options.style
def fetch(names: tuple[str, ...], force: bool, root: Path | None, style: str) -> None:
    """Download datasets into the cache; without names, list the catalogue.

    Downloads come from the TU collection, or from the server that $GRAPHRINGS_MIRROR names, are
    checked, and are kept in $GRAPHRINGS_CACHE or the system's folder for caches.
    """
    from graphrings.graphs.catalogue import CATALOGUE, TU, lookup
    from graphrings.graphs.fetch import cached
    from graphrings.graphs.load import download, locate

    if not names:
        rows = [
            {
                "name": entry.name,
                "graphs": entry.counts.get("graphs"),
                "title": entry.title,
                "citation": entry.citation,
                "where": str(
                    locate(entry, root) or ("to download" if TU in entry.sources else "not found")
                ),
            }
            for entry in CATALOGUE
        ]
        show(rows, COLUMNS, style)
        return
    for entry in map(lookup, names):
        path = None if force else locate(entry, root)
        if path is None:
            download(entry, root)
            path = cached(entry)
        say(f"{entry.name}: {path}")
