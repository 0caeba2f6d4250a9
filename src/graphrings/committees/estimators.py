"""Committees: several methods that are asked together, as scikit-learn estimators."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold, StratifiedKFold, train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from graphrings.committees.files import members_from_file, members_to_file
from graphrings.committees.held_out import Folds, HeldOut, of_folds, of_validation, part_of
from graphrings.committees.members import (
    MEMBERS,
    Examples,
    as_data,
    candidates,
    check_member,
    choose,
)
from graphrings.committees.weights import (
    SMALLEST,
    Losses,
    averaged,
    equal_weights,
    greedy_weights,
    log_losses,
    squared_errors,
)
from graphrings.errors import DatasetError, UnseenLabelWarning
from graphrings.graphs.adapters.anything import as_dataset, as_selection, is_empty
from graphrings.graphs.carried import EVERYTHING
from graphrings.graphs.selection import Selection
from graphrings.learning.calibration import Calibration, temperature
from graphrings.learning.estimator import (
    GraphClassifier,
    GraphEstimator,
    GraphRegressor,
    show_settings,
)
from graphrings.learning.sample_weights import checked_weights
from graphrings.learning.training_settings import RANDOM_STATE
from graphrings.settings import Setting, Settings, one_of, share
from graphrings.tasks.regression import Standardised

LEAST_GRAPHS = 50  # that members must be held to; fewer leave them alike, and taken at their word
HELD_OUT_FOLDS = 5  # of the training graphs, where there are fewer validation graphs than that
MOST_SEEDS = 2**31 - 1
SHARE = share(
    "part of the training graphs that is held out to choose by, where no validation is given",
    default=0.1,
)
COMMITTEE: Settings = {
    "members": MEMBERS,
    "weights": one_of(
        "what members count for: chosen greedily on the validation graphs (where there are fewer "
        f"than {LEAST_GRAPHS}, on held-out folds of the training graphs), or all alike",
        ("greedy", "equal"),
        default="greedy",
    ),
    "validation_fraction": SHARE,
    "random_state": RANDOM_STATE,
}


class Committee(GraphEstimator):
    """Several methods, each with its own choice of settings, whose predictions are averaged.

    Every member chooses from its grid on the validation graphs, which also decide what it counts
    for; where there are few, members are fitted again without one fold of the training graphs after
    the other, and these decide. Where no validation graphs are given, a part of the training graphs
    is held out to choose by, and afterwards all members whose training does not stop early are
    fitted again on all graphs.
    """

    fitted = "members_"
    own_settings: ClassVar[Settings] = {}
    members_: list[GraphEstimator]
    weights_: NDArray[np.float64]

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        show_settings(cls, {**COMMITTEE, **cls.own_settings})

    @property
    def members(self) -> Any:
        """Who sits in it, as plain data."""
        return vars(self).get("members", MEMBERS.default)

    @members.setter
    def members(self, members: Any) -> None:
        listed = isinstance(members, list | tuple)
        self.__dict__["members"] = tuple(map(as_data, members)) if listed else members

    @property
    def sees(self) -> tuple[str, ...]:
        """What at least one member sees."""
        seats = [candidates(member, self.task, 0)[0] for member in self.members]
        return tuple(part for part in EVERYTHING if any(part in seat.sees for seat in seats))

    def described_settings(self) -> dict[str, Setting]:
        """The same for all committees of a task."""
        return {**COMMITTEE, **self.own_settings}

    def check(self) -> None:
        """Refuse values that make no sense, also to the members."""
        super().check()
        for member in self.members:
            check_member(member, self.task)

    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own.

        ``validation`` are graphs to choose by, as a pair (graphs, y) or a Dataset.
        """
        selection, targets = self._begin(graphs, y)
        everything = self._examples(selection, targets)
        weights = checked_weights(sample_weight, len(selection))
        drawn = check_random_state(self.random_state).randint(
            MOST_SEEDS, size=1 + len(self.members)
        )
        seed, *seeds = drawn.tolist()
        kept = np.arange(len(selection))
        if validation is None:
            kept, held_out = self._split(everything, seed)
            checking = part_of(everything, held_out)
        else:
            other, known = validation if isinstance(validation, tuple) else (validation, None)
            chosen_by = as_selection(other)
            checking = self._examples(chosen_by, self._targets(chosen_by, known))
        training = part_of(everything, kept)
        of_training = None if weights is None else weights[kept]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnseenLabelWarning)  # of graphs that are held out
            self.members_ = [
                choose(member, self.task, own_seed, training, checking, of_training)
                for member, own_seed in zip(self.members, seeds, strict=True)
            ]
            self._weigh(self._held_out(training, checking, of_training, seed))
        if validation is None:
            self._refit_members(everything, weights)
        return self

    def refit(self, graphs: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the members again that do not stop early; choices, weights and calibrations stay."""
        check_is_fitted(self, self.fitted)
        n_outputs = self.coding_.n_outputs
        selection, targets = self._begin(graphs, y)
        if self.coding_.n_outputs != n_outputs:
            raise DatasetError(
                f"{self.coding_.n_outputs} classes to fit members again on; they were chosen for "
                f"{n_outputs}"
            )
        weights = checked_weights(sample_weight, len(selection))
        self._refit_members(self._examples(selection, targets), weights)
        return self

    @property
    def method_name(self) -> str:
        """What the registry calls it."""
        return "committee"

    @property
    def chosen_(self) -> list[tuple[GraphEstimator, float]]:
        """The fitted members, each with its weight."""
        return list(zip(self.members_, self.weights_.tolist(), strict=True))

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """All members with what their own files would hold, and their weights."""
        return members_to_file(self)

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A committee from what its file holds."""
        model: Self = members_from_file(path, cls, header, tensors)
        return model

    @abstractmethod
    def _examples(self, selection: Selection, targets: NDArray[Any]) -> Examples:
        """Graphs with the numbers that members learn."""

    @abstractmethod
    def _split(self, examples: Examples, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Places of graphs to train on, and of others to choose by."""

    @abstractmethod
    def _folds(self, targets: NDArray[Any], seed: int) -> Folds:
        """Folds to hold out one after the other; none where there cannot be two."""

    @abstractmethod
    def _answers(self, member: GraphEstimator, graphs: Any) -> NDArray[np.float64]:
        """What a member says of every graph."""

    @abstractmethod
    def _losses(self, targets: NDArray[Any]) -> Losses:
        """What the weights are chosen by."""

    def _trusted(self, answers: NDArray[np.float64]) -> NDArray[np.float64]:
        """What the members say, as it is averaged."""
        return answers

    def _held_out(
        self, training: Examples, checking: Examples, weights: Any, seed: int
    ) -> HeldOut | None:
        """What members say of graphs that they were not trained on, if there are enough."""
        if len(checking.targets) >= LEAST_GRAPHS:
            return of_validation(self.members_, self._answers, checking)
        folds = self._folds(training.targets, seed)
        if not folds or len(training.targets) < LEAST_GRAPHS:
            return None
        return of_folds(self.members_, self._answers, training, checking, weights, folds)

    def _weigh(self, held_out: HeldOut | None) -> None:
        """Decide what every member counts for."""
        self.weights_ = equal_weights(len(self.members_))
        if self.weights == "greedy" and held_out is not None and len(self.members_) > 1:
            said = self._trusted(held_out.answers)
            self.weights_ = greedy_weights(said, self._losses(held_out.targets))

    def _refit_members(self, examples: Examples, weights: Any) -> None:
        for member in self.members_:
            if not member.stops_early:
                member.refit(examples.graphs, examples.targets, weights)

    def _mean(self, graphs: Any) -> NDArray[np.float64]:
        """The weighted mean of what the members say."""
        check_is_fitted(self, self.fitted)
        given = graphs if isinstance(graphs, Selection) else as_dataset(graphs)
        answers = np.stack([self._answers(member, given) for member in self.members_])
        return averaged(self._trusted(answers), self.weights_)


class CommitteeClassifier(GraphClassifier, Committee):
    """Classes by the averaged, calibrated probabilities of several methods.

    Every member chooses from its grid on the validation graphs, which also decide what it counts
    for; where there are few, members are fitted again without one fold of the training graphs after
    the other, and these decide. Where no validation graphs are given, a part of the training graphs
    is held out to choose by, and afterwards all members whose training does not stop early are
    fitted again on all graphs.
    """

    calibrations_: list[Calibration | None]

    def predict_proba(self, graphs: Any) -> NDArray[np.float64]:
        """The probability of every class."""
        check_is_fitted(self, self.fitted)
        if is_empty(graphs):
            return np.empty((0, len(self.classes_)))
        return self._mean(graphs)

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class."""
        probabilities = self.predict_proba(graphs)
        return self.coding_.decode(probabilities)

    def _examples(self, selection: Selection, targets: NDArray[Any]) -> Examples:
        return Examples(selection, self.coding_.encode(targets), len(self.classes_))

    def _split(self, examples: Examples, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Stratified by class; every class has a graph on both sides."""
        goals, n_classes = examples.targets, examples.n_classes
        if (least := int(np.bincount(goals).min())) < 2:
            raise DatasetError(
                f"a class of {least} graph; a committee holds out graphs of every class to choose "
                "by: expected two of each, or validation graphs"
            )
        size = max(n_classes, round(self.validation_fraction * len(goals)))
        size = min(size, len(goals) - n_classes)
        split = train_test_split(
            np.arange(len(goals)), test_size=size, stratify=goals, random_state=seed
        )
        return np.sort(split[0]), np.sort(split[1])

    def _folds(self, targets: NDArray[Any], seed: int) -> Folds:
        """Stratified by class, whose smallest decides how many there are."""
        n_folds = min(HELD_OUT_FOLDS, int(np.bincount(targets).min()))
        if n_folds < 2:
            return []
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
        return list(folds.split(targets, targets))

    def _weigh(self, held_out: HeldOut | None) -> None:
        """Decide how sure members may be, by temperatures, and what they count for."""
        self.calibrations_ = [None] * len(self.members_)
        if held_out is not None:
            self.calibrations_ = [
                temperature(logs, held_out.targets, held_out.graphs) for logs in held_out.answers
            ]
        super()._weigh(held_out)

    def _answers(self, member: GraphEstimator, graphs: Any) -> NDArray[np.float64]:
        return log_probabilities(member, graphs, len(self.classes_))

    def _trusted(self, answers: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probabilities that members may say."""
        return np.stack(
            [
                np.exp(logs) if calibration is None else calibration.probabilities(logs)
                for logs, calibration in zip(answers, self.calibrations_, strict=True)
            ]
        )

    def _losses(self, targets: NDArray[Any]) -> Losses:
        return log_losses(targets)


class CommitteeRegressor(GraphRegressor, Committee):
    """Values by the averaged predictions of several methods.

    Every member chooses from its grid on the validation graphs, which also decide what it counts
    for; where there are few, members are fitted again without one fold of the training graphs after
    the other, and these decide. Where no validation graphs are given, a part of the training graphs
    is held out to choose by, and afterwards all members whose training does not stop early are
    fitted again on all graphs.
    """

    coding_: Standardised

    def predict(self, graphs: Any) -> NDArray[np.float64]:
        """The value of every graph."""
        check_is_fitted(self, self.fitted)
        return np.empty(0) if is_empty(graphs) else self._mean(graphs)

    def _examples(self, selection: Selection, targets: NDArray[Any]) -> Examples:
        return Examples(selection, targets, 0)

    def _split(self, examples: Examples, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        n_graphs = len(examples.targets)
        if n_graphs < 2:
            raise DatasetError(
                "one graph; a committee holds out graphs to choose by: expected two or more, or "
                "validation graphs"
            )
        size = max(1, round(self.validation_fraction * n_graphs))
        split = train_test_split(np.arange(n_graphs), test_size=size, random_state=seed)
        return np.sort(split[0]), np.sort(split[1])

    def _folds(self, targets: NDArray[Any], seed: int) -> Folds:
        return list(KFold(HELD_OUT_FOLDS, shuffle=True, random_state=seed).split(targets))

    def _answers(self, member: GraphEstimator, graphs: Any) -> NDArray[np.float64]:
        answers: NDArray[np.float64] = member.predict(graphs)
        return answers

    def _losses(self, targets: NDArray[Any]) -> Losses:
        return squared_errors(targets)


def log_probabilities(member: Any, graphs: Any, n_classes: int) -> NDArray[np.float64]:
    """What a member says of every class, as logarithms; nothing is impossible."""
    probabilities = np.full((len(graphs), n_classes), SMALLEST)
    probabilities[:, member.classes_] = np.maximum(member.predict_proba(graphs), SMALLEST)
    logs: NDArray[np.float64] = np.log(probabilities / probabilities.sum(axis=1, keepdims=True))
    return logs
