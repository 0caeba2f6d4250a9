"""What is wrong with the data, in sentences that say what it means for the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from graphrings.distances.audit import Audit, audit
from graphrings.fit.plan import Plan
from graphrings.fit.words import counted, fold_words, percent, things, written
from graphrings.graphs.carried import EDGE_LABELS, carried, in_words
from graphrings.graphs.class_titles import class_titles
from graphrings.graphs.dataset import Fold
from graphrings.protocol.ignored import eyes
from graphrings.protocol.prepare import Folds
from graphrings.report.words import and_list
from graphrings.tasks import CLASSIFICATION

LEAK = 0.05  # of the test graphs with a twin in training: from here on grouped folds are advised
RARE = 0.1  # share of a class that is called rare


@dataclass(frozen=True)
class Findings:
    """What the audit has measured, and what it says to a reader."""

    audit: Audit
    sentences: tuple[str, ...]


def findings(plan: Plan, notes: Sequence[str] = ()) -> Findings:
    """Look at the data and at the folds of the first repetition; ``notes`` are of the reader."""
    splits = Folds(plan.experiment(), plan.dataset.name, plan.dataset).of(0)
    folds = [
        Fold(np.concatenate([s.training, s.validation]).astype(np.int32), s.test.astype(np.int32))
        for s in splits
    ]
    measured = audit(plan.dataset, folds=folds, task=plan.task)
    said = (sentence(plan, measured) for sentence in SENTENCES)
    return Findings(measured, (*notes, *filter(None, said)))


def _targets(plan: Plan, measured: Audit) -> str:
    described = plan.task.described(plan.dataset)
    head = f"{counted(measured.n_graphs, plan.dataset)}; the targets are"
    if plan.task is CLASSIFICATION:
        return f"{head} classes ({described})."
    return f"{head} values from {described}."


def _rare(plan: Plan, measured: Audit) -> str:
    """A class of which a test fold holds only a few."""
    if plan.task is not CLASSIFICATION:
        return ""
    counts = np.bincount(CLASSIFICATION.numbers(plan.dataset), minlength=plan.dataset.n_classes)
    rarest = int(counts.argmin())
    if counts[rarest] >= RARE * measured.n_graphs:
        return ""
    name, many = class_titles(plan.dataset)[rarest], counted(int(counts[rarest]), plan.dataset)
    return (
        f"Class {name} is rare: {many}, "
        f"about {max(1, round(counts[rarest] / plan.n_folds))} in every test fold; scores that "
        "depend on it vary much from fold to fold."
    )


def _unseen(plan: Plan, measured: Audit) -> str:
    """What of the graphs some of the methods do not look at."""
    del measured
    seen = {one.method: eyes(one.card(plan.task), plan.task) for one in plan.candidates}
    bonds = {EDGE_LABELS: "bonds"} if plan.dataset.smiles else {}
    said = []
    for part in carried(plan.dataset):
        if blind := [method for method, sees in seen.items() if part not in sees]:
            what = bonds.get(part) or in_words(plan.dataset, [part])
            said.append(f"{what} by {and_list(blind)}")
    return f"Ignored: {'; '.join(said)}." if said else ""


def _twins(plan: Plan, measured: Audit) -> str:
    noun = things(plan.dataset)
    if not measured.n_with_twin:
        return f"No two {noun} are alike: labels and structure tell all of them apart."
    unseen = plan.dataset.edge_labels is not None or plan.dataset.node_attributes is not None
    but = " (attributes and labels of edges are not compared)" if unseen else ""
    if plan.dataset.smiles:
        but = " (bonds and stereo are compared as far as the labels of atoms show them)"
    return (
        f"{counted(measured.n_with_twin, plan.dataset)} "
        f"({percent(measured.n_with_twin / measured.n_graphs)}) have a twin, another one with the "
        f"same labels and structure{but}: there is only as much to learn from as "
        f"{measured.n_distinct:,} different {noun} tell."
    )


def _conflicts(plan: Plan, measured: Audit) -> str:
    if not measured.n_conflicting or measured.ceiling is None:
        return ""
    main = plan.task.main_score
    bound = "lowest" if main.lower_is_better else "highest"
    groups = "group" if measured.n_conflicting == 1 else "groups"
    have = "has" if measured.n_conflicting == 1 else "have"
    return (
        f"{measured.n_conflicting:,} {groups} of twins {have} different targets; whatever says the "
        f"same of twins is wrong about some of them. The {bound} {main.title} that is left is "
        f"{written(main, measured.ceiling)}; look at these rows first if the targets may be wrong."
    )


def _leaks(plan: Plan, measured: Audit) -> str:
    share = measured.twin_share
    if share is None or not measured.n_with_twin:
        return ""
    kind = fold_words(plan)
    if not share:
        return f"The {kind} folds keep twins together: none of them helps to predict the other."
    head = f"With {kind} folds {percent(share)} of the test {things(plan.dataset)} have a twin in "
    if share < LEAK:
        return f"{head}training; that is little (less than {percent(LEAK)})."
    return (
        f"{head}training, which the methods have only to remember: the score is too good for "
        f"{things(plan.dataset)} that are really new. Grouped folds (--folds grouped) keep twins "
        f"together; they are advised from {percent(LEAK)} on."
    )


SENTENCES: tuple[Callable[[Plan, Audit], str], ...] = (
    _targets,
    _rare,
    _unseen,
    _twins,
    _conflicts,
    _leaks,
)
