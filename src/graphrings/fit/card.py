"""The card inside the model file: what it was made from, and how good it can be expected to be."""

from __future__ import annotations

from typing import Any

from graphrings.fit.findings import Findings
from graphrings.fit.judgement import Estimate, Judgement, Winner, complete_estimate
from graphrings.fit.verdict import NOTHING_LEFT
from graphrings.learning.card import default_card, plain_card
from graphrings.learning.estimator import GraphEstimator
from graphrings.protocol.jobs import now
from graphrings.protocol.refit import of_estimator
from graphrings.tasks.scores import SCORES, scores_of_task

CONFIDENCE = 0.95


def model_card(
    model: Any,
    judgement: Judgement,
    findings: Findings,
    winner: Winner,
    verdict: tuple[str, ...],
) -> dict[str, Any]:
    """Everything that a user of the model should know, as plain data.

    What the model says of itself, its data, settings, chemistry and versions, is a part of it.
    """
    own = default_card(model) if isinstance(model, GraphEstimator) else {}
    return {
        **own,
        "made_by": "graphrings fit",
        "date": now(),
        "method": winner.method,
        "chosen": plain_card(of_estimator(winner.setting)),
        "audit": _audit(judgement, findings),
        "estimate": _estimate(judgement),
        "verdict": list(verdict),
        "note": NOTHING_LEFT,
    }


def _audit(judgement: Judgement, findings: Findings) -> dict[str, Any]:
    audit = findings.audit
    return {
        "targets": judgement.plan.task.described(judgement.plan.dataset),
        "n_distinct": audit.n_distinct,
        "n_with_twin": audit.n_with_twin,
        "n_conflicting": audit.n_conflicting,
        "ceiling": audit.ceiling,
        "twin_share": audit.twin_share,
        "findings": list(findings.sentences),
    }


def _estimate(judgement: Judgement) -> dict[str, Any]:
    plan, gain = judgement.plan, judgement.gain()
    return {
        "what": "the procedure: the best method and setting on the validation fold, tested once",
        "score": plan.score.name,
        "title": plan.score.title,
        "confidence": CONFIDENCE,
        **_numbers(judgement.estimate()),
        "folds": plan.folds,
        "n_folds": plan.n_folds,
        "repetitions": plan.repetitions,
        "folds_done": judgement.n_complete,
        "seed": plan.seed,
        "chosen_by": list(plan.chosen_by),
        "baseline": _numbers(judgement.of(plan.task.baseline)) if judgement.has_baseline else None,
        "gain": None
        if gain is None or gain.difference is None
        else {"mean": gain.difference / plan.score.shown(1.0), "p": gain.p},
        "scores": {
            name: _numbers(value)
            for name in scores_of_task(plan.task.name)
            if (value := complete_estimate(judgement.procedure, SCORES[name])) is not None
        },
        "methods": {
            name: {**_numbers(judgement.of(name)), "chosen": judgement.times_chosen(name)}
            for name in judgement.methods
        },
        "left_out": dict(judgement.left_out),
    }


def _numbers(estimate: Estimate | None) -> dict[str, Any]:
    if estimate is None:
        return {"mean": None, "interval": None}
    return {"mean": estimate.mean, "interval": estimate.interval and list(estimate.interval)}
