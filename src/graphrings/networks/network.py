"""What a network is to the rest of the project: settings, what it sees of graphs, outputs."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Protocol, get_type_hints

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.distances.levels import Levels
from graphrings.graphs.carried import NODE_ATTRIBUTES, NODE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.networks.batches import Batch
from graphrings.networks.settings import SHARED
from graphrings.settings import Setting, Settings


class View(Protocol):
    """What a network sees of a dataset whose nodes have the features that ``start`` numbers.

    A view is a frozen dataclass: its ``repr`` says everything that the levels depend on, and
    networks with equal views share them.
    """

    def __call__(self, dataset: Dataset, start: NDArray[np.int64]) -> Levels:
        """The rows that it computes in every layer, and from which ones."""


class ByHand(Protocol):
    """Outputs for a batch, and then the gradients of all parameters, without autograd."""

    def outputs(self, batch: Batch) -> Tensor:
        """The outputs of every graph, (graphs, outputs), which carry no gradient."""

    def gradients(self, outputs: Tensor) -> None:
        """Write the gradient of every parameter, given that of the outputs of the last batch."""


class Network(nn.Module):
    """From a batch to the outputs of every graph: one per class, or one value.

    A subclass is built with ``n_features``, ``n_outputs``, what it measures on the training graphs,
    and settings; those are the keyword arguments with a default, of ``__init__`` and ``measure``.
    What they mean stands in ``settings``, or in ``networks/settings.py`` where networks share them.
    An ``__init__`` that takes ``**settings`` hands them to that of its base class.

    ``training_settings`` are defaults of the training that differ from the general ones.
    ``holds_out_last`` and ``drop_last`` say whether early stopping looks at the last training
    graphs, not at any, and whether the last, smaller batch of an epoch is left out.
    The network is trained once for each of its ``stages``. ``seen`` names what it sees of graphs
    besides their structure, where its features are ``auto``.
    """

    seen: ClassVar[tuple[str, ...]] = (NODE_LABELS, NODE_ATTRIBUTES)
    settings: ClassVar[Settings] = {}
    training_settings: ClassVar[Mapping[str, Any]] = {}
    holds_out_last: ClassVar[bool] = False
    drop_last: ClassVar[bool] = False
    view: View
    stages: int = 1

    @staticmethod
    def measure(training: Dataset, **settings: Any) -> dict[str, Any]:
        """What must be known of the training graphs before there are weights, as plain numbers."""
        del training, settings
        return {}

    @staticmethod
    def auto_features(training: Dataset) -> str:
        """The features that ``auto`` stands for; by default those of all networks."""
        del training
        return "auto"

    def begin(self, stage: int) -> None:
        """Prepare for a stage of the training: say what takes part in it, and what stays as it is.

        Weights that need no gradient stay; what takes part must be kept in buffers.
        """
        del stage

    def by_hand(self) -> ByHand | None:
        """Both passes of this network without autograd, where somebody has written them out.

        Its parameters have their gradients already, and keep the memory of both.
        """
        return None

    @abstractmethod
    def forward(self, batch: Batch) -> Tensor:
        """The outputs of every graph of the batch, (graphs, outputs)."""


def network_settings(network: type[Network]) -> dict[str, Setting]:
    """Every setting of a network: meaning, allowed values, and default and type by signature."""
    known = {**SHARED, **network.settings}
    settings = {}
    for function in _functions(network):
        types = get_type_hints(function)
        for name, default in _defaults(function).items():
            assert name in known, f"{network.__name__}: nobody says what {name!r} means"
            settings[name] = replace(known[name], default=default, type=types[name])
    return settings


def build(
    network: type[Network],
    sizes: tuple[int, int],
    measures: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> Network:
    """A network for so many features and outputs."""
    *constructors, _ = _functions(network)
    own = {name: settings[name] for function in constructors for name in _defaults(function)}
    return network(*sizes, **measures, **own)


def _functions(network: type[Network]) -> list[Callable[..., Any]]:
    """The constructors that a network's settings go to, its own first, and ``measure``."""
    functions: list[Callable[..., Any]] = []
    for base in network.__mro__:
        if constructor := vars(base).get("__init__"):
            functions.append(constructor)
            parameters = inspect.signature(constructor).parameters.values()
            if all(p.kind is not p.VAR_KEYWORD for p in parameters):
                break
    return [*functions, network.measure]


def _defaults(function: Callable[..., Any]) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}
