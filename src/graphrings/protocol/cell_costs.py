"""What a cell costs: a fit for every setting, and what those fits share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import fmean
from typing import Any

from graphrings.methods import METHODS, find
from graphrings.protocol.experiment import grid_points
from graphrings.protocol.halving import first_epochs
from graphrings.protocol.nested import planned_rounds
from graphrings.protocol.reference_costs import Reference, Size, best_epoch_at, reference_at
from graphrings.protocol.refit import PROCEDURE, is_refitted
from graphrings.protocol.trial_costs import Cost, epochs_of
from graphrings.results.record import REFIT, MethodCard
from graphrings.tasks import Task

COMMITTEE = "committee"
EPOCHS = ("max_epochs", "patience")  # are counted
COSTS_NOTHING = ("C", "learning_rate", "dropout", "weight_decay", "random_state")
REFERENCE_FOLDS = 10


@dataclass(frozen=True)
class CellCost:
    """Seconds of a cell, at least, likely and at most, and those that all cells share."""

    fastest: float
    likely: float
    slowest: float
    shared: float


def cell_cost(
    card: MethodCard, cost: Cost, n_made: int, home: Path | None, task: Task, size: Size
) -> CellCost:
    """The cost of a cell, if a fit costs so much and so many settings share nothing."""
    method, best = find(card.method, home), best_epoch_at(card.method, size)
    epochs = []
    for point in grid_points(card):
        fewest, most = epochs_of(method, point, task) or (0, 0)
        epochs.append((fewest, min(most, fewest - 1 + best), most))
    n_whole = n_fits(card, home, task)
    fastest, likely, slowest = (
        n_whole * (cost.start + fmean(column) * cost.epoch) + n_made * cost.per_fold
        for column in zip(*epochs, strict=True)
    )
    return CellCost(fastest, likely, slowest, n_made * cost.once)


def reference_cell(card: MethodCard, size: Size, task: Task, n_folds: int) -> CellCost | None:
    """The cost of a cell as far as references tell it; None where they do not."""
    if card.method == COMMITTEE:
        costs = [reference_cell(one, size, task, n_folds) for one in member_cards(card)]
        known = [cost for cost in costs if cost is not None]
        return total(known) if known and len(known) == len(costs) else None
    reference = reference_at(card.method, size)
    if reference is None or not is_of_reference(card):
        return None
    cost = reference_fit(reference, n_folds)
    return cell_cost(card, cost, n_different(card, reference.own_settings), None, task, size)


def reference_fit(reference: Reference, n_folds: int) -> Cost:
    """What a fit costs if there are so many folds; the references have ten."""
    share = training_share(n_folds) / training_share(REFERENCE_FOLDS)
    fits = share ** METHODS[reference.method].growth
    whole = reference.cost
    return Cost(whole.start * fits, whole.epoch * fits, whole.once, whole.per_fold)


def is_of_reference(card: MethodCard) -> bool:
    """Whether all settings that matter are among those that the references were measured with."""
    method = METHODS[card.method]
    free = (*EPOCHS, *COSTS_NOTHING, *PROCEDURE)
    return all(
        key in free or value in method.grid.get(key, ()) or value == method.settings.get(key)
        for point in grid_points(card)
        for key, value in point.items()
    )


def member_cards(card: MethodCard) -> Iterable[MethodCard]:
    """The members of a committee as rows of their own; those of one setting have a known name."""
    again = {REFIT: True} if is_refitted(card.settings) else {}
    members = [m for point in grid_points(card) for m in point.get("members", default_members())]
    for member in members:
        table: Mapping[str, Any] = {"method": member} if isinstance(member, str) else member
        name = table.get("method", "")
        fixed = table.get("settings", {})
        default = METHODS[name].grid if name in METHODS else {}
        grid = {k: v for k, v in table.get("grid", default).items() if k not in fixed}
        yield MethodCard(name, name, {**fixed, **again}, grid)


def default_members() -> Iterable[Any]:
    """Who sits in a committee of which nothing is said."""
    members: Iterable[Any] = METHODS[COMMITTEE].settings["members"]
    return members


def total(costs: Iterable[CellCost]) -> CellCost:
    """All of them, one after another."""
    listed = list(costs)
    return CellCost(
        sum(cost.fastest for cost in listed),
        sum(cost.likely for cost in listed),
        sum(cost.slowest for cost in listed),
        sum(cost.shared for cost in listed),
    )


def n_different(card: MethodCard, own_settings: Iterable[str]) -> int:
    """How many points of a grid need something of their own that others do not share."""
    return prod(len(card.grid[name]) for name in own_settings if name in card.grid)


def n_fits(card: MethodCard, home: Path | None, task: Task) -> float:
    """How many whole fits a cell costs; those of successive halving are shorter."""
    points = grid_points(card)
    if first_epochs(card.settings) is None:
        return len(points) + is_refitted(points[0])
    plan = planned_rounds(card, home, task)
    return sum(n * epochs for n, epochs in plan) / plan[-1][1]


def training_share(n_folds: int) -> float:
    """The part of a dataset that is not tested."""
    return (n_folds - 1) / n_folds
