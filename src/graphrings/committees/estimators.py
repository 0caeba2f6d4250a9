"""Committees: several methods that are asked together, as scikit-learn estimators."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from graphrings.committees.files import members_from_file, members_to_file
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

LEAST_GRAPHS = 50  # held out; with fewer all members count alike, and are taken at their word
MOST_SEEDS = 2**31 - 1
SHARE = share(
    "part of the training graphs that is held out to choose by, where no validation is given",
    default=0.1,
)
COMMITTEE: Settings = {
    "members": MEMBERS,
    "weights": one_of(
        "what members count for: chosen greedily on the validation graphs (where there are "
        f"{LEAST_GRAPHS} of them), or all alike",
        ("greedy", "equal"),
        default="greedy",
    ),
    "validation_fraction": SHARE,
    "random_state": RANDOM_STATE,
}


class Committee(GraphEstimator):
    """Several methods, each with its own choice of settings, whose predictions are averaged.

    Every member chooses from its grid on the validation graphs, which also decide what it counts
    for. Where none are given, a part of the training graphs is held out for that, and afterwards
    all members whose training does not stop early are fitted again on all graphs.
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
            self._weigh(checking)
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
    def _said(self, graphs: Any) -> NDArray[np.float64]:
        """What every member says of every graph, as it is averaged."""

    @abstractmethod
    def _losses(self, examples: Examples) -> Losses:
        """What the weights are chosen by."""

    def _weigh(self, checking: Examples) -> None:
        """Decide what every member counts for."""
        self.weights_ = equal_weights(len(self.members_))
        many = len(checking.targets) >= LEAST_GRAPHS and len(self.members_) > 1
        if self.weights == "greedy" and many:
            said = self._said(checking.graphs)
            self.weights_ = greedy_weights(said, self._losses(checking))

    def _refit_members(self, examples: Examples, weights: Any) -> None:
        for member in self.members_:
            if not member.stops_early:
                member.refit(examples.graphs, examples.targets, weights)

    def _mean(self, graphs: Any) -> NDArray[np.float64]:
        """The weighted mean of what the members say."""
        check_is_fitted(self, self.fitted)
        given = graphs if isinstance(graphs, Selection) else as_dataset(graphs)
        return averaged(self._said(given), self.weights_)


class CommitteeClassifier(GraphClassifier, Committee):
    """Classes by the averaged, calibrated probabilities of several methods.

    Every member chooses from its grid on the validation graphs, which also decide what it counts
    for. Where none are given, a part of the training graphs is held out for that, and afterwards
    all members whose training does not stop early are fitted again on all graphs.
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

    def _weigh(self, checking: Examples) -> None:
        """Decide how sure members may be, by temperatures, and what they count for."""
        self.calibrations_ = [None] * len(self.members_)
        if len(checking.targets) >= LEAST_GRAPHS:
            logs = [
                log_probabilities(m, checking.graphs, checking.n_classes) for m in self.members_
            ]
            self.calibrations_ = [temperature(one, checking.targets, "validation") for one in logs]
        super()._weigh(checking)

    def _said(self, graphs: Any) -> NDArray[np.float64]:
        said = []
        for member, calibration in zip(self.members_, self.calibrations_, strict=True):
            logs = log_probabilities(member, graphs, len(self.classes_))
            said.append(np.exp(logs) if calibration is None else calibration.probabilities(logs))
        return np.stack(said)

    def _losses(self, examples: Examples) -> Losses:
        return log_losses(examples.targets)


class CommitteeRegressor(GraphRegressor, Committee):
    """Values by the averaged predictions of several methods.

    Every member chooses from its grid on the validation graphs, which also decide what it counts
    for. Where none are given, a part of the training graphs is held out for that, and afterwards
    all members whose training does not stop early are fitted again on all graphs.
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

    def _said(self, graphs: Any) -> NDArray[np.float64]:
        return np.stack([member.predict(graphs) for member in self.members_])

    def _losses(self, examples: Examples) -> Losses:
        return squared_errors(examples.targets)


def part_of(examples: Examples, places: NDArray[np.int64]) -> Examples:
    """Some of the graphs, of the same dataset and with the same cache."""
    selection = examples.graphs
    chosen = Selection(selection.dataset, selection.graphs[places], selection.cache)
    return Examples(chosen, examples.targets[places], examples.n_classes)


def log_probabilities(member: Any, graphs: Any, n_classes: int) -> NDArray[np.float64]:
    """What a member says of every class, as logarithms; nothing is impossible."""
    probabilities = np.full((len(graphs), n_classes), SMALLEST)
    probabilities[:, member.classes_] = np.maximum(member.predict_proba(graphs), SMALLEST)
    logs: NDArray[np.float64] = np.log(probabilities / probabilities.sum(axis=1, keepdims=True))
    return logs
