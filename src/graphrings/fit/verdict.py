"""The verdict: what to expect of the model, in a few sentences."""

from __future__ import annotations

import numpy as np

from graphrings.durations import duration
from graphrings.fit.findings import LEAK, Findings
from graphrings.fit.judgement import Judgement, Winner, is_more_than_noise
from graphrings.fit.plan import DRAWN, Plan
from graphrings.fit.words import (
    baseline_words,
    counted,
    fold_words,
    percent,
    settings_words,
    things,
    with_interval,
    written,
)
from graphrings.report.words import and_list, gap, p_value
from graphrings.tasks import CLASSIFICATION

NOTHING_LEFT = (
    "The score is that of the whole procedure, choice included, on graphs that it had not seen; no "
    "graphs are left to score the final model itself."
)


def verdict(
    judgement: Judgement, findings: Findings, winner: Winner, held_out: bool = False
) -> tuple[str, ...]:
    """Score, gain over the baseline, the model, and what to be careful about."""
    return tuple(
        filter(
            None,
            [
                _score(judgement),
                _gain(judgement),
                _model(judgement, winner, held_out),
                _caution(judgement, findings),
            ],
        )
    )


def _score(judgement: Judgement) -> str:
    score, own = judgement.plan.score, judgement.estimate()
    if own is None:
        return f"{capital(score.title)} is not defined in any test fold."
    guess = guessing(judgement.plan)
    yardstick = "" if guess is None else f"; {guess[0]} gives {written(score, guess[1])}"
    lower = " (lower is better)" if score.lower_is_better else ""
    return (
        f"Expect {score.title} {with_interval(score, own.mean, own.interval)} on new "
        f"{things(judgement.plan.dataset)} like these{lower}{yardstick}."
    )


def guessing(plan: Plan) -> tuple[str, float] | None:
    """What is reached without looking at a graph, where that is known for the score."""
    numbers, name = plan.task.numbers(plan.dataset), plan.score.name
    if plan.task is not CLASSIFICATION:
        if name == "rmse":
            return "naming the mean every time", float(np.std(numbers))
        return None
    shares = np.bincount(numbers) / len(numbers)
    known = {
        "accuracy": ("naming the commonest class every time", float(shares.max())),
        "balanced_accuracy": ("guessing", 1 / max(1, int((shares > 0).sum()))),
        "auroc": ("guessing", 0.5),
        "average_precision": ("guessing", float(shares[-1])),
    }
    return known.get(name)


def _gain(judgement: Judgement) -> str:
    test, plan = judgement.gain(), judgement.plan
    baseline = judgement.of(plan.task.baseline) if test is not None else None
    if test is None or baseline is None or test.difference is None:
        return ""
    better = plan.score.better(test.difference, 0.0)
    reached = with_interval(plan.score, baseline.mean, baseline.interval)
    head = f"{baseline_words(plan)} alone, without any structure, reaches {reached}"
    if not test.difference:
        return f"{head}: exactly as much. These data do not show that structure helps."
    by = gap(plan.score, test.difference)
    if test.p is None:
        return f"{head}; whether the difference of {by} is more than noise cannot be told yet."
    p = f"p {p_value(test.p)}"
    if not is_more_than_noise(test):
        return (
            f"{head}; the {'gain' if better else 'loss'} of {by} is within the noise of folds and "
            f"seeds ({p}): these data do not show that structure helps."
        )
    if better:
        return f"{head}; the gain of {by} is more than noise ({p})."
    return f"{head}; the procedure is worse by {by}, which is more than noise ({p})."


def _model(judgement: Judgement, winner: Winner, held_out: bool) -> str:
    plan = judgement.plan
    card = next(one.card(plan.task) for one in plan.candidates if one.method == winner.method)
    tried = {name: value for name, value in winner.setting.items() if name in card.grid}
    settings = f" ({settings_words(tried)})" if tried else ""
    how = "the only method that is left" if plan.contenders[1:] else "asked for"
    how = "chosen" if len(judgement.contenders) > 1 else how
    fitted = f"fitted on all {counted(len(plan.dataset), plan.dataset)}"
    if held_out:
        fitted += ", of which a part was held out to know when to stop"
    return f"The model is {winner.method}{settings}, {how}, {fitted}. {NOTHING_LEFT}"


def _caution(judgement: Judgement, findings: Findings) -> str:
    """What makes the score less certain than it looks."""
    plan, share = judgement.plan, findings.audit.twin_share or 0.0
    words = []
    if judgement.is_stopped:
        words.append(
            f"Stopped after {judgement.n_complete} of {plan.n_cells} folds: the time was over. The "
            "same command with a longer budget goes on."
        )
    for why in dict.fromkeys(judgement.left_out.values()):
        methods = [name for name, reason in judgement.left_out.items() if reason == why]
        words.append(f"Left out: {and_list(methods)}, because {why}.")
    if share >= LEAK:
        advice = " (grouped folds tell by how much)" if plan.folds == DRAWN else ""
        words.append(
            f"{percent(share)} of the test {things(plan.dataset)} had a twin in training: on "
            f"really new ones the score will be lower{advice}."
        )
    return " ".join(words)


def capital(text: str) -> str:
    """A sentence begins with a capital."""
    return text[:1].upper() + text[1:]


def procedure_words(judgement: Judgement) -> str:
    """What the procedure was, in one sentence."""
    plan = judgement.plan
    kind = "random, stratified" if plan.folds == DRAWN else fold_words(plan)
    times = f", repeated {plan.repetitions} times" if plan.repetitions > 1 else ""
    seconds = sum(record.seconds for record in judgement.records.values())
    among = and_list(judgement.contenders)
    return (
        f"Nested cross-validation with {plan.n_folds} {kind} folds{times}: in every fold the best "
        f"of {among} on the validation fold was tested once ({duration(seconds)} of computing)."
    )
