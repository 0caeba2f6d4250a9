"""An estimator that knows nothing of graphrings, as the protocol wants to call it."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import ExperimentError, GraphRingsError
from graphrings.graphs.adapters.anything import as_selection
from graphrings.graphs.carried import EVERYTHING
from graphrings.graphs.targets import own_targets

if TYPE_CHECKING:
    from graphrings.graphs.dataset import Dataset

VALIDATION = "validation"


class OwnEstimator:
    """An estimator that gets its graphs as a ``Dataset`` and is asked for what it has.

    ``fit(graphs, y)`` and ``predict(graphs)`` are enough. ``validation`` is offered to a fit whose
    signature names it. ``predict_proba`` and ``decision_function`` are there if it has them.
    Whatever goes wrong inside is told with its place in the code.
    """

    sees = EVERYTHING  # what it makes of a Dataset is its own affair

    def __init__(self, name: str, estimator: Any) -> None:
        self.name, self.estimator = name, estimator
        self._seen: NDArray[Any] = np.empty(0)

    @property
    def stops_early(self) -> bool:
        """Whether its fit asks for validation graphs."""
        return VALIDATION in inspect.signature(self.estimator.fit).parameters

    def refit(self, graphs: Any, y: Any = None) -> Self:
        """Fit again, on the validation graphs as well."""
        return self.fit(graphs, y)

    def fit(self, graphs: Any, y: Any = None, *, validation: Any = None) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own."""
        y = own_targets(cut_out(graphs)) if y is None else y
        more = {}
        if validation is not None and self.stops_early:
            more[VALIDATION] = cut_out(validation[0]), validation[1]
        with self._its_own_mistakes("fit"):
            self.estimator.fit(cut_out(graphs), y, **more)
        self._seen = np.unique(y)
        return self

    def predict(self, graphs: Any) -> NDArray[Any]:
        """What it says of every graph; a class must be one that it was given."""
        said = self._asked("predict", graphs, ())
        has_classes = self._seen.dtype.kind != "f"  # values are real
        if has_classes and not np.isin(said, self._seen).all():
            stranger = said[~np.isin(said, self._seen)].tolist()[0]
            raise ExperimentError(
                f"{self.name}: predict says {stranger!r}; expected a class as fit was given it, "
                f"one of {', '.join(map(str, self._seen.tolist()))}"
            )
        return said

    @property
    def predict_proba(self) -> Callable[[Any], NDArray[Any]]:
        """The probability of every class; no attribute where the estimator has none."""
        _ = self.estimator.predict_proba
        return lambda graphs: self._asked("predict_proba", graphs, (len(self.classes_),))

    @property
    def decision_function(self) -> Callable[[Any], NDArray[Any]]:
        """How much the second of two classes is ahead; no attribute where there is none."""
        _ = self.estimator.decision_function
        return lambda graphs: self._asked("decision_function", graphs, ())

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes of its columns, which are those of the fit where it does not say."""
        return np.asarray(getattr(self.estimator, "classes_", self._seen))

    def _asked(self, question: str, graphs: Any, columns: tuple[int, ...]) -> NDArray[Any]:
        dataset = cut_out(graphs)
        with self._its_own_mistakes(question):
            said = np.asarray(getattr(self.estimator, question)(dataset))
        expected = (len(dataset), *columns)
        if said.shape != expected:
            raise ExperimentError(
                f"{self.name}: {question} returns an array of shape {said.shape} for "
                f"{len(dataset)} graphs; expected {expected}"
            )
        return said

    @contextmanager
    def _its_own_mistakes(self, question: str) -> Iterator[None]:
        """Say where in foreign code an error came from; our own say it themselves."""
        try:
            yield
        except GraphRingsError:
            raise
        except Exception as error:  # any code may fail in its own way
            frame = traceback.extract_tb(error.__traceback__)[-1]
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise ExperimentError(
                f"{self.name}: {question} fails with {reason} "
                f"({Path(frame.filename).name}, line {frame.lineno})"
            ) from error


def cut_out(graphs: Any) -> Dataset:
    """Selected graphs as a dataset of their own."""
    return as_selection(graphs).cut_out()
