"""The page of an experiment, or one of its pictures alone, written to a file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from graphrings.errors import SettingError
from graphrings.graphs.dataset import Dataset
from graphrings.report.drawings import at_hand
from graphrings.report.named import Named, named_results
from graphrings.report.page import page
from graphrings.report.plots.alone import PICTURES
from graphrings.report.tables import compare
from graphrings.results.results import Results
from graphrings.whole_files import whole_file

PICTURE = ".svg"


def report(
    results: Results | str | Path,
    path: str | Path = "report.html",
    experiment: Named = None,
    *,
    score: str | None = None,
    against: str | None = None,
    datasets: Iterable[Dataset] = (),
    picture: str = "opening",
) -> Path:
    """Write the results as one page of HTML: tables, tests and pictures; returns its path.

    Args:
        results: what ``gr.run`` returns, or the path of a store.
        path: the page to write; a name that ends in ``.svg`` gets a picture alone.
        experiment: which one of the store, if it holds several; or a file of it, such as
            ``table2``, or several, for the rows and datasets that they name.
        score: the score to open with; by default the main one of the task.
        against: the method that all others are held against.
        datasets: graphs to draw from; those of the catalogue are found by themselves.
        picture: which picture an ``.svg`` gets: ``opening``, all methods on all datasets, or
            ``radius``, the score by radius.

    """
    if not isinstance(results, Results):
        results = named_results(results, experiment, against)
    elif experiment is not None:
        raise SettingError(f"experiment = {experiment!r} is for a store; these are results of one")
    if picture not in PICTURES:
        raise SettingError(f"picture = {picture!r}; expected {' or '.join(PICTURES)}")
    if Path(path).suffix == PICTURE:
        comparison = compare(results.card, results.records, results.failures, score)
        text = PICTURES[picture](comparison, results.records)
    else:
        text = _page(results, score, against, datasets)
    with whole_file(Path(path)) as place:
        place.write_text(text, encoding="utf-8")
    return Path(path)


def _page(
    results: Results, score: str | None, against: str | None, datasets: Iterable[Dataset]
) -> str:
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
