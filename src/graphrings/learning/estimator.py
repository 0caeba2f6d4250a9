"""What all estimators of graphs share: settings from data, targets by task, a score."""

from __future__ import annotations

import copy
import inspect
import warnings
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import TextWrapper
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils.validation import check_is_fitted

from graphrings.errors import IgnoredNote, SettingError
from graphrings.graphs.adapters.anything import as_selection
from graphrings.graphs.carried import ATTRIBUTES, NODE_LABELS, ignored, in_words
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.graphs.targets import own_targets, target_column
from graphrings.learning import persistence
from graphrings.learning.applicability import Domain
from graphrings.learning.calibration import Calibration
from graphrings.settings import Setting, check_settings
from graphrings.spelling import suggestion
from graphrings.tasks import CLASSIFICATION, REGRESSION, Task
from graphrings.tasks.classification import Classes
from graphrings.tasks.task import Coding


class GraphEstimator(BaseEstimator):
    """A scikit-learn estimator of graphs instead of rows of numbers; a Dataset brings its targets.

    What it can be set to is data: ``described_settings`` says every setting with its default. Only
    what a user gives becomes an attribute; all other settings read as their defaults. ``part``
    names the setting, if any, that decides which further settings there are. ``fitted`` names an
    attribute that a fit leaves behind. ``stops_early`` says whether a fit needs graphs held out to
    know when to stop.

    Of the training graphs it remembers which they were (``trained_on_``, ``fingerprint_``), how
    their molecules were read (``chemistry_``) and what they were made of (``domain_``).
    """

    task: ClassVar[Task]
    part: ClassVar[str] = ""
    fitted: ClassVar[str]
    stops_early: ClassVar[bool] = False
    coding_: Coding
    trained_on_: dict[str, Any]
    chemistry_: Any
    _training: Selection | None = None
    _domain: Domain | None = None
    _fingerprint: str | None = None

    def __init__(self, **settings: Any) -> None:
        for name, value in settings.items():
            setattr(self, name, value)
        self._refuse_strangers(settings)

    @abstractmethod
    def described_settings(self) -> dict[str, Setting]:
        """All settings by name; those of the part come last."""

    @abstractmethod
    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own."""

    def refit(self, graphs: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit again, on the validation graphs as well, with the settings that they have chosen."""
        assert not self.stops_early, "a training that stops early needs validation graphs"
        return self.fit(graphs, y, sample_weight)

    @abstractmethod
    def predict(self, graphs: Any) -> NDArray[Any]:
        """The prediction for every graph."""

    @property
    def method_name(self) -> str:
        """What the card calls the method: the part's name where there is one."""
        return str(getattr(self, self.part)) if self.part else type(self).__name__

    @abstractmethod
    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its file holds besides what all do: entries of the header, and tensors by name."""

    @classmethod
    @abstractmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""

    def save(self, path: str | Path, card: Mapping[str, Any] | None = None) -> None:
        """Write the model to a safetensors file, in one step.

        ``card`` is plain data (text, numbers, lists and dictionaries) that the model's card says
        besides what it says by itself.
        """
        check_is_fitted(self, self.fitted)
        persistence.save(path, self, card)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that ``save`` has written."""
        model: Self = persistence.load(path, {cls.__name__: cls})
        return model

    @property
    def domain_(self) -> Domain:
        """What the training graphs were made of; computed when first asked for."""
        if self._domain is None:
            self._domain = Domain.learn(self._trained_on("domain_"))
        return self._domain

    @property
    def fingerprint_(self) -> str:
        """That of the training graphs."""
        if self._fingerprint is None:
            self._fingerprint = self._trained_on("fingerprint_").fingerprint
        return self._fingerprint

    def remember(
        self,
        domain: Domain,
        fingerprint: str,
        trained_on: dict[str, Any],
        chemistry: Any,
        card: dict[str, Any],
    ) -> None:
        """Take over what a file knows of the training."""
        self._domain, self._fingerprint = domain, fingerprint
        self.trained_on_, self.chemistry_, self.card_ = trained_on, chemistry, card

    def predict_with_proba(self, graphs: Any) -> tuple[NDArray[Any], NDArray[Any] | None]:
        """What ``predict`` and ``predict_proba`` say, computed once; None without the latter."""
        return self.predict(graphs), None

    @property
    def sees(self) -> tuple[str, ...]:
        """What it sees of graphs besides their structure, of ``graphrings.graphs.carried``."""
        return (NODE_LABELS,)

    def check(self) -> None:
        """Refuse settings whose values make no sense."""
        check_settings(self.get_params(deep=False), self.described_settings())

    def score(self, graphs: Any, y: Any = None, sample_weight: Any = None) -> float:
        """Accuracy or R², as scikit-learn has it; a Dataset brings its own targets."""
        selection = as_selection(graphs)
        predicted = self.predict(graphs if graphs is selection else selection.dataset)
        return self._score(self._targets(selection, y), predicted, sample_weight)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """All settings with their values, also those of the part."""
        del deep  # no setting is an estimator
        defaults = {name: setting.default for name, setting in self.described_settings().items()}
        return {**defaults, **self._given()}

    def set_params(self, **settings: Any) -> Self:
        """Change settings; another part keeps those that it has as well."""
        if self.part in settings:
            setattr(self, self.part, settings[self.part])
            for name in self._strangers(self._given()):
                delattr(self, name)
        self._refuse_strangers(settings)
        for name, value in settings.items():
            setattr(self, name, value)
        return self

    def __getattr__(self, name: str) -> Any:
        if not is_learned(name) and name != self.part:
            settings = self.described_settings()
            if name in settings:
                return settings[name].default
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __getstate__(self) -> Mapping[str, Any]:
        """A copy elsewhere knows of the training graphs what a file would, not the graphs."""
        if self._training is not None and hasattr(self, self.fitted):
            self._domain, self._fingerprint = self.domain_, self.fingerprint_
        state: dict[str, Any] = super().__getstate__()
        return {**state, "_training": None}

    def __sklearn_clone__(self) -> Self:
        return type(self)(**copy.deepcopy(self._given()))

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:  # noqa: N803, scikit-learn's name
        settings = self.described_settings()
        given = {
            name: value
            for name, value in self._given().items()
            if name not in settings or repr(value) != repr(settings[name].default)
        }
        text = ", ".join(f"{name}={value!r}" for name, value in given.items())
        return f"{type(self).__name__}({text})"[:N_CHAR_MAX]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.target_tags.required = False
        return tags

    @abstractmethod
    def _score(self, truth: NDArray[Any], predicted: NDArray[Any], weights: Any) -> float:
        """How well predictions fit."""

    def _given(self) -> dict[str, Any]:
        """What the user has set."""
        return {name: value for name, value in vars(self).items() if not is_learned(name)}

    def _strangers(self, names: Iterable[str]) -> list[str]:
        """Names that are no setting; an unknown part might have any, a fit will refuse it."""
        known = self.described_settings()
        if self.part and not known[self.part].check(getattr(self, self.part)):
            return []
        return [name for name in names if name not in known]

    def _refuse_strangers(self, names: Iterable[str]) -> None:
        for stranger in self._strangers(names)[:1]:
            known = self.described_settings()
            owner = getattr(self, self.part) if self.part else type(self).__name__
            near = suggestion(stranger, known) or f"; it has {', '.join(known)}"
            raise SettingError(f"{owner} has no setting {stranger!r}{near}")

    def _begin(self, graphs: Any, y: Any) -> tuple[Selection, NDArray[Any]]:
        """The graphs to fit on and their targets, from which the coding is learned."""
        self.check()
        selection = as_selection(graphs)
        targets = self._targets(selection, y)
        self.coding_ = self.task.learn(targets)
        self._training, self._domain, self._fingerprint = selection, None, None
        self.__dict__.pop("card_", None)
        self.chemistry_ = selection.dataset.chemistry
        self.trained_on_ = {
            "name": selection.dataset.name,
            "graphs": len(selection),
            **self.task.facts(targets),
        }
        self.ignores_ = ignored(selection.dataset, self.sees)
        lost = [part for part in self.ignores_ if part in ATTRIBUTES]
        if lost and selection is not graphs:  # a protocol, which hands out selections, says it once
            words = in_words(selection.dataset, lost)
            note = f"{self.method_name} ignores {words} of {selection.dataset.name}"
            warnings.warn(note, IgnoredNote, stacklevel=3)
        return selection, targets

    def _trained_on(self, asked: str) -> Dataset:
        if self._training is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {asked!r}")
        return self._training.cut_out()

    def _targets(self, selection: Selection, y: Any) -> NDArray[Any]:
        """The target of every selected graph, as the task takes it."""
        if y is None:
            column = own_targets(selection.dataset)[selection.graphs]
        else:
            column = target_column(y, len(selection))
        return self.task.checked(column)


class GraphClassifier(ClassifierMixin, GraphEstimator):
    """An estimator of classes."""

    task = CLASSIFICATION
    coding_: Classes
    calibration_: Calibration | None = None
    score = GraphEstimator.score  # in the place of the mixin's, which wants y

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes that the fit has seen, sorted."""
        return self.coding_.names

    def predict_with_proba(self, graphs: Any) -> tuple[NDArray[Any], NDArray[Any] | None]:
        """The classes and the probability of each; None where a fit has learned none."""
        if not hasattr(self, "predict_proba"):
            return self.predict(graphs), None
        probabilities = self.predict_proba(graphs)
        return self.coding_.decode(probabilities), probabilities

    def _score(self, truth: NDArray[Any], predicted: NDArray[Any], weights: Any) -> float:
        return float(np.average(truth == predicted, weights=weights))


class GraphRegressor(RegressorMixin, GraphEstimator):
    """An estimator of values."""

    task = REGRESSION
    score = GraphEstimator.score  # in the place of the mixin's, which wants y

    def _score(self, truth: NDArray[Any], predicted: NDArray[Any], weights: Any) -> float:
        return float(r2_score(truth, predicted, sample_weight=weights))


def is_learned(name: str) -> bool:
    """Whether an attribute is one of a fit, or private, by scikit-learn's convention."""
    return name.startswith("_") or name.endswith("_")


def show_settings(estimator: type[GraphEstimator], settings: dict[str, Setting]) -> None:
    """Give a class the signature and the docstring that its settings make."""

    def __init__(self: Any, **settings: Any) -> None:  # noqa: N807
        GraphEstimator.__init__(self, **settings)

    kind = inspect.Parameter.KEYWORD_ONLY
    __init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
            *(
                inspect.Parameter(name, kind, default=s.default, annotation=s.type)
                for name, s in settings.items()
            ),
        ]
    )
    __init__.__qualname__ = f"{estimator.__name__}.__init__"
    estimator.__init__ = __init__  # type: ignore[method-assign]
    estimator.__doc__ = f"{inspect.cleandoc(estimator.__doc__ or '')}\n\n{argument_list(settings)}"


def argument_list(settings: dict[str, Setting]) -> str:
    """The settings as the Args of a docstring."""
    wrapped = TextWrapper(96, initial_indent=" " * 4, subsequent_indent=" " * 8).fill
    texts = (
        f"{name}: {s.meaning}; {s.allowed} (default {s.default!r})." for name, s in settings.items()
    )
    return "\n".join(["Args:", *map(wrapped, texts)])
