"""What fits of our methods cost on some well-known datasets, and so, about, on others."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from graphrings.graphs.dataset import Dataset
from graphrings.methods import METHODS
from graphrings.protocol.trial_costs import Cost

REFERENCE = Path(__file__).parent / "reference_costs.csv"
COSTS = ("start", "epoch", "once", "per_fold")
NEAR, LEAST = 1e-6, 1e-6  # alike enough to be the same; seconds
COLUMNS = ("method", "dataset", "graphs", "nodes", "edges", *COSTS, "own_settings", "best_epoch")


@dataclass(frozen=True)
class Size:
    """How large a dataset is."""

    n_graphs: int
    n_nodes: int
    n_edges: int

    @classmethod
    def of(cls, dataset: Dataset) -> Size:
        """That of a dataset."""
        return cls(len(dataset), dataset.n_nodes, dataset.n_edges)

    def unlike(self, other: Size) -> float:
        """How much two differ in nodes, in nodes per graph and in edges per node."""
        mine, others = self._kind(), other._kind()
        return sum(abs(math.log(a / b)) for a, b in zip(mine, others, strict=True))

    def _kind(self) -> tuple[float, float, float]:
        nodes, edges = max(1, self.n_nodes), max(1, self.n_edges)
        return nodes, nodes / max(1, self.n_graphs), edges / nodes


@dataclass(frozen=True)
class Reference:
    """What a fit of a method took on nine tenths of a dataset, in the mean over its grid.

    Values of ``own_settings`` need something of their own, all others share it. ``best_epoch`` is
    the mean one of trainings there, if any were seen.
    """

    method: str
    dataset: str
    size: Size
    cost: Cost
    own_settings: tuple[str, ...]
    best_epoch: float | None = None

    def at(self, size: Size) -> Cost:
        """The cost on another dataset: it grows with the nodes, or with pairs of graphs."""
        squared = METHODS[self.method].growth - 1
        factor = size.n_nodes / self.size.n_nodes * (size.n_graphs / self.size.n_graphs) ** squared
        return Cost(*(getattr(self.cost, name) * factor for name in COSTS))


def reference_at(method: str, size: Size) -> Reference | None:
    """What a method would take on a dataset of this size; None where it was never measured.

    That is a mean over the datasets where it was, of logarithms, since small fits are mostly
    overhead and large ones are not; one that is twice as unlike counts for a quarter.
    """
    measured = [reference for reference in references() if reference.method == method]
    if not measured:
        return None
    weights = _weights(measured, size)
    costs = [one.at(size) for one in measured]
    cost = Cost(*(_mean([getattr(c, name) for c in costs], weights) for name in COSTS))
    nearest = measured[weights.index(max(weights))]
    return Reference(method, nearest.dataset, size, cost, nearest.own_settings)


def best_epoch_at(method: str, size: Size) -> float:
    """Which epoch is best, about, on a dataset of this size; that of all methods if unknown."""
    seen = [one for one in references() if one.best_epoch is not None]
    own = [one for one in seen if one.method == method] or seen
    return _mean([one.best_epoch or 0.0 for one in own], _weights(own, size))


def _weights(measured: Sequence[Reference], size: Size) -> list[float]:
    return [max(NEAR, one.size.unlike(size)) ** -2 for one in measured]


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """The geometric mean; what takes no time at all counts as a microsecond."""
    logs = [math.log(max(LEAST, value)) for value in values]
    return (
        math.exp(sum(w * log for w, log in zip(weights, logs, strict=True)) / sum(weights))
        if any(values)
        else 0.0
    )


@cache
def references() -> tuple[Reference, ...]:
    """All that was measured; made by ``python -m benchmarks.cell_costs``."""
    with REFERENCE.open(newline="", encoding="utf-8") as file:
        return tuple(
            Reference(
                row["method"],
                row["dataset"],
                Size(int(row["graphs"]), int(row["nodes"]), int(row["edges"])),
                Cost(*(float(row[name]) for name in COSTS)),
                tuple(row["own_settings"].split()),
                float(row["best_epoch"]) if row["best_epoch"] else None,
            )
            for row in csv.DictReader(file)
        )


def mean_cost(costs: Sequence[Cost]) -> Cost:
    """The mean, part by part."""
    return Cost(*(fmean(getattr(cost, name) for cost in costs) for name in COSTS))
