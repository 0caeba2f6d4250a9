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
        check_part = getattr(self.build(settings, 0), "check_part", None)
        if check_part is not None:
            check_part()

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
    begun = [other for other in spelled if word and other.startswith(word.lower())]
    nearest = difflib.get_close_matches(word.lower(), spelled, n=1) or begun
    return f"; did you mean {spelled[nearest[0]]!r}?" if nearest else ""


def kernel_method(name: str, citation: str, **grid: tuple[Any, ...]) -> Method:
    """A support vector machine on the kernel of a name."""
    estimator = "learning.kernel_classifier.KernelClassifier"
    return Method(name, estimator, {"kernel": name}, {**grid, "C": DECADES}, citation)


def network_method(
    name: str, citation: str, settings: Mapping[str, Any] | None = None, **grid: tuple[Any, ...]
) -> Method:
    """The network of a name."""
    estimator = "learning.network_classifier.NetworkClassifier"
    return Method(name, estimator, {"network": name, **(settings or {})}, grid, citation)


DECADES = (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)
RATES = (1e-3, 1e-2)
HEIGHTS = (0, 1, 2, 3, 4, 5)
DEEP = "Yanardag and Vishwanathan, KDD 2015"
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
        network_method("gcn", "Kipf and Welling, ICLR 2017", learning_rate=RATES),
        network_method(
            "gnn",
            "Scarselli et al., IEEE Transactions on Neural Networks 2009",
            learning_rate=RATES,
        ),
        network_method(
            "ggnn", "Li, Tarlow, Brockschmidt and Zemel, ICLR 2016", learning_rate=RATES
        ),
        network_method("fingerprint", "Duvenaud et al., NeurIPS 2015", learning_rate=RATES),
        network_method(
            "gin",
            "Xu, Hu, Leskovec and Jegelka, ICLR 2019",
            learning_rate=RATES,
            dropout=(0.0, 0.5),  # theirs
        ),
        network_method("gat", "Velickovic et al., ICLR 2018", learning_rate=RATES),
        network_method("ecc", "Simonovsky and Komodakis, CVPR 2017"),
        network_method("patchy-san", "Niepert, Ahmed and Kutzkov, ICML 2016", field=(5, 10)),
        network_method(
            "dcnn",
            "Atwood and Towsley, NeurIPS 2016",
            {"learning_rate": 1e-2},  # it has so few weights; theirs was 0.05, with AdaGrad
            hops=(2, 3, 5),
        ),
        network_method(
            "nn4g",
            "Micheli, IEEE Transactions on Neural Networks 2009",
            learning_rate=RATES,
        ),
        network_method(
            "walk-dgcnn",
            f"the alternative that {PGC}, decided against",
            {"learning_rate": 3e-4},  # that of pgc-dgcnn
            radius=(1, 2, 3),
        ),
        Method(
            "baseline-labels",
            "learning.baseline.LabelBaseline",
            grid={
                "kind": ("counts", "shares"),
                "C": DECADES,
            },
            citation="after Errica, Podda, Bacciu and Micheli, ICLR 2020",
        ),
        kernel_method("wl", "Shervashidze et al., JMLR 2011", height=HEIGHTS),
        kernel_method("wl-oa", "Kriege, Giscard and Wilson, NeurIPS 2016", height=HEIGHTS),
        kernel_method("ring-wl", f"after {PGC}", radius=(2, 3), height=HEIGHTS),
        kernel_method("graphlet", "Shervashidze et al., AISTATS 2009"),
        kernel_method("random-walk", "Vishwanathan et al., JMLR 2010"),
        kernel_method("propagation", "Neumann et al., Machine Learning 2016", height=HEIGHTS),
        kernel_method("shortest-path", "Borgwardt and Kriegel, ICDM 2005"),
        kernel_method(
            "nspdk", "Costa and De Grave, ICML 2010", radius=(1, 2, 3), distance=(2, 4, 6)
        ),
        kernel_method(
            "odd-sth", "Da San Martino, Navarin and Sperduti, SDM 2012", height=(1, 2, 3)
        ),
        kernel_method("deep-wl", DEEP, height=HEIGHTS),
        kernel_method("deep-graphlet", DEEP, size=(3, 4, 5)),
    )
}
