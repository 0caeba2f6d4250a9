"""The page of an experiment, or its opening picture alone, written to a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from graphrings.graphs.dataset import Dataset
from graphrings.report.drawings import at_hand
from graphrings.report.page import page
from graphrings.report.plots.alone import opening_picture
from graphrings.report.tables import compare
from graphrings.results.results import Results
from graphrings.whole_files import whole_file

PICTURE = ".svg"


def report(
    results: Results | str | Path,
    path: str | Path = "report.html",
    experiment: str | None = None,
    *,
    score: str | None = None,
    against: str | None = None,
    datasets: Iterable[Dataset] = (),
) -> Path:
    """Write the results as one page of HTML: tables, tests and pictures; returns its path.

    Args:
        results: what ``gr.run`` returns, or the path of a store.
        path: the page to write; a name that ends in ``.svg`` gets its opening picture alone.
        experiment: which one of the store, if it holds several.
        score: the score to open with; by default the main one of the task.
        against: the method that all others are held against.
        datasets: graphs to draw from; those of the catalogue are found by themselves.

    """
    if not isinstance(results, Results):
        results = Results.read(results, experiment)
    text = _text(results, Path(path), score, against, datasets)
    with whole_file(Path(path)) as place:
        place.write_text(text, encoding="utf-8")
    return Path(path)


def _text(
    results: Results,
    path: Path,
    score: str | None,
    against: str | None,
    datasets: Iterable[Dataset],
) -> str:
    if path.suffix == PICTURE:
        comparison = compare(results.card, results.records, results.failures, score)
        return opening_picture(comparison, results.records)
    find = at_hand(datasets)
    return page(
        results.card,
        results.records,
        results.failures,
        against,
        score,
        find=find,
        curves=results.curves,
    )
