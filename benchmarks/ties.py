"""Who wins a tie: ways to choose among settings that are equally accurate on a validation fold.

Folds are drawn with a seed of their own. Of every draw one fold is left out altogether, as a test
fold would be; the next one chooses, the one after it judges the choice, and the others train. So
nothing here looks at a test fold. ``--inner`` adds a choice among all settings by cross-validation
over the choosing and the training folds, which takes eight times as long.

    python -m benchmarks.ties MUTAG PTC --inner
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import hinge_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.svm import SVC

import graphrings as gr

HEIGHTS, PENALTIES = range(6), 10.0 ** np.arange(-3, 4)
SEED, DRAWS, N_FOLDS = 4711, 3, 10
INNER = "inner cross-validation"


def platt(decisions: NDArray[np.float64], truth: NDArray[Any]) -> float:
    """The log loss of decisions, read as log odds on the scale on which it is smallest."""
    scales = np.logspace(-2, 2, 41)
    losses = [log_loss(truth, 1 / (1 + np.exp(-np.clip(s * decisions, -30, 30)))) for s in scales]
    return float(min(losses))


# Each says of the decisions and the truth of a validation fold how good they are, beside accuracy.
RULES: Mapping[str, Callable[[NDArray[np.float64], NDArray[Any]], float]] = {
    "first of the grid": lambda *_: 0.0,
    "AUROC": lambda decisions, truth: float(roc_auc_score(truth, decisions)),
    "hinge loss": lambda decisions, truth: -float(hinge_loss(truth, decisions)),
    "log loss of scaled margins": lambda decisions, truth: -platt(decisions, truth),
}


def study(name: str, inner: bool) -> dict[str, list[float]]:
    """The accuracy of the chosen setting on the judging fold, by rule; and how many had tied."""
    dataset = gr.load(name)
    truth = (dataset.targets == 1).astype(int)
    kernels = [gr.kernels.WeisfeilerLehman(height=h, normalize=True) for h in HEIGHTS]
    grams = [kernel.fit_transform(dataset) for kernel in kernels]
    judged: dict[str, list[float]] = {
        rule: [] for rule in (*RULES, "tied settings", "mean of tied")
    }
    for draw in range(DRAWS):
        drawn = StratifiedKFold(N_FOLDS, shuffle=True, random_state=SEED + draw)
        folds = [fold for _, fold in drawn.split(truth, truth)]
        for first in range(N_FOLDS):
            _, choosing, judging, *others = np.roll(np.arange(N_FOLDS), -first)
            training = np.concatenate([folds[k] for k in others])
            trials = [
                trial(gram, penalty, truth, training, folds[choosing], folds[judging])
                for gram in grams
                for penalty in PENALTIES
            ]
            best = max(accuracy for accuracy, _, _ in trials)
            tied = [one for one in trials if one[0] == best]
            judged["tied settings"].append(len(tied))
            judged["mean of tied"].append(float(np.mean([one[2] for one in tied])))
            if inner:
                parts = [folds[k] for k in (choosing, *others)]
                means = [
                    inner_accuracy(gram, penalty, truth, parts)
                    for gram in grams
                    for penalty in PENALTIES
                ]
                judged.setdefault(INNER, []).append(trials[int(np.argmax(means))][2])
            for rule, quality in RULES.items():
                winner = max(tied, key=lambda one: quality(one[1], truth[folds[choosing]]))
                judged[rule].append(winner[2])
    return judged


def inner_accuracy(
    gram: NDArray[np.float64], penalty: float, truth: NDArray[Any], parts: list[NDArray[Any]]
) -> float:
    """The mean accuracy on each part of a machine that is trained on all others."""
    results = []
    for k, part in enumerate(parts):
        training = np.concatenate(parts[:k] + parts[k + 1 :])
        results.append(trial(gram, penalty, truth, training, part, part)[0])
    return float(np.mean(results))


def trial(
    gram: NDArray[np.float64],
    penalty: float,
    truth: NDArray[Any],
    training: NDArray[Any],
    choosing: NDArray[Any],
    judging: NDArray[Any],
) -> tuple[float, NDArray[np.float64], float]:
    """Accuracy and decisions on the choosing fold, accuracy on the judging fold."""
    machine = SVC(kernel="precomputed", C=penalty)
    machine.fit(gram[np.ix_(training, training)], truth[training])
    chosen, judged = (
        machine.decision_function(gram[np.ix_(f, training)]) for f in (choosing, judging)
    )
    accuracy, judgement = (
        float(((decisions > 0) == truth[fold]).mean())
        for decisions, fold in ((chosen, choosing), (judged, judging))
    )
    return accuracy, chosen, judgement


def main() -> None:
    """Print a line per dataset and rule."""
    inner = "--inner" in sys.argv
    for name in sys.argv[1:]:
        if name == "--inner":
            continue
        judged = study(name, inner)
        base = np.array(judged["first of the grid"])
        print(f"{name}: {np.mean(judged.pop('tied settings')):.1f} settings tie")
        for rule, values in judged.items():
            gap = 100 * (np.array(values) - base)
            error = gap.std(ddof=1) / np.sqrt(len(gap))
            print(f"  {rule:28s} {100 * np.mean(values):6.2f} %  {gap.mean():+.2f} +- {error:.2f}")


if __name__ == "__main__":
    main()
