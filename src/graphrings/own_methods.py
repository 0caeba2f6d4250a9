"""Methods of other people: estimators named by an import path, or by an installed package.

Only here is code imported whose name stands in a file of the user's, and only what an experiment
asks for: nothing is evaluated, and no store, export or model file leads here.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from graphrings.errors import ExperimentError, SettingError
from graphrings.settings import Setting
from graphrings.spelling import suggestion

if TYPE_CHECKING:
    from graphrings.learning.own_estimator import OwnEstimator
    from graphrings.tasks import Task

GROUP = "graphrings.methods"  # of entry points
DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
IMPORT_PATH = re.compile(f"{DOTTED}:{DOTTED}")
SEED = "random_state"
MADE_BY = "a class with fit and predict, or a function that makes such an estimator"


@dataclass(frozen=True)
class OwnMethod:
    """An estimator that an experiment can name although graphrings does not know it.

    ``path`` is ``module:Class``, or a function in the place of the class; the module may lie in the
    folder ``beside``. Settings go to the constructor. ``name`` is what the experiment calls it:
    the path, or the name that the installed ``package`` gave it.
    """

    name: str
    path: str
    beside: Path | None = None
    package: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    settings: ClassVar[Mapping[str, Any]] = {}
    grid: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    citation: ClassVar[str] = ""
    growth: ClassVar[int] = 2  # at most, as far as anybody knows
    revision: ClassVar[int] = 1

    @property
    def summary(self) -> str:
        """Where it comes from; to say more it would have to be imported."""
        return f"{self.path}, from the package {self.package}" if self.package else self.path

    def build(
        self, settings: Mapping[str, Any], seed: int, task: Task | None = None
    ) -> OwnEstimator:
        """A fresh estimator; it gets the seed if it takes a ``random_state``."""
        from graphrings.learning.own_estimator import OwnEstimator

        estimator = self._made(settings, seed)
        if task is not None:
            self._check_task(estimator, task)
        return OwnEstimator(self.name, estimator)

    def parameters(self, task: Task | None = None) -> dict[str, Any]:
        """Every setting with its default."""
        return {name: setting.default for name, setting in self.described(task).items()}

    def described(self, task: Task | None = None) -> dict[str, Setting]:
        """What its signature names, and what ``get_params`` adds: parts of parts, for instance."""
        del task
        allowed = "what its constructor takes"
        return {
            name: Setting("a setting of its own", allowed, lambda _: True, default=default)
            for name, default in self._defaults.items()
            if name != SEED
        }

    def sees(self, task: Task | None = None) -> tuple[str, ...]:
        """It gets whole graphs; what it makes of them is its own affair."""
        from graphrings.graphs.carried import EVERYTHING

        del task
        return EVERYTHING

    def check(self, settings: Mapping[str, Any], task: Task | None = None) -> None:
        """Refuse what its constructor refuses, once everything is there that it must be given."""
        if self._required <= settings.keys():
            self.build(settings, 0, task)

    @cached_property
    def _target(self) -> Any:
        """The class or function itself."""
        place, _, attribute = self.path.partition(":")
        module = self._imported(place)
        try:
            target = attrgetter(attribute)(module)
        except AttributeError:
            known = [name for name in vars(module) if not name.startswith("_")]
            raise ExperimentError(
                f"{self.path}: {place} has no {attribute!r}; expected {MADE_BY}"
                f"{suggestion(attribute, known)}"
            ) from None
        if inspect.isclass(target):
            is_maker = all(callable(getattr(target, name, None)) for name in ("fit", "predict"))
        else:
            is_maker = inspect.isroutine(target)
        if not is_maker:
            kind = "a class" if inspect.isclass(target) else f"of type {type(target).__name__}"
            raise ExperimentError(f"{self.path} is {kind}; expected {MADE_BY}")
        return target

    def _imported(self, name: str) -> Any:
        if self.beside is not None:
            make_importable(self.beside)
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise ExperimentError(f"{self.path}: importing {name} fails: {error}") from error
            files = [] if self.beside is None else [file.stem for file in self.beside.glob("*.py")]
            where = "" if self.beside is None else f", or a file in {self.beside}"
            raise ExperimentError(
                f"{self.path}: no module named {error.name!r}; expected one that is installed"
                f"{where}{suggestion(name, files)}"
            ) from error
        except Exception as error:  # it may fail in any way
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise ExperimentError(f"{self.path}: importing {name} fails: {reason}") from error

    @cached_property
    def _arguments(self) -> Mapping[str, inspect.Parameter]:
        """What the constructor can be given by name."""
        by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
        parameters = inspect.signature(self._target).parameters
        return {name: one for name, one in parameters.items() if one.kind in by_name}

    @property
    def _required(self) -> set[str]:
        return {name for name, one in self._arguments.items() if one.default is one.empty}

    @cached_property
    def _defaults(self) -> Mapping[str, Any]:
        """The default of every setting; None where it must be given."""
        said = {
            name: None if one.default is one.empty else one.default
            for name, one in self._arguments.items()
        }
        if self._required:
            return said
        estimator = self._made({}, None)
        if not hasattr(estimator, "get_params"):
            return said
        return {**said, **estimator.get_params(deep=True)}

    def _made(self, settings: Mapping[str, Any], seed: int | None) -> Any:
        """An estimator; what the constructor does not name is set afterwards."""
        arguments = self._arguments
        given = dict(settings)
        if seed is not None and SEED in (arguments if self._required else self._defaults):
            given[SEED] = seed
        try:
            estimator = self._target(**{k: v for k, v in given.items() if k in arguments})
            if further := {k: v for k, v in given.items() if k not in arguments}:
                estimator.set_params(**further)
        except Exception as error:  # a constructor may refuse in its own way
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise SettingError(f"{self.path} refuses its settings: {reason}") from error
        for name in ("fit", "predict"):
            if not callable(getattr(estimator, name, None)):
                raise ExperimentError(
                    f"{self.path} makes something of type {type(estimator).__name__}, which has "
                    f"no {name}; expected {MADE_BY}"
                )
        return estimator

    def _check_task(self, estimator: Any, task: Task) -> None:
        kind = kind_of(estimator)
        if kind not in (None, task.estimator.lower()):
            raise ExperimentError(
                f"{self.path} is a {kind}; expected a {task.estimator.lower()} for "
                f"task = {task.name!r}"
            )


def kind_of(estimator: Any) -> str | None:
    """What scikit-learn takes it for: classifier, regressor or something else; None if unsaid."""
    if hasattr(estimator, "__sklearn_tags__"):
        kind = estimator.__sklearn_tags__().estimator_type
    else:
        kind = getattr(estimator, "_estimator_type", None)
    return None if kind is None else str(kind)


def make_importable(folder: Path) -> None:
    """Let modules of a folder be imported, after all others, as long as this process lives."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def own_method(name: str, beside: Path | None = None) -> OwnMethod | None:
    """The method of an import path, or of a name that an installed package gives; None if none."""
    if ":" in name:
        if not IMPORT_PATH.fullmatch(name):
            raise ExperimentError(
                f"{name!r} is no import path; expected module:Class, such as "
                "mypackage.module:MyClassifier"
            )
        return OwnMethod(name, name, beside)
    offers = [entry for entry in entry_points(group=GROUP) if entry.name == name]
    if len({entry.value for entry in offers}) > 1:
        raise ExperimentError(
            f"several installed packages offer a method {name!r}: "
            f"{', '.join(sorted(map(_package, offers)))}; name it by its import path, such as "
            f"{offers[0].value}"
        )
    return _installed(offers[0]) if offers else None


def installed_methods() -> dict[str, OwnMethod]:
    """The methods that installed packages offer, by name; nothing is imported."""
    entries = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: _installed(entry) for entry in entries}


def _installed(entry: EntryPoint) -> OwnMethod:
    versions = {} if entry.dist is None else {entry.dist.name: entry.dist.version}
    return OwnMethod(entry.name, entry.value, package=_package(entry), versions=versions)


def _package(entry: EntryPoint) -> str:
    return entry.value.partition(".")[0] if entry.dist is None else str(entry.dist.name)
