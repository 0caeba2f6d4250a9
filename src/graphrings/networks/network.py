"""What a network is to the rest of the project: settings, what it sees of graphs, scores."""

from __future__ import annotations

import inspect
import operator
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.levels import Levels
from graphrings.graphs.dataset import Dataset
from graphrings.networks.batches import Batch
from graphrings.settings import Checks

RADIUS = "a whole number, 0 or larger", lambda value: operator.index(value) >= 0
RADIUS_OR_NONE = (
    "None, or a whole number, 0 or larger",
    lambda value: value is None or operator.index(value) >= 0,
)


class View(Protocol):
    """What a network sees of a dataset whose nodes have the features that ``start`` numbers.

    A view is a frozen dataclass: its ``repr`` says everything that the levels depend on, and
    networks with equal views share them.
    """

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """The rows that it computes in every layer, and from which ones."""


class Network(nn.Module):
    """From a batch to one score a class.

    A subclass is built with ``n_features``, ``n_classes``, what it measures on the training graphs,
    and settings; those are the keyword arguments with a default, of ``__init__`` and ``measure``.
    ``checks`` says what is expected of them. It is trained once for each of its ``stages``.
    """

    checks: ClassVar[Checks] = {}
    view: View
    stages: int = 1

    @staticmethod
    def measure(training: Dataset, **settings: Any) -> dict[str, Any]:
        """What must be known of the training graphs before there are weights, as plain numbers."""
        del training, settings
        return {}

    def begin(self, stage: int) -> None:
        """Prepare for a stage of the training: say what takes part in it, and what stays as it is.

        Weights that need no gradient stay; what takes part must be kept in buffers.
        """
        del stage

    @abstractmethod
    def forward(self, batch: Batch) -> Tensor:
        """The scores of every graph of the batch, (graphs, classes)."""


def settings_of(network: type[Network]) -> dict[str, Any]:
    """The settings of a network and their defaults."""
    return {**_defaults(network.__init__), **_defaults(network.measure)}


def build(
    network: type[Network],
    sizes: tuple[int, int],
    measures: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> Network:
    """A network for so many features and classes."""
    own = {name: settings[name] for name in _defaults(network.__init__)}
    return network(*sizes, **measures, **own)


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}
