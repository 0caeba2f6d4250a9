"""Committees: what their members say, weighted, in the unit of the committee."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphrings.committees.estimators import log_probabilities
from graphrings.explanations.parts import CONTRIBUTIONS, Parts, Reals, widened
from graphrings.graphs.dataset import Dataset

STEPS = 16  # of the integral over a link, by Gauss and Legendre
NUDGE = 1e-5  # of a score, for a derivative

Link = Callable[[Reals], Reals | None]
Member = tuple[Parts, Link | None]


def committee_score(model: Any, dataset: Dataset) -> Reals:
    """Probabilities of classes, of two that of the second; values."""
    if not hasattr(model, "classes_"):
        return np.asarray(model.predict(dataset))[:, None]
    shares: Reals = model.predict_proba(dataset)
    return shares[:, 1:] if shares.shape[1] == 2 else shares


def explain_committee(model: Any, dataset: Dataset, members: Sequence[Member]) -> Parts:
    """The weighted sum of what the members' scores are made from."""
    score = committee_score(model, dataset)
    said = [parts for parts, _ in members]
    if hasattr(model, "classes_"):
        calibrations = model.calibrations_
        listed = zip(model.members_, members, calibrations, strict=True)
        said = [
            as_probabilities(parts, Linked(member, link, calibration, len(model.classes_)), dataset)
            for member, (parts, link), calibration in listed
        ]
    return weighted(said, model.weights_, score)


@dataclass(frozen=True)
class Linked:
    """From the score of a member to the probabilities that the committee averages."""

    member: Any
    link: Link | None
    calibration: Any
    n_classes: int

    @property
    def classes_(self) -> Any:
        """Those that the member knows."""
        return self.member.classes_

    def predict_proba(self, score: Reals) -> Reals | None:
        """What the member would say."""
        return None if self.link is None else self.link(score)

    def __call__(self, score: Reals) -> Reals | None:
        """The columns that the committee explains; None where the score does not tell."""
        if self.predict_proba(score) is None:
            return None
        logs = log_probabilities(self, score, self.n_classes)
        shares = np.exp(logs) if self.calibration is None else self.calibration.probabilities(logs)
        return shares[:, 1:] if self.n_classes == 2 else shares


def as_probabilities(parts: Parts, linked: Linked, dataset: Dataset) -> Parts:
    r"""Contributions to a score as contributions to probabilities p.

    .. math:: C' = \bar J C, \quad \bar J = \int_0^1 \frac{\partial p}{\partial s}
              (s_0 + t (s - s_0)) \, dt

    from the base s_0 to the score s: what one number contributes is multiplied by the mean slope.
    A member whose score does not tell its probabilities is left over.
    """
    top, bottom = linked(parts.score), linked(parts.base)
    if top is None or bottom is None:
        n_outputs = 1 if linked.n_classes == 2 else linked.n_classes
        nothing = np.zeros((len(dataset), n_outputs, parts.score.shape[1]))
        own = linked.member.predict_proba(dataset)
        known = replace(linked, link=lambda _: own)(parts.score)
        assert known is not None
        return replace(parts.mapped(nothing, dataset), score=known, base=0 * known, rest=known)
    mean = mean_slopes(linked, parts.base, parts.score)
    made = parts.mapped(mean, dataset)
    missed = top - bottom - np.einsum("nab,nb->na", mean, parts.score - parts.base)
    return replace(made, score=top, base=bottom, rest=made.rest + missed)


def mean_slopes(linked: Linked, bottom: Reals, top: Reals) -> Reals:
    """The mean derivative of every probability by every score, (graphs, probabilities, scores)."""
    points, weights = np.polynomial.legendre.leggauss(STEPS)
    total: Any = 0.0
    for point, weight in zip((points + 1) / 2, weights / 2, strict=True):
        here = bottom + point * (top - bottom)
        slopes = []
        for column in range(here.shape[1]):
            step = np.zeros(here.shape[1])
            step[column] = NUDGE
            above, below = linked(here + step), linked(here - step)
            assert above is not None
            assert below is not None
            slopes.append((above - below) / (2 * NUDGE))
        total = total + weight * np.stack(slopes, axis=2)
    return np.asarray(total)


def weighted(members: Sequence[Parts], weights: Reals, score: Reals) -> Parts:
    """The weighted sum of the members' parts."""
    width = max(parts.placed.shape[1] for parts in members)
    arrays: dict[str, Any] = dict.fromkeys(("base", *CONTRIBUTIONS), 0.0)
    for parts, weight in zip(members, weights, strict=True):
        for name in arrays:
            values = getattr(parts, name)
            if name in ("placed", "rings"):
                values = widened(values, len(values), width, score.shape[1])
            arrays[name] = arrays[name] + weight * values
    return Parts(score=score, **arrays)
