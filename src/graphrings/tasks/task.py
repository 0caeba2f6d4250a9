"""What it means to predict a target: one object per task, asked by everything that must know."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Dataset
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import SCORES, Score

Numbers = NDArray[Any]  # class numbers (whole), or values (real)


class Coding(Protocol):
    """How the targets of a fit become goals of a network, and its outputs become predictions."""

    @property
    def n_outputs(self) -> int:
        """How many numbers a network returns for every graph."""

    def encode(self, targets: NDArray[Any]) -> NDArray[Any]:
        """The goal of every graph, as the loss takes it."""

    def decode(self, outputs: NDArray[Any]) -> NDArray[Any]:
        """The prediction of every row of outputs."""

    def epoch_score(self, outputs: NDArray[Any], goals: NDArray[Any]) -> float:
        """The score that is shown for every epoch of a training."""


class Task(ABC):
    """A kind of target.

    ``estimator`` ends the names of its estimators. ``loss`` names a function of
    ``torch.nn.functional`` and of ``fused/losses.py``, and ``loss_title`` is what people call it.
    ``epoch_score`` is the score that a training shows after every epoch. ``chosen_by`` are the
    scores that choose among settings, the next one where the first ties. ``baseline`` is the
    registered method that sees no structure. With ``trains_every_stratum`` a fit must have seen
    graphs of every stratum, and there must be at least two of them.
    """

    name: ClassVar[str]
    estimator: ClassVar[str]
    loss: ClassVar[str]
    loss_title: ClassVar[str]
    epoch_score: ClassVar[str]
    chosen_by: ClassVar[tuple[str, ...]]
    baseline: ClassVar[str] = "baseline-labels"
    trains_every_stratum: ClassVar[bool] = False

    @property
    def main_score(self) -> Score:
        """The score that tables show unless another is asked for."""
        return SCORES[self.chosen_by[0]]

    @abstractmethod
    def checked(self, column: NDArray[Any]) -> NDArray[Any]:
        """Targets as this task takes them: refuse a column that is of another task."""

    @abstractmethod
    def numbers(self, dataset: Dataset) -> Numbers:
        """The targets of a dataset as numbers: of classes, or the values themselves."""

    @abstractmethod
    def learn(self, targets: NDArray[Any]) -> Coding:
        """What a fit must know of its targets."""

    @abstractmethod
    def coding(self, parts: Mapping[str, Any]) -> Coding:
        """What ``learn`` returned, from its parts as a file keeps them."""

    @abstractmethod
    def mismatch(self, truth: NDArray[Any], coding: Coding) -> str:
        """Why a score against such targets would mean nothing; empty where it does mean something.

        Targets are as users have them, perhaps as text.
        """

    @abstractmethod
    def user_score(self, truth: NDArray[Any], predicted: NDArray[Any]) -> float:
        """The main score of predictions, both as users have them: names of classes, or values."""

    @abstractmethod
    def strata(self, numbers: Numbers, n_folds: int) -> NDArray[np.int64]:
        """The stratum of every graph; folds are drawn such that each has its share of every one."""

    @abstractmethod
    def stratum_name(self, dataset: Dataset, stratum: int) -> str:
        """What a message calls a stratum."""

    def class_names(self, dataset: Dataset) -> tuple[str, ...]:
        """The names of the classes by their numbers; none where targets are values."""
        del dataset
        return ()

    @abstractmethod
    def predictions(
        self, estimator: Any, graphs: Any, numbers: NDArray[Any], truth: Numbers, n_classes: int
    ) -> Predictions:
        """Ask a fitted estimator about graphs, which have these numbers in their dataset."""

    @abstractmethod
    def ceiling(self, groups: NDArray[np.int32], numbers: Numbers) -> float:
        """The best main score of a method that says the same of all graphs of a group."""

    @abstractmethod
    def facts(self, targets: NDArray[Any]) -> dict[str, Any]:
        """What the card of a model says of the targets that it was trained on, as plain data."""

    @abstractmethod
    def described(self, dataset: Dataset) -> str:
        """The targets of a dataset in a few words."""

    def __repr__(self) -> str:
        return self.name
