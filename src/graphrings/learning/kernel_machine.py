"""What all machines on a graph kernel share."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from graphrings.errors import ModelError, SettingError, SizeNote
from graphrings.graphs.adapters.anything import as_dataset, as_selection, is_empty
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.selection import Selection
from graphrings.kernels.kernel import Kernel
from graphrings.kernels.names import KERNELS, build, kernel_settings
from graphrings.learning.chunks import AT_ONCE, MOST_NODES, in_chunks
from graphrings.learning.estimator import GraphEstimator
from graphrings.learning.fold_grams import FoldKernel
from graphrings.learning.kernel_files import kernel_from_file, kernel_to_file
from graphrings.learning.landmarks import Landmarks, landmark_rows, learn_landmarks
from graphrings.learning.sample_weights import checked_weights
from graphrings.learning.training_settings import RANDOM_STATE
from graphrings.limits import in_bytes
from graphrings.settings import Setting, Settings, one_of, positive, switch, whole
from graphrings.threads import one_thread

AUTO = "auto"
MOST_PAIRED = 20_000  # graphs: a table of all pairs takes 3.2 GB then
MOST_COMPARED = 1 << 25  # numbers of a table that is made for a chunk of graphs
SEED = "random_state"  # of kernels that draw; here it is called kernel_seed
MACHINE: Settings = {
    "kernel": one_of("the graph kernel, by name", KERNELS, default="wl"),
    "C": positive("the inverse of the penalty", default=1.0),
    "normalize": switch("divide by the norms, so that k(G, G) = 1", default=True),
    "linear": Setting(
        "learn from explicit features, or by landmarks, without a table of all pairs of graphs; "
        f"auto does for more than {MOST_PAIRED:,}",
        "auto, True or False",
        lambda v: isinstance(v, bool) or v == AUTO,
        AUTO,
        bool | str,
    ),
    "n_landmarks": whole(
        "graphs to compare with in a linear machine on a kernel without explicit features",
        default=1_000,
    ),
    "kernel_seed": whole(
        "of kernels that draw; one for all fits, so that they share a Gram matrix",
        least=0,
        default=0,
    ),
    "random_state": RANDOM_STATE,
}


class Aim(NamedTuple):
    """What a machine is to learn, what every graph counts for, and graphs to choose by."""

    goals: NDArray[Any]
    weights: NDArray[np.float64] | None
    validation: Any

    @property
    def values(self) -> NDArray[np.float64]:
        """The goals of a regression as one column."""
        return self.goals[:, 0].astype(np.float64)


class KernelEstimator(GraphEstimator):
    """What all machines on kernels share: the Gram matrix, or explicit features, and a file.

    ``learned`` names the arrays that make up a fit, beside the graphs to compare with.
    """

    part = "kernel"
    fitted = "intercept_"
    own_settings: ClassVar[Settings] = {}
    learned: ClassVar[tuple[str, ...]] = ("columns_", "dual_coef_", "coef_", "intercept_")
    kernel: str
    graphs_: Dataset
    intercept_: NDArray[np.float64]
    _fold: FoldKernel | None = None  # where the fit was one of a selection
    _landmarks: Landmarks | None = None  # while a machine learns by them

    def __init__(self, kernel: str = "wl", **settings: Any) -> None:
        self.kernel = kernel
        super().__init__(**settings)

    def described_settings(self) -> dict[str, Setting]:
        """Those of the machine, then those of the kernel that are its own."""
        machine = {**MACHINE, **self.own_settings}
        of_kernel = settings_of_kernel(str(self.kernel))
        return {**machine, **{k: s for k, s in of_kernel.items() if k not in machine}}

    @property
    def sees(self) -> tuple[str, ...]:
        """What its kernel sees."""
        return self._build_kernel().sees

    def check(self) -> None:
        """Refuse values that make no sense, to the machine or to the kernel."""
        super().check()
        kernel = self._build_kernel()
        kernel._check_settings()

    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Learn from graphs and their targets; a Dataset brings its own.

        ``validation`` is accepted, as all estimators here do; a classifier does not need it.
        """
        selection, targets = self._begin(graphs, y)
        self._fold = None
        for name in (*self.learned, "settled_"):
            self.__dict__.pop(name, None)
        weights = checked_weights(sample_weight, len(selection))
        aim = Aim(self.coding_.encode(targets), weights, validation)
        with one_thread():
            if not self._takes_rows(selection, said=selection is not graphs):
                self._fit_gram(selection, self._training_gram(graphs), aim)
            elif hasattr(self._build_kernel(), "features"):
                self.graphs_ = without_targets(selection.cut_out())
                self._fit_linear(self._fitted_kernel().features(), aim)
            else:
                self._fit_landmarks(without_targets(selection.cut_out()), aim)
        return self

    def decisions(self, graphs: Any) -> NDArray[np.float64]:
        """What the machine computes for every graph, a column per decision."""
        check_is_fitted(self, "intercept_")
        if is_empty(graphs):
            return np.empty((0, len(self.intercept_)))
        with one_thread():
            values = self._shared_decisions(graphs)
            if values is None:
                values = self._chunk_decisions(as_dataset(graphs))
        sums: NDArray[np.float64] = values + self.intercept_
        return sums

    def _shared_decisions(self, graphs: Any) -> NDArray[np.float64] | None:
        """Those cut out of what all folds of a dataset share, if these graphs are of it."""
        fold = self._fold
        if isinstance(graphs, Selection) and fold and graphs.dataset is fold.training.dataset:
            shared: NDArray[np.float64] = fold.gram(graphs)[:, self._support] @ self._weights().T
            return shared
        return None

    def _chunk_decisions(self, dataset: Dataset) -> NDArray[np.float64]:
        """Those of any graphs, so many at a time that the fitted ones are not looked at often."""
        kernel, known = self._fitted_kernel(), len(self.graphs_)
        at_once = max(AT_ONCE, known)
        if self._is_linear and hasattr(kernel, "features"):

            def answer(part: Dataset) -> NDArray[np.float64]:
                rows = kernel.features(part)
                if rows.shape[1] != self.coef_.shape[1]:
                    raise ModelError(
                        f"{self.coef_.shape[1]:,} coefficients for {rows.shape[1]:,} features of "
                        "its graphs; the model is damaged"
                    )
                return np.asarray(rows @ self.coef_.T)

        else:
            at_once = max(AT_ONCE, min(known, MOST_COMPARED // known))
            columns = slice(None) if self._is_linear else self.columns_
            weights = self.coef_ if self._is_linear else self._weights()

            def answer(part: Dataset) -> NDArray[np.float64]:
                return np.asarray(kernel.transform(part)[:, columns] @ weights.T)

        return in_chunks(answer, dataset, at_once, max(MOST_NODES, self.graphs_.n_nodes))

    def _fits_landmarks(self) -> bool:
        """Whether every landmark, where there are some, has a coefficient."""
        explicit = hasattr(self._build_kernel(), "features")
        return explicit or self.coef_.shape[1:] == (len(self.graphs_),)

    @property
    def _is_linear(self) -> bool:
        """Whether the fit was made without a table of all pairs."""
        return hasattr(self, "coef_")

    def _takes_rows(self, selection: Selection, said: bool) -> bool:
        """Whether to learn from rows of features, as asked or for many graphs, which is said.

        It is the number of all graphs that counts, also of those that other folds learn from.
        """
        if self.linear != AUTO:
            return bool(self.linear)
        n_graphs = len(selection.dataset)
        if n_graphs <= MOST_PAIRED:
            return False
        explicit = hasattr(self._build_kernel(), "features")
        rows = "explicit features" if explicit else f"{self.n_landmarks:,} landmarks"
        if said:
            warnings.warn(
                f"{self.method_name} on {n_graphs:,} graphs: a linear machine on {rows}; a table "
                f"of all pairs would take {in_bytes(8 * n_graphs**2)} (linear = False)",
                SizeNote,
                stacklevel=3,
            )
        return True

    def _fit_linear(self, rows: Any, aim: Aim) -> None:
        with warnings.catch_warnings():
            # How many steps it takes is part of the method.
            warnings.simplefilter("ignore", ConvergenceWarning)
            self._fit_rows(rows, aim)

    def _fit_landmarks(self, dataset: Dataset, aim: Aim) -> None:
        """Learn from features by landmarks; what is kept is what each of these counts for."""
        settled = self._build_kernel().settled(dataset)
        if settled is None:
            raise SettingError(
                f"linear = {self.linear!r}; {self.kernel} has no explicit features, and landmarks "
                "do not know what it learns from all graphs; expected linear = False"
            )
        values = settled.get_params(deep=False)
        self.settled_ = {k: v for k, v in values.items() if v != self._kernel_values().get(k, v)}
        landmarks = learn_landmarks(settled, dataset, self.n_landmarks, self.kernel_seed)
        self.graphs_ = landmarks.graphs
        rows = landmark_rows(settled, landmarks, dataset)
        self._landmarks = landmarks
        self._fit_linear(rows, aim)
        self._landmarks = None

    def _kept(self, coefficients: NDArray[np.float64]) -> NDArray[np.float64]:
        """What every feature counts for, or with landmarks every landmark, a row per decision."""
        rows = np.ascontiguousarray(np.atleast_2d(coefficients))
        return rows if self._landmarks is None else self._landmarks.weights(rows)

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its file holds: the graphs that it compares with, and what each counts for."""
        return kernel_to_file(self)

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""
        model: Self = kernel_from_file(path, cls, header, tensors)
        return model

    @abstractmethod
    def fits_together(self) -> bool:
        """Whether the learned arrays have the shapes that its graphs and targets ask for."""

    @abstractmethod
    def _fit_gram(self, selection: Selection, gram: NDArray[np.float64], aim: Aim) -> None:
        """Learn from the Gram matrix; only the graphs that carry the decision are kept."""

    @abstractmethod
    def _fit_rows(self, rows: Any, aim: Aim) -> None:
        """Learn from explicit features, whose columns all training graphs define."""

    @abstractmethod
    def _weights(self) -> NDArray[np.float64]:
        """What every kept graph counts for, a row per decision."""

    def _validation(self, validation: Any) -> tuple[Any, NDArray[Any]]:
        """The validation graphs and their targets."""
        graphs, y = validation if isinstance(validation, tuple) else (validation, None)
        return graphs, self._targets(as_selection(graphs), y)

    def _training_gram(self, graphs: Any) -> NDArray[np.float64]:
        if isinstance(graphs, Selection):
            self._fold = FoldKernel(self.kernel, self._build_kernel(), graphs)
            return self._fold.gram(graphs)
        return self._build_kernel().fit_transform(as_selection(graphs).dataset)

    def _keep(self, selection: Selection, support: NDArray[np.int64]) -> None:
        """Remember the graphs to compare with, and all others that the kernel has learned from."""
        self._support = support = support.astype(np.int64)
        if self._build_kernel().learns:
            kept, self.columns_ = selection.cut_out(), support
        else:
            kept = selection.dataset[selection.graphs[support]]
            self.columns_ = np.arange(len(support))
        self.graphs_ = without_targets(kept)

    def _fitted_kernel(self) -> Any:
        return self._build_kernel().fit(self.graphs_)

    def _kernel_values(self) -> dict[str, Any]:
        """All settings to build the kernel with."""
        names = settings_of_kernel(self.kernel)
        return {name: self.kernel_seed if name == SEED else getattr(self, name) for name in names}

    def _build_kernel(self) -> Kernel:
        return build(self.kernel, **{**self._kernel_values(), **self.__dict__.get("settled_", {})})

    def __getstate__(self) -> Mapping[str, Any]:
        """A copy elsewhere does not know where its graphs came from."""
        return {**super().__getstate__(), "_fold": None}


@cache
def settings_of_kernel(kernel: str) -> dict[str, Setting]:
    """Those of a kernel, if there is one of that name."""
    return kernel_settings(kernel) if kernel in KERNELS else {}


def without_targets(dataset: Dataset) -> Dataset:
    """The same graphs; what they were is nobody's business any more."""
    return dataset.changed(targets=None, class_names=(), folds=())
