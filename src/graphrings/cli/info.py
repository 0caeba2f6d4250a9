"""graphrings info."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli import options
from graphrings.cli.output import Column, show

if TYPE_CHECKING:
    from graphrings.graphs.dataset import Dataset

CLASSES = (Column("classes", "Classes"), Column("class_sizes", "Balance %"))
VALUES = (Column("targets", "Targets"),)


@click.command()
@options.names
@options.root
@options.reading
@options.style
def info(names: tuple[str, ...], root: Path | None, reading: dict[str, Any], style: str) -> None:
    """Show sizes, targets and labels of datasets: the rows of the paper's Table I."""
    from graphrings.graphs.load import load

    rows = [_row(load(name, root, **reading)) for name in names]
    with_values = [row["target_min"] is not None for row in rows]
    columns = (
        Column("name", "Dataset", left=True),
        Column("graphs", "Graphs", ","),
        Column("nodes_max", "Nodes\nmax", ","),
        Column("nodes_avg", "Nodes\navg", ",.2f"),
        Column("edges_avg", "Edges\navg", ",.2f"),
        *(() if all(with_values) else CLASSES),
        *(VALUES if any(with_values) else ()),
        Column("labels", "Labels"),
        Column("isolated_nodes", "Isolated\nnodes", ","),
    )
    show(rows, columns, style)


def _row(dataset: "Dataset") -> dict[str, Any]:
    """The statistics of a dataset, and its targets in a few words."""
    from graphrings.graphs.statistics import statistics
    from graphrings.tasks import task_of

    targets = None if dataset.targets is None else task_of(dataset).described(dataset)
    return {**asdict(statistics(dataset)), "targets": targets}
