"""The page of a fit: verdict, data, scores and the model, and then what every report has."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphrings.fit.judgement import PROCEDURE, Judgement, estimate
from graphrings.fit.sheets import all_scores_sheet, score_sheet
from graphrings.fit.verdict import guessing, procedure_words
from graphrings.fit.words import counted
from graphrings.graphs.chemistry import Chemistry
from graphrings.report.drawings import at_hand
from graphrings.report.page import page
from graphrings.report.plots.intervals import Bar, intervals
from graphrings.report.plots.rows import Chart, Upright
from graphrings.report.story import Part, Story
from graphrings.report.words import plain, setting_value

if TYPE_CHECKING:
    from graphrings.fit.result import FitResult


def story_page(result: FitResult, command: Sequence[str] = ()) -> str:
    """One page of HTML that needs no network."""
    judgement = result.judgement
    records = [record for _, record in sorted(judgement.records.items())]
    baseline = judgement.plan.task.baseline
    reference = baseline if judgement.has_baseline else None
    return page(
        judgement.card,
        records,
        reference=reference,
        score=judgement.plan.score.name,
        story=_story(result, command),
        find=at_hand([judgement.plan.dataset]),
        curves=judgement.curves,
    )


def _story(result: FitResult, command: Sequence[str]) -> Story:
    judgement = result.judgement
    return Story(
        f"A model for {judgement.plan.dataset.name}",
        result.sentences,
        (
            Part(
                "found", "What the data are", (*result.findings.sentences, *judgement.plan.reasons)
            ),
            Part(
                "scores",
                "How good it is",
                (procedure_words(judgement),),
                sheet=score_sheet(judgement),
            ),
            Part("others", "By every other score", sheet=all_scores_sheet(judgement)),
            Part("model", "The model", facts=_facts(result)),
        ),
        shlex.join(command),
        tuple(filter(None, [_picture(judgement)])),
    )


def _picture(judgement: Judgement) -> Chart | None:
    """The mean of every row with its interval; the procedure stands out."""
    score, bars = judgement.plan.score, []
    for name, records in judgement.rows().items():
        own = estimate(records, score)
        if own is not None:
            low, high = own.interval or (None, None)
            ends = None if low is None or high is None else (score.shown(low), score.shown(high))
            bars.append(Bar(name, score.shown(own.mean), ends, name == PROCEDURE))
    guess = guessing(judgement.plan)
    lines = []
    if score == judgement.plan.task.main_score:
        bound = score.shown(judgement.card.datasets[0].ceiling)
        lines.append(Upright(bound, f"bound {plain(score, bound)}", "ceiling"))
    if guess:
        value = score.shown(guess[1])
        lines.append(Upright(value, f"without a model {plain(score, value)}", "majority"))
    return intervals(bars, score, lines)


def _facts(result: FitResult) -> tuple[tuple[str, str], ...]:
    """The card, as far as a reader wants it in a table."""
    card, plan = result.card, result.judgement.plan
    chosen = "; ".join(f"{name}: {setting_value(v)}" for name, v in card["chosen"].items())
    pairs = (
        ("Method", card["method"]),
        ("Settings", chosen),
        ("Fitted on", f"{counted(len(plan.dataset), plan.dataset)} of {plan.dataset.name}"),
        ("Fingerprint of the data", plan.dataset.fingerprint),
        ("Molecules were read with", _choices(plan.dataset.chemistry)),
        ("Date (UTC)", card["date"]),
    )
    return tuple((name, str(value)) for name, value in pairs if value)


def _choices(chemistry: Chemistry | None) -> str:
    if chemistry is None:
        return ""
    return "; ".join(f"{name}: {setting_value(value)}" for name, value in vars(chemistry).items())
