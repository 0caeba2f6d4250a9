"""The scores of a fit as rows of numbers, and as tables that people read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphrings.durations import duration
from graphrings.fit.judgement import PROCEDURE, Estimate, Judgement, complete_estimate, estimate
from graphrings.fit.words import written
from graphrings.report.rendering import Line, Sheet
from graphrings.report.words import explained, titled
from graphrings.results.record import Record
from graphrings.tasks.scores import SCORES, Score, scores_of_task


def score_rows(judgement: Judgement) -> list[dict[str, Any]]:
    """One row for the procedure and one per method; scores are means over test folds.

    ``mean``, ``low`` and ``high`` are those of the score that chooses.
    """
    return [_row(judgement, name, records) for name, records in judgement.rows().items()]


def _row(judgement: Judgement, name: str, records: Sequence[Record]) -> dict[str, Any]:
    own = estimate(records, judgement.plan.score)
    low, high = (own.interval if own else None) or (None, None)
    means = {s.name: complete_estimate(records, s) for s in _scores(judgement)}
    return {
        "method": name,
        "score": judgement.plan.score.name,
        "mean": own.mean if own else None,
        "low": low,
        "high": high,
        "n_folds": len(records),
        "times_chosen": None if name == PROCEDURE else judgement.times_chosen(name),
        "seconds": float(np.mean([record.seconds for record in records])),
        **{key: value.mean if value else None for key, value in means.items()},
    }


def _scores(judgement: Judgement) -> list[Score]:
    return [SCORES[name] for name in scores_of_task(judgement.plan.task.name)]


def score_sheet(judgement: Judgement) -> Sheet:
    """The score with its interval, the procedure first; how often a method was chosen."""
    score = judgement.plan.score
    several = len(judgement.contenders) > 1
    headings = ("Method", titled(score), "95 % interval", "Chosen in", "Time per fold")
    rows = tuple(
        (
            (Line(name, bold=name == PROCEDURE),),
            (Line(_mean(own := estimate(records, score), score), bold=name == PROCEDURE),),
            (Line(_interval(own, score)),),
            (Line(_chosen(judgement, name) if several else "-"),),
            (Line(_seconds(name, records)),),
        )
        for name, records in judgement.rows().items()
    )
    return Sheet(
        "fit",
        f"test {explained(score)}, over {judgement.n_complete} folds",
        headings,
        rows,
        notes=_notes(judgement),
        raw=tuple(score_rows(judgement)),
    )


def _notes(judgement: Judgement) -> tuple[str, ...]:
    notes = []
    if len(judgement.contenders) > 1:
        notes.append(
            f"{PROCEDURE}: in every fold the method that was best on the validation fold, which is "
            "what the fit does; to take the best of the rows below it would be to choose by the "
            "test folds"
        )
    if judgement.n_complete > 1:
        notes.append(
            "95 % interval: of the mean over test folds, widened for the training graphs that they "
            "share (Nadeau and Bengio)"
        )
    return tuple(notes)


def all_scores_sheet(judgement: Judgement) -> Sheet:
    """Every score of the task, a row each, means over the test folds."""
    rows = judgement.rows()
    return Sheet(
        "scores",
        f"every score, means over {judgement.n_complete} test folds",
        ("Score", *rows),
        tuple(
            (
                (Line(f"{titled(score)}{', lower is better' * score.lower_is_better}"),),
                *((Line(_mean(complete_estimate(own, score), score)),) for own in rows.values()),
            )
            for score in _scores(judgement)
        ),
    )


def _mean(own: Estimate | None, score: Score) -> str:
    return "-" if own is None else written(score, own.mean).removesuffix(" %")


def _interval(own: Estimate | None, score: Score) -> str:
    if own is None or own.interval is None:
        return "-"
    low, high = (written(score, end).removesuffix(" %") for end in own.interval)
    return f"{low} to {high}"


def _chosen(judgement: Judgement, name: str) -> str:
    if name == PROCEDURE or name not in judgement.contenders:
        return "-"
    n = judgement.times_chosen(name)
    return f"{n} fold{'s' * (n != 1)}"


def _seconds(name: str, records: Sequence[Record]) -> str:
    if name == PROCEDURE:
        return "-"
    return duration(float(np.mean([record.seconds for record in records])))
