"""The page of an experiment, written to a file."""

from __future__ import annotations

from pathlib import Path

from graphrings.report.page import Places, page
from graphrings.results.results import Results
from graphrings.whole_files import whole_file


def report(
    results: Results | str | Path,
    path: str | Path = "report.html",
    experiment: str | None = None,
    *,
    score: str | None = None,
    against: str | None = None,
) -> Path:
    """Write the results as one page of HTML: tables, tests and pictures; returns its path.

    Args:
        results: what ``gr.run`` returns, or the path of a store.
        path: the page to write.
        experiment: which one of the store, if it holds several.
        score: any score of the task; by default its main one.
        against: the method that all others are held against.

    """
    if not isinstance(results, Results):
        results = Results.read(results, experiment)
    text = page(
        results.card,
        results.records,
        results.failures,
        against,
        Places(results.store, str(path)),
        score,
    )
    with whole_file(Path(path)) as place:
        place.write_text(text, encoding="utf-8")
    return Path(path)
