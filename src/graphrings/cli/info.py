"""graphrings info."""

from dataclasses import asdict
from pathlib import Path

import click

from graphrings.cli import options
from graphrings.cli.output import Column, show

COLUMNS = (
    Column("name", "Dataset", left=True),
    Column("graphs", "Graphs", ","),
    Column("nodes_max", "Nodes\nmax", ","),
    Column("nodes_avg", "Nodes\navg", ",.2f"),
    Column("edges_avg", "Edges\navg", ",.2f"),
    Column("classes", "Classes"),
    Column("class_sizes", "Balance %"),
    Column("labels", "Labels"),
    Column("isolated_nodes", "Isolated\nnodes", ","),
)


@click.command()
@options.names
@options.root
@options.style
def info(names: tuple[str, ...], root: Path | None, style: str) -> None:
    """Show sizes, classes and labels of datasets: the rows of the paper's Table I."""
    from graphrings.graphs.load import load
    from graphrings.graphs.statistics import statistics

    rows = [asdict(statistics(load(name, root))) for name in names]
    show(rows, COLUMNS, style)
