"""From rows that come in to rows that go out, some at a time."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from graphrings.errors import DatasetError, DatasetNote
from graphrings.prediction.columns import Column, added_columns, cells_of, free_ending
from graphrings.prediction.inputs import Input
from graphrings.prediction.replies import Ask, answered
from graphrings.prediction.tally import Tally
from graphrings.prediction.writers import Style, opened_for_cells
from graphrings.spreadsheets import Cells


class Output(NamedTuple):
    """Where predictions go, how they are written, and whether with probabilities."""

    path: str
    style: Style
    proba: bool
    cells: Cells = Cells()


def predict_rows(
    model: Any,
    path: Path,
    inputs: Sequence[Input],
    output: Output,
    n_jobs: int = 1,
    moved: Callable[[int], None] = lambda _: None,
    cluster: str | None = None,
) -> list[Tally]:
    """Write every row of the inputs with what the model, read from ``path``, says of it.

    ``moved`` is told of the number of rows that were written. ``cluster`` is a Dask scheduler to
    ask instead of processes here. What came of every input is returned.
    """
    kept = _same_columns(inputs)
    added = added_columns(model, output.proba)
    columns = [*kept, *_renamed(added, kept, inputs[0].place)]
    tallies = [Tally(model) for _ in inputs]
    with (
        asked(model, path, n_jobs, cluster) as ask,
        opened_for_cells(output.path, output.style, columns, output.cells) as write,
    ):
        for given, tally in zip(inputs, tallies, strict=True):
            for chunk, replies in ask(given.chunks):
                news = [cells_of(said, added) for said in replies]
                write([cells + new for cells, new in zip(chunk.cells, news, strict=True)])
                tally.add(replies, chunk.truth)
                moved(len(replies))
    return tallies


@contextmanager
def asked(model: Any, path: Path, n_jobs: int, cluster: str | None) -> Iterator[Ask]:
    """Who answers: this process and others beside it, or the workers of a cluster."""
    if cluster is None:
        yield lambda chunks: answered(model, path, chunks, n_jobs)
        return
    from graphrings.prediction.on_cluster import on_cluster

    with on_cluster(path, cluster, n_jobs) as ask:
        yield ask


def _same_columns(inputs: Sequence[Input]) -> tuple[Column, ...]:
    first = inputs[0]
    for other in inputs[1:]:
        if other.columns != first.columns:
            raise DatasetError(
                f"{other.place}: other columns than {first.place}; predict them one by one"
            )
    return first.columns


def _renamed(added: tuple[Column, ...], kept: tuple[Column, ...], place: str) -> tuple[Column, ...]:
    """The new columns under names that no column of the user's has."""
    ending = free_ending(added, kept)
    if ending:
        warnings.warn(
            f"{place}: has columns called like new ones, which therefore end in {ending}",
            DatasetNote,
            stacklevel=3,
        )
    return tuple(Column(name + ending, kind) for name, kind in added)
