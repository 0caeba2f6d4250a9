"""graphrings status."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphrings.cli import options
from graphrings.cli.output import Column, say, say_json, show
from graphrings.durations import duration
from graphrings.printable import one_line

if TYPE_CHECKING:
    from graphrings.results.progress import Progress, TimeLeft
    from graphrings.results.record import Failure

COLUMNS = (
    Column("dataset", "Dataset", left=True),
    Column("method", "Method", left=True),
    Column("finished", "Done", ","),
    Column("total", "Of", ","),
    Column("running", "Now", ","),
    Column("failed", "Failed", ","),
    Column("seconds_per_cell", "Seconds\nper cell", ",.1f"),
    Column("left", "Time left"),
)
UNKNOWN = "?"


@click.command()
@click.argument("experiments", nargs=-1, metavar="[EXPERIMENT]...")
@options.store
@options.style
def status(experiments: tuple[str, ...], store: Path, style: str) -> None:
    """Show how far EXPERIMENT is: finished, running and failed cells, and the time left.

    EXPERIMENT is one of the store, or a file of it, such as table2, or several, for the rows and
    datasets that they name. It may be left out where the store holds only one. The time left is
    reckoned from the mean time of the finished cells of the same dataset and method and from the
    cells that are running now; cells that failed are not waited for.
    """
    from graphrings.report.named import named_card
    from graphrings.results.progress import progress
    from graphrings.results.store import Store

    with Store.read(store) as opened:
        card = named_card(opened, experiments)
        groups, left = progress(opened, card)
        failures = opened.failures(card.name, part=card)
    if style == "json":
        say_json(_whole(card.name, groups, left, failures))
    elif style == "csv" and groups:
        show([asdict(group) for group in groups], COLUMNS, style)
    elif style != "csv":
        show(list(map(_row, groups)), COLUMNS, style, f"Cells of {one_line(card.name)}")
        for line in (*map(_failed, failures), _totals(groups, left)):
            say(line)


def _whole(
    name: str, groups: list[Progress], left: TimeLeft, failures: list[Failure]
) -> dict[str, Any]:
    from graphrings.results.json_lines import cell_fields
    from graphrings.results.progress import total

    return {
        "experiment": name,
        "groups": [asdict(group) for group in groups],
        "failures": [
            cell_fields(failure.cell) | {"error": failure.error, "finished": failure.finished}
            for failure in failures
        ],
        "total": asdict(total(groups, left)) | {"is_lower_bound": left.is_bound},
    }


def _row(group: Progress) -> dict[str, Any]:
    names = {"dataset": one_line(group.dataset), "method": one_line(group.method)}
    return asdict(group) | names | {"left": _time(group.seconds_left)}


def _failed(failure: Failure) -> str:
    return one_line(f"failed: {failure.cell}: {failure.error}")


def _totals(groups: list[Progress], left: TimeLeft) -> str:
    from graphrings.results.progress import total

    summary = total(groups, left)
    return (
        f"{summary.finished:,} of {summary.total:,} cells are finished, "
        f"{summary.running:,} are running, {summary.failed:,} have failed; {left}"
    )


def _time(seconds: float | None) -> str:
    return UNKNOWN if seconds is None else duration(seconds)
