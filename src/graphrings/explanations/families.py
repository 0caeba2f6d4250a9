"""The families of methods: what the score of each is, and how it is taken apart.

A new family is an entry in the list; whoever is in none is explained by masking.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphrings.committees.estimators import Committee
from graphrings.errors import ModelError
from graphrings.explanations import links
from graphrings.explanations.baseline import baseline_score, explain_baseline
from graphrings.explanations.committees import committee_score, explain_committee
from graphrings.explanations.kernels import explain_kernel, kernel_score
from graphrings.explanations.masking import explain_by_masking
from graphrings.explanations.networks import explain_network, network_score
from graphrings.explanations.parts import Parts, Reals
from graphrings.explanations.trees import explain_trees, tree_score
from graphrings.graphs.dataset import Dataset
from graphrings.learning.baseline import Baseline
from graphrings.learning.boosting import Boosting
from graphrings.learning.forests import Forest
from graphrings.learning.kernel_machine import KernelEstimator
from graphrings.learning.network_estimators import NetworkEstimator


class Family(NamedTuple):
    """How the models of a family are explained.

    ``explain`` gives None where a model of the family must be masked. ``unit`` says what scores
    are, those of classes; values have the unit of the targets. ``link`` leads from scores to
    probabilities.
    """

    kind: type[Any] | None
    score: Callable[[Any, Dataset], Reals]
    explain: Callable[[Any, Dataset], Parts | None]
    unit: str
    how: str
    link: Callable[[Any, Reals], Reals | None] | None = None


def own_score(model: Any, dataset: Dataset) -> Reals:
    """What any estimator says: probabilities, else decisions, of two classes the second; values."""
    for name in ("predict_proba", "decision_function"):
        if hasattr(model, name):
            said = np.asarray(getattr(model, name)(dataset), dtype=np.float64)
            said = said.reshape(len(dataset), -1)
            return said[:, 1:] if said.shape[1] == 2 else said
    said = np.asarray(model.predict(dataset))
    if said.dtype.kind != "f" or hasattr(model, "classes_"):
        raise ModelError(
            f"{type(model).__name__} predicts classes and nothing else; expected predict_proba or "
            "decision_function: a class alone does not say what pushed towards it"
        )
    return said[:, None]


def explain_members(model: Any, dataset: Dataset) -> Parts:
    """A committee, from what its members are made from."""
    members = []
    for member in model.members_:
        family = family_of(member)
        link = family.link

        def own(score: Reals, member: Any = member, link: Any = link) -> Reals | None:
            said: Reals | None = link(member, score)
            return said

        members.append((parts_of(member, dataset), None if link is None else own))
    return explain_committee(model, dataset, members)


def must_be_masked(model: Any, dataset: Dataset) -> None:
    """Nothing is known of what an estimator of somebody else is made from."""


MASKED = Family(None, own_score, must_be_masked, "score", "nodes taken out one by one")
FAMILIES = (
    Family(
        KernelEstimator,
        kernel_score,
        explain_kernel,
        "margin",
        "the machine's weights of features, on the nodes that carry them",
        links.of_margins,
    ),
    Family(
        Forest,
        tree_score,
        explain_trees,
        "probability",
        "what the splits on the trees' paths change",
        links.of_shares,
    ),
    Family(
        Boosting,
        tree_score,
        explain_trees,
        "log odds",
        "what the splits on the trees' paths change",
        links.of_log_odds,
    ),
    Family(
        NetworkEstimator,
        network_score,
        explain_network,
        "output",
        "integrated gradients of node features, ring by ring",
        links.of_outputs,
    ),
    Family(
        Baseline,
        baseline_score,
        explain_baseline,
        "log odds",
        "the coefficients of what is counted",
        links.of_baseline,
    ),
    Family(
        Committee,
        committee_score,
        explain_members,
        "probability",
        "the explanations of the members, weighted",
        links.of_shares,
    ),
)


def family_of(model: Any) -> Family:
    """The family of a model."""
    for family in FAMILIES:
        assert family.kind is not None
        if isinstance(model, family.kind):
            return family
    return MASKED


def parts_of(model: Any, dataset: Dataset, masking: bool = False) -> Parts:
    """What the scores of graphs are made from, by the way of the family or by masking."""
    return explained(model, dataset, masking)[0]


def explained(model: Any, dataset: Dataset, masking: bool = False) -> tuple[Parts, str]:
    """The same, and how it was found, in words."""
    family = family_of(model)
    parts = None if masking else family.explain(model, dataset)
    if parts is not None:
        return parts, family.how
    return explain_by_masking(model, dataset, family.score), MASKED.how
