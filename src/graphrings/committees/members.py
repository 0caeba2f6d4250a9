"""Members of a committee, as plain data: what to build, and which settings to choose from.

A member is the name of a method, or a table as in an experiment file: ``method``, and perhaps
``settings`` and ``grid``. An estimator is taken for the table that describes it: ``estimator``,
the name of its class, and ``settings``; it has nothing to choose.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from numpy.typing import NDArray

from graphrings.errors import ExperimentError, SettingError
from graphrings.graphs.selection import Selection
from graphrings.learning.estimator import GraphEstimator
from graphrings.learning.models import KINDS
from graphrings.methods import METHODS
from graphrings.settings import Setting
from graphrings.spelling import suggestion
from graphrings.tasks import Task
from graphrings.tasks.scores import are_better, score_predictions

COMMITTEE = "committee"
METHOD, ESTIMATOR, SETTINGS, GRID = "method", "estimator", "settings", "grid"
FORMS = ({METHOD, SETTINGS, GRID}, {ESTIMATOR, SETTINGS})


@dataclass(frozen=True)
class Examples:
    """Graphs with their targets as numbers: those of classes, or values."""

    graphs: Selection
    targets: NDArray[Any]
    n_classes: int  # 0 where targets are values


def as_data(member: Any) -> Any:
    """A member without objects."""
    if isinstance(member, GraphEstimator):
        return {ESTIMATOR: type(member).__name__, SETTINGS: member._given()}
    return member


def is_member(member: Any) -> bool:
    """Whether a value has the form of a member."""
    if isinstance(member, str):
        return True
    keys = set(member)
    return bool(keys & {METHOD, ESTIMATOR}) and any(keys <= form for form in FORMS)


MEMBERS = Setting(
    "who sits in it: names of methods, tables with method, settings and grid, or estimators",
    "a list of one or more methods",
    lambda v: not isinstance(v, str | Mapping) and len(v) > 0 and all(map(is_member, v)),
    ("ring-forest", "wl-oa"),
)


def check_member(member: Any, task: Task) -> None:
    """Refuse what does not exist, settings that it does not have, and the wrong task."""
    try:
        for estimator in candidates(member, task, 0):
            estimator.check()
    except (ExperimentError, SettingError) as error:
        raise SettingError(f"members: {error}") from error
    except (TypeError, AttributeError, ValueError) as error:
        raise SettingError(
            f"members: {member!r}; expected a name, or a table with method, settings and grid"
        ) from error


def candidates(member: Any, task: Task, seed: int) -> list[GraphEstimator]:
    """A fresh estimator for every setting that a member may choose; fixed ones leave the grid."""
    table: Mapping[str, Any] = {METHOD: member} if isinstance(member, str) else member
    fixed = dict(table.get(SETTINGS, {}))
    if ESTIMATOR in table:
        kind = KINDS.get(table[ESTIMATOR])
        if kind is None or kind.task is not task:
            raise SettingError(f"{table[ESTIMATOR]} is no estimator for {task.name}")
        return [kind(**{"random_state": seed, **fixed})]
    name = table[METHOD]
    if name not in METHODS or name == COMMITTEE:
        known = [known for known in METHODS if known != COMMITTEE]
        near = suggestion(str(name), known) or f"; expected one of {', '.join(known)}"
        raise SettingError(f"no method {name!r} to sit in a committee{near}")
    method = METHODS[name]
    grid = {k: v for k, v in table.get(GRID, method.grid).items() if k not in fixed}
    points = [dict(zip(grid, point, strict=True)) for point in product(*grid.values())]
    return [method.build({**fixed, **point}, seed, task) for point in points]


def choose(
    member: Any, task: Task, seed: int, training: Examples, validation: Examples, weights: Any
) -> GraphEstimator:
    """The fitted estimator of a member that is best on the validation graphs."""
    estimators = candidates(member, task, seed)
    best = estimators[0]
    if len(estimators) > 1:
        best_scores: Mapping[str, float] = {}
        for estimator in estimators:
            scores = scores_of(fitted(estimator, training, validation, weights), validation, task)
            if not best_scores or are_better(scores, best_scores, task.chosen_by):
                best, best_scores = estimator, scores
    if len(estimators) == 1 or not can_say_how_sure(best):
        best = fitted(made_sure(best), training, validation, weights)
    return best


def can_say_how_sure(estimator: GraphEstimator) -> bool:
    """Whether it predicts probabilities as it is, or values, which need none."""
    return "probability" not in estimator.described_settings() or bool(estimator.probability)


def made_sure(estimator: GraphEstimator) -> GraphEstimator:
    """The same with probabilities, where it must be told to learn them."""
    if not can_say_how_sure(estimator):
        estimator.set_params(probability=True)
    return estimator


def fitted(
    estimator: GraphEstimator, training: Examples, validation: Examples, weights: Any
) -> GraphEstimator:
    """The estimator, fitted on the training graphs; the others are there to stop by."""
    held_out = validation.graphs, validation.targets
    return estimator.fit(training.graphs, training.targets, weights, validation=held_out)


def scores_of(estimator: GraphEstimator, examples: Examples, task: Task) -> Mapping[str, float]:
    """The scores that choose among settings."""
    selection = examples.graphs
    predictions = task.predictions(
        estimator, selection, selection.graphs, examples.targets, examples.n_classes
    )
    return score_predictions(predictions, task.name, task.chosen_by)
