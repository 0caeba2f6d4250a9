"""What things are called in the sentences of a fit."""

from __future__ import annotations

from graphrings.fit.plan import DRAWN, RANDOM, Plan
from graphrings.graphs.dataset import Dataset
from graphrings.report.words import amount, setting_value
from graphrings.results.record import Setting
from graphrings.tasks.scores import Score


def things(dataset: Dataset) -> str:
    """What the graphs are."""
    return "molecules" if dataset.smiles else "graphs"


def counted(n: int, dataset: Dataset) -> str:
    """A number of graphs."""
    noun = things(dataset)
    return f"{n:,} {noun.removesuffix('s') if n == 1 else noun}"


def percent(share: float) -> str:
    """A share in percent; those near nothing and near all keep a digit more."""
    if share < 0.1:
        return f"{100 * share:.2g} %"
    return f"{100 * share:.1f} %" if 0.99 < share < 1 else f"{100 * share:.0f} %"


def written(score: Score, value: float) -> str:
    """A value of a score as people read it."""
    return amount(score, score.shown(value))


def with_interval(score: Score, mean: float, interval: tuple[float, float] | None) -> str:
    """A mean and its 95 % interval."""
    if interval is None:
        return written(score, mean)
    low, high = (written(score, end).removesuffix(" %") for end in interval)
    return f"{written(score, mean)} (95 % interval {low} to {high})"


def baseline_words(plan: Plan) -> str:
    """What the baseline does."""
    if plan.dataset.smiles:
        return "Counting atoms"
    return "Counting node labels" if plan.dataset.n_labels else "Counting degrees"


def fold_words(plan: Plan) -> str:
    """What kind of folds there are."""
    if plan.own_folds is not None:
        return "given"
    return RANDOM if plan.folds == DRAWN else plan.folds


def settings_words(setting: Setting) -> str:
    """Settings in a bracket."""
    return ", ".join(f"{name} {setting_value(value)}" for name, value in setting.items())
