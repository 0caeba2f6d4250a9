"""THE registry: what a row of a table is made with, what is tried for it, whom to cite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrings.errors import ExperimentError
from graphrings.own_methods import OwnMethod, installed_methods, own_method
from graphrings.spelling import suggestion

if TYPE_CHECKING:
    from graphrings.tasks import Task

NOT_SETTINGS = ("random_state", "verbose")


@dataclass(frozen=True)
class Method:
    """An estimator that an experiment can name.

    ``estimator`` is a dotted path below graphrings, imported when it is first needed; the task
    adds its ending, ``Classifier`` or ``Regressor`` (the former where no task is named).
    ``settings`` differ from the estimator's own defaults; ``grid`` holds what is tried where an
    experiment says nothing else. ``growth`` is how the time of a fit grows with the graphs: 1 in
    proportion, 2 with the square, as all that needs a Gram matrix.
    """

    name: str
    estimator: str
    summary: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    grid: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    citation: str = ""
    growth: int = 1

    @property
    def versions(self) -> Mapping[str, str]:
        """Of the packages that it comes from, beside ours."""
        return {}

    @property
    def revision(self) -> int:
        """Goes up when a method computes other numbers; a store does not mix them with old ones."""
        return REVISIONS.get(self.name, 1)

    def build(self, settings: Mapping[str, Any], seed: int, task: Task | None = None) -> Any:
        """A fresh estimator."""
        return self.estimator_class(task)(**{**self.settings, **settings}, random_state=seed)

    def parameters(self, task: Task | None = None) -> dict[str, Any]:
        """Every setting with the value that it has where nothing is said."""
        parameters = self.estimator_class(task)(**self.settings).get_params(deep=False)
        return {name: value for name, value in parameters.items() if name not in NOT_SETTINGS}

    def described(self, task: Task | None = None) -> dict[str, Any]:
        """Every setting with its meaning, type and allowed values, a ``Setting`` each."""
        settings = self.estimator_class(task)(**self.settings).described_settings()
        return {name: settings[name] for name in self.parameters(task)}

    def sees(self, task: Task | None = None) -> tuple[str, ...]:
        """What it sees of graphs besides their structure."""
        seen: tuple[str, ...] = self.estimator_class(task)(**self.settings).sees
        return seen

    def check(self, settings: Mapping[str, Any], task: Task | None = None) -> None:
        """Refuse values that the estimator would refuse, as far as it can say so without data."""
        self.build(settings, 0, task).check()

    def estimator_class(self, task: Task | None) -> Any:
        """The class of its estimators for a task."""
        module, _, name = self.estimator.rpartition(".")
        ending = "Classifier" if task is None else task.estimator
        return getattr(import_module(f"graphrings.{module}"), f"{name}{ending}")


def find(name: str, beside: Path | None = None) -> Method | OwnMethod:
    """The method of a name: ours, that of an installed package, or that of an import path.

    A module of an import path may lie in the folder ``beside``.
    """
    method = METHODS.get(name) or own_method(name, beside)
    if method is None:
        known = known_methods()
        own = "; a method of your own is named module:Class" if "." in name else ""
        raise ExperimentError(
            f"unknown method {name!r}; known methods are {', '.join(known)}"
            f"{suggestion(name, known) or own}"
        )
    return method


def known_methods() -> dict[str, Method | OwnMethod]:
    """All methods with a name of their own: ours, and then those of installed packages."""
    return {**METHODS, **{k: m for k, m in installed_methods().items() if k not in METHODS}}


def kernel_method(name: str, summary: str, citation: str, **grid: tuple[Any, ...]) -> Method:
    """A support vector machine, or ridge regression, on the kernel of a name."""
    estimator, settings = "learning.kernel_estimators.Kernel", {"kernel": name}
    return Method(name, estimator, summary, settings, {**grid, "C": DECADES}, citation, growth=2)


def network_method(
    name: str,
    summary: str,
    citation: str,
    settings: Mapping[str, Any] | None = None,
    **grid: tuple[Any, ...],
) -> Method:
    """The network of a name."""
    estimator, named = "learning.network_estimators.Network", {"network": name, **(settings or {})}
    return Method(name, estimator, summary, named, grid, citation)


DECADES = (1e-3, 1e-2, 1e-1, 1.0, 1e1, 1e2, 1e3)
RATES = (1e-3, 1e-2)
HEIGHTS = (0, 1, 2, 3, 4, 5)
DEEP = "Yanardag and Vishwanathan, KDD 2015"
PGC = "Tran, Navarin and Sperduti, IEEE SSCI 2018"
REVISIONS = {
    "pgc-dgcnn": 2,  # filters of every ring start for themselves
    "walk-dgcnn": 2,  # the same
    "pgc-dgcnn-released": 2,  # tied nodes stand in their own order
    "random-walk": 2,  # learns its decay from the training graphs alone
    "deep-wl": 2,  # learns its embeddings from the training graphs alone
    "deep-graphlet": 2,  # the same
    "ring-forest": 2,  # knows nodes by labels alone where pairs with degrees are too many
    "ring-boosting": 3,  # grows its trees itself, each on a part of the columns; then the same
    "committee": 4,  # may have such members; all count alike unless that is clearly worse
}
METHODS = {
    method.name: method
    for method in (
        Method(
            "pgc-dgcnn",
            "learning.named_networks.PGC",
            "the paper's network: every distance ring averaged on its own, SortPooling",
            grid={"radius": (1, 2, 3)},
            citation=PGC,
        ),
        Method(
            "dgcnn",
            "learning.named_networks.DGCNN",
            "the network it extends: a node and its neighbours averaged together, SortPooling",
            citation="Zhang, Cui, Neumann and Chen, AAAI 2018",
        ),
        Method(
            "pgc-dgcnn-released",
            "learning.named_networks.ReleasedPGC",
            "what the authors' published code computes, which is not the equation",
            grid={"learning_rate": (1e-4, 1e-5)},  # theirs, by dataset
            citation=f"{PGC}, as their published code computes it",
        ),
        network_method(
            "gcn",
            "neighbours added up by the roots of both sides' degrees",
            "Kipf and Welling, ICLR 2017",
            learning_rate=RATES,
        ),
        network_method(
            "gnn",
            "states that agree with those of their neighbours: a fixed point",
            "Scarselli et al., IEEE Transactions on Neural Networks 2009",
            learning_rate=RATES,
        ),
        network_method(
            "ggnn",
            "gated recurrent steps with shared weights, a gated sum over nodes",
            "Li, Tarlow, Brockschmidt and Zemel, ICLR 2016",
            learning_rate=RATES,
        ),
        network_method(
            "fingerprint",
            "neural fingerprints: every node writes into one vector in every layer",
            "Duvenaud et al., NeurIPS 2015",
            learning_rate=RATES,
        ),
        network_method(
            "gin",
            "sums over neighbours under perceptrons, as strong as the WL test",
            "Xu, Hu, Leskovec and Jegelka, ICLR 2019",
            learning_rate=RATES,
            dropout=(0.0, 0.5),  # theirs
        ),
        network_method(
            "gat",
            "attention decides what a neighbour counts for",
            "Velickovic et al., ICLR 2018",
            learning_rate=RATES,
        ),
        network_method(
            "ecc",
            "filters that depend on the labels of edges",
            "Simonovsky and Komodakis, CVPR 2017",
        ),
        network_method(
            "patchy-san",
            "receptive fields in a canonical order, read by a 1-D network",
            "Niepert, Ahmed and Kutzkov, ICML 2016",
            field=(5, 10),
        ),
        network_method(
            "dcnn",
            "features diffused by random walks, averaged over the graph",
            "Atwood and Towsley, NeurIPS 2016",
            {"learning_rate": 1e-2},  # it has so few weights; theirs was 0.05, with AdaGrad
            hops=(2, 3, 5),
        ),
        network_method(
            "nn4g",
            "every layer sees the features and the neighbours in all layers before",
            "Micheli, IEEE Transactions on Neural Networks 2009",
            learning_rate=RATES,
        ),
        network_method(
            "walk-dgcnn",
            "pgc-dgcnn with walks (powers of A) in the place of distance rings",
            f"the alternative that {PGC}, decided against",
            {"learning_rate": 3e-4},  # that of pgc-dgcnn
            radius=(1, 2, 3),
        ),
        network_method(
            "ring-fcn",
            "ring convolutions alone: on the graph, then on the path of its sorted nodes",
            f"after the future work of {PGC}",
            learning_rate=RATES,
        ),
        network_method(
            "pgc-sets",
            "ring convolutions under readouts of sets: DeepSets, or mean, sum and maximum",
            "Navarin, Tran and Sperduti, IJCNN 2019, and Pasa et al., Machine Learning 2022",
            readout=("deep-sets", "mean-sum-max"),
        ),
        Method(
            "ring-forest",
            "learning.forests.Forest",
            "trees on counts of label pairs at every distance and on statistics of a graph",
            grid={"radius": (1, 3, 5)},
            citation=f"after {PGC}, and Geurts, Ernst and Wehenkel, Machine Learning 2006",
        ),
        Method(
            "ring-boosting",
            "learning.boosting.Boosting",
            "the table of ring-forest under boosted trees, each for what those before have missed",
            grid={"radius": (1, 3)},
            citation=f"after {PGC}, and Friedman, Annals of Statistics 2001",
        ),
        Method(
            "committee",
            "committees.estimators.Committee",
            "several methods, each with its own choice, calibrated, weighted and averaged",
            {"members": ["ring-forest", "wl-oa"]},
            citation="after Caruana, Niculescu-Mizil, Crew and Ksikes, ICML 2004",
        ),
        Method(
            "baseline-labels",
            "learning.baseline.Baseline",
            "counts node labels (or degrees) and sees no structure: what every method should beat",
            grid={
                "kind": ("counts", "shares"),
                "C": DECADES,
            },
            citation="after Errica, Podda, Bacciu and Micheli, ICLR 2020",
        ),
        kernel_method(
            "wl",
            "counts of Weisfeiler-Lehman colours",
            "Shervashidze et al., JMLR 2011",
            height=HEIGHTS,
        ),
        kernel_method(
            "wl-oa",
            "the best assignment of nodes by their Weisfeiler-Lehman colours",
            "Kriege, Giscard and Wilson, NeurIPS 2016",
            height=HEIGHTS,
        ),
        kernel_method(
            "wwl",
            "what it costs to move the Weisfeiler-Lehman colours of one graph onto another's",
            "Togninalli et al., NeurIPS 2019",
            height=HEIGHTS,
            scale=(0.1, 1.0, 10.0),
        ),
        kernel_method(
            "ring-wl",
            "Weisfeiler-Lehman colours refined by distance rings instead of neighbours",
            f"after {PGC}",
            radius=(2, 3),
            height=HEIGHTS,
        ),
        kernel_method("graphlet", "counts of small subgraphs", "Shervashidze et al., AISTATS 2009"),
        kernel_method(
            "random-walk",
            "walks that two graphs have in common",
            "Vishwanathan et al., JMLR 2010",
            decay=("auto", "largest"),
        ),
        kernel_method(
            "propagation",
            "label distributions that spread over the graph, hashed into bins",
            "Neumann et al., Machine Learning 2016",
            height=HEIGHTS,
        ),
        kernel_method(
            "shortest-path",
            "counts of label pairs at every distance",
            "Borgwardt and Kriegel, ICDM 2005",
        ),
        kernel_method(
            "ring-profile",
            "how often two labels are at a distance: the paper's rings, counted",
            f"after {PGC}",
            radius=(1, 2, 3, 5),
            scale=("counts", "roots", "logs"),
        ),
        kernel_method(
            "nspdk",
            "pairs of neighbourhoods at every distance",
            "Costa and De Grave, ICML 2010",
            radius=(1, 2, 3),
            distance=(2, 4, 6),
        ),
        kernel_method(
            "odd-sth",
            "subtrees of the ordered decomposition into directed acyclic graphs",
            "Da San Martino, Navarin and Sperduti, SDM 2012",
            height=(1, 2, 3),
        ),
        kernel_method(
            "deep-wl",
            "Weisfeiler-Lehman colours, alike if they occur together",
            DEEP,
            height=HEIGHTS,
        ),
        kernel_method(
            "deep-graphlet", "small subgraphs, alike if they occur together", DEEP, size=(3, 4, 5)
        ),
    )
}
