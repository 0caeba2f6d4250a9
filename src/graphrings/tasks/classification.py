"""Predict the class of a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, DivergenceError
from graphrings.graphs.class_titles import class_titles
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.targets import is_continuous, target_column
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.task import Coding, Numbers, Task

MOST_CLASSES = 6  # are described one by one


@dataclass(frozen=True, eq=False)
class Classes:
    """The classes of a fit, sorted; a goal is the number of a class."""

    names: NDArray[Any]

    @property
    def n_outputs(self) -> int:
        """One output per class."""
        return len(self.names)

    def encode(self, targets: NDArray[Any]) -> NDArray[np.int64]:
        """The number of every target's class, which must be known."""
        number = {name: k for k, name in enumerate(self.names.tolist())}
        unknown = [name for name in targets.tolist() if name not in number]
        if unknown:
            raise DatasetError(f"the class {unknown[0]!r} does not occur in training")
        return np.array([number[name] for name in targets.tolist()], dtype=np.int64)

    def decode(self, outputs: NDArray[Any]) -> NDArray[Any]:
        """The class with the largest output."""
        classes: NDArray[Any] = self.names[outputs.argmax(axis=1)]
        return classes

    def epoch_score(self, outputs: NDArray[Any], goals: NDArray[Any]) -> float:
        """The accuracy."""
        return float((outputs.argmax(axis=1) == goals).mean())


def class_word(name: Any) -> str:
    """The name of a class as text, in which 1 and 1.0 are one."""
    text = str(name).strip()
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else text


class Classification(Task):
    """Targets are classes of any name; folds are stratified by class."""

    name = "classification"
    estimator = "Classifier"
    loss = "cross_entropy"
    loss_title = "cross-entropy"
    epoch_score = "accuracy"
    chosen_by = ("accuracy", "log_loss")
    trains_every_stratum = True

    def checked(self, column: NDArray[Any]) -> NDArray[Any]:
        """Refuse real numbers: a class is a name or a whole number."""
        if is_continuous(column):
            raise DatasetError(
                f"targets such as {column[0]} with {len(np.unique(column))} different values; "
                "expected classes (there are regressors for values, such as PGCRegressor)"
            )
        return column

    def numbers(self, dataset: Dataset) -> Numbers:
        """The number of every graph's class."""
        if dataset.targets is None:
            raise DatasetError(f"{dataset.name}: graphs without classes; expected one per graph")
        if not dataset.class_names:
            self.checked(dataset.targets)
            raise DatasetError(
                f"{dataset.name}: its targets are values, not classes; expected classes"
            )
        return dataset.targets.astype(np.int64)

    def learn(self, targets: NDArray[Any]) -> Classes:
        """The classes that occur, at least two."""
        classes = Classes(np.unique(targets))
        if len(classes.names) < 2:
            raise DatasetError(
                f"all graphs are of class {targets.tolist()[0]!r}; expected at least two classes"
            )
        return classes

    def coding(self, parts: Mapping[str, Any]) -> Classes:
        """The classes by their names."""
        names = parts["names"]
        if not isinstance(names, tuple) or len(set(names)) < max(2, len(names)):
            raise ValueError("its classes are not two or more different names")
        column = target_column(names, len(names))
        if is_continuous(column):  # which no fit would have taken for classes
            raise ValueError("its classes are numbers that are not whole")
        return Classes(column)

    def mismatch(self, truth: NDArray[Any], coding: Coding) -> str:
        """Classes of which the model knows none."""
        assert isinstance(coding, Classes)
        known = {class_word(name): None for name in coding.names.tolist()}
        given = dict.fromkeys(sorted({class_word(value) for value in truth.tolist()}))
        if given.keys() & known.keys():
            return ""
        listed = [", ".join(list(words)[:MOST_CLASSES]) for words in (given, known)]
        return f"the classes of the data are {listed[0]}, those of the model {listed[1]}"

    def user_score(self, truth: NDArray[Any], predicted: NDArray[Any]) -> float:
        """The accuracy; a file may have text where another has numbers."""
        pairs = zip(truth.tolist(), predicted.tolist(), strict=True)
        return float(np.mean([class_word(true) == class_word(said) for true, said in pairs]))

    def strata(self, numbers: Numbers, n_folds: int) -> NDArray[np.int64]:
        """A class is a stratum."""
        del n_folds
        return numbers.astype(np.int64)

    def stratum_name(self, dataset: Dataset, stratum: int) -> str:
        """The class by its name."""
        return f"class {dataset.class_names[stratum]!r}"

    def class_names(self, dataset: Dataset) -> tuple[str, ...]:
        """The names as text."""
        return tuple(map(str, dataset.class_names))

    def predictions(
        self, estimator: Any, graphs: Any, numbers: NDArray[Any], truth: Numbers, n_classes: int
    ) -> Predictions:
        """Probabilities where the estimator has them, else classes and a margin."""
        if not hasattr(estimator, "predict_proba"):
            has_margin = n_classes == 2 and hasattr(estimator, "decision_function")
            margin = estimator.decision_function(graphs) if has_margin else None
            predicted = estimator.predict(graphs)
            return Predictions(numbers, truth, predicted, n_classes, margin=margin)
        given = estimator.predict_proba(graphs)
        if not np.isfinite(given).all():
            raise DivergenceError(
                "the probabilities are no numbers; a smaller learning rate may help"
            )
        probabilities = np.zeros((len(truth), n_classes), dtype=np.float32)
        probabilities[:, estimator.classes_] = given  # a class may be missing in training
        return Predictions(numbers, truth, probabilities.argmax(axis=1), n_classes, probabilities)

    def ceiling(self, groups: NDArray[np.int32], numbers: Numbers) -> float:
        """The accuracy of naming the commonest class of every group."""
        votes = np.zeros((int(groups.max()) + 1, int(numbers.max()) + 1), dtype=np.int64)
        np.add.at(votes, (groups, numbers), 1)
        return float(votes.max(axis=1).sum() / len(groups))

    def facts(self, targets: NDArray[Any]) -> dict[str, Any]:
        """How many graphs every class has."""
        names, counts = np.unique(targets, return_counts=True)
        return {"classes": dict(zip(map(str, names.tolist()), counts.tolist(), strict=True))}

    def described(self, dataset: Dataset) -> str:
        """The classes with their shares in percent; of many only the smallest and the largest."""
        counts = np.bincount(self.numbers(dataset), minlength=dataset.n_classes)
        shares = 100 * counts / max(1, len(dataset))
        if len(shares) > MOST_CLASSES:
            return f"{len(shares)} classes, {shares.min():.0f} to {shares.max():.0f} % each"
        named = zip(class_titles(dataset), shares, strict=True)
        return ", ".join(f"{name}: {share:.0f} %" for name, share in named)
