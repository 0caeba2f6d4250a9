"""graphrings audit."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import click

from graphrings.cli import options
from graphrings.cli.drawing import check_picture, draw_rows
from graphrings.cli.output import Column, show
from graphrings.cli.waiting import waiting

COLUMNS = (
    Column("name", "Dataset", left=True),
    Column("n_graphs", "Graphs", ","),
    Column("n_distinct", "Distinct", ","),
    Column("n_with_twin", "With\na twin", ","),
    Column("n_conflicting", "Conflicts", ","),
    Column("ceiling", "Ceiling"),
    Column("twin_share", "Twin in\ntraining", ".1%"),
    Column("n_untested", "Never\ntested", ","),
)


@click.command()
@options.names
@click.option("--radius", default=3, show_default=True, help="Rings that the colouring looks at.")
@click.option("--rounds", default=5, show_default=True, help="Rounds of refinement.")
@options.root
@options.reading
@options.style
@options.draw
def audit(
    names: tuple[str, ...],
    radius: int,
    rounds: int,
    root: Path | None,
    reading: dict[str, Any],
    style: str,
    picture: Path | None,
) -> None:
    """Find graphs that cannot be told apart, and what they do to a score.

    Twins are graphs with the same node colours, counted, after a refinement by the colours in
    every ring. Isomorphic graphs always are; the reverse is not tested. Groups of twins with
    different targets put a ceiling on every structural method: an accuracy that none can exceed,
    or an RMSE that none can undercut. With published folds: the share of test graphs that have a
    twin in training, and graphs that no fold tests. With --draw, twins of different targets go to
    a picture, side by side.
    """
    from graphrings.distances.audit import audit as run
    from graphrings.distances.audit import conflicting_twins
    from graphrings.graphs.load import load

    check_picture(picture, len(names))
    datasets = [load(name, root, **reading) for name in names]
    with waiting(f"looking for twins in {', '.join(names)}"):
        rows = [asdict(run(dataset, radius, rounds)) for dataset in datasets]
    if style in ("table", "md"):
        rows = [row | {"ceiling": _ceiling(row)} for row in rows]
    show(rows, COLUMNS, style, f"Twins by colours of radius {radius} after {rounds} rounds")
    if picture is not None:
        choose = partial(conflicting_twins, radius=radius, rounds=rounds)
        draw_rows(picture, datasets[0], choose, "twins of different targets")


def _ceiling(row: dict[str, Any]) -> str | None:
    """The best score as people read it."""
    from graphrings.tasks import TASKS

    if row["ceiling"] is None:
        return None
    score = TASKS[row["task"]].main_score
    shown = score.shown(row["ceiling"])
    return f"{shown:.1f}%" if score.percent else f"{score.title} {shown:.4g}"
