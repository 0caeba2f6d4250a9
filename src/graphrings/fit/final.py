"""The model that a fit hands over: the winner, fitted once more on all graphs."""

from __future__ import annotations

import warnings
from typing import Any

from graphrings.errors import InterruptedWarning
from graphrings.fit.judgement import Winner
from graphrings.fit.plan import Plan
from graphrings.graphs.targets import own_targets
from graphrings.methods import find
from graphrings.protocol.refit import of_estimator
from graphrings.protocol.seeds import seed


def refit(plan: Plan, winner: Winner) -> Any:
    """Fit the winner on all graphs.

    A network holds out a part of them to know when to stop. Probabilities are calibrated where the
    method can do so. Ctrl-C, after which a network would keep what it has, ends the fit.
    """
    method = find(winner.method)
    settings = of_estimator(winner.setting)
    if "calibrate" in method.parameters(plan.task):
        settings["calibrate"] = True
    own_seed = seed(plan.seed, plan.dataset.name, winner.method, "all graphs", dict(winner.setting))
    model: Any = method.build(settings, own_seed, plan.task)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InterruptedWarning)
        model.fit(plan.dataset, own_targets(plan.dataset))
    history = getattr(model, "history_", None)
    if history is not None and history.interrupted:
        raise KeyboardInterrupt
    return model


def holds_out(model: Any) -> bool:
    """Whether a part of the graphs was held out to know when to stop."""
    return getattr(model, "history_", None) is not None
