"""THE registry: what a row of a table is made with, what is tried for it, whom to cite."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, get_type_hints

from graphrings.errors import ExperimentError
from graphrings.settings import check_settings

NOT_SETTINGS = ("random_state", "verbose")


@dataclass(frozen=True)
class Method:
    """A classifier that an experiment can name.

    ``estimator`` is a dotted path below graphrings, imported when it is first needed. ``settings``
    differ from the estimator's own defaults; ``grid`` holds what is tried where an experiment says
    nothing else.
    """

    name: str
    estimator: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    citation: str = ""

    def build(self, settings: Mapping[str, Any], seed: int) -> Any:
        """A fresh estimator."""
        return self._class()(**{**self.settings, **settings}, random_state=seed)

    def parameters(self) -> dict[str, Any]:
        """Every setting with the value that it has where nothing is said."""
        found = self._class()(**self.settings).get_params(deep=False)
        return {name: value for name, value in found.items() if name not in NOT_SETTINGS}

    def types(self) -> dict[str, Any]:
        """The annotated type of every setting; Any where there is none."""
        hints = get_type_hints(self._class().__init__)
        return {name: hints.get(name, Any) for name in self.parameters()}

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse values that the estimator would refuse, as far as it can say so without data."""
        check_settings(settings, self._class().checks)

    def _class(self) -> Any:
        module, _, name = self.estimator.rpartition(".")
        return getattr(import_module(f"graphrings.{module}"), name)


def find(name: str) -> Method:
    """The method of a name."""
    if name not in METHODS:
        raise ExperimentError(
            f"unknown method {name!r}; known methods are {', '.join(METHODS)}"
            f"{suggestion(name, METHODS)}"
        )
    return METHODS[name]


def suggestion(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the nearest known one, if one is near."""
    spelled = {other.lower(): other for other in known}
    nearest = difflib.get_close_matches(word.lower(), spelled, n=1)
    return f"; did you mean {spelled[nearest[0]]!r}?" if nearest else ""


PGC = "Tran, Navarin and Sperduti, IEEE SSCI 2018"
METHODS = {
    method.name: method
    for method in (
        Method(
            "pgc-dgcnn",
            "learning.classifier.PGCClassifier",
            grid={"radius": (1, 2, 3)},
            citation=PGC,
        ),
        Method(
            "dgcnn",
            "learning.classifier.DGCNNClassifier",
            citation="Zhang, Cui, Neumann and Chen, AAAI 2018",
        ),
        Method(
            "pgc-dgcnn-released",
            "learning.classifier.ReleasedPGCClassifier",
            grid={"learning_rate": (1e-4, 1e-5)},  # theirs, by dataset
            citation=f"{PGC}, as their published code computes it",
        ),
        Method(
            "baseline-labels",
            "learning.baseline.LabelBaseline",
            grid={
                "kind": ("counts", "shares"),
                "C": (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3),
            },
            citation="after Errica, Podda, Bacciu and Micheli, ICLR 2020",
        ),
    )
}
