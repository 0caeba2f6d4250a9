"""The networks under SortPooling as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Dataset
from graphrings.learning.network_estimator import CHECKS, NetworkEstimator
from graphrings.learning.trainer import Plan
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.network import RADIUS, Network, settings_of
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.pgc_dgcnn_released import PGCDGCNNReleased


class SortPoolClassifier(NetworkEstimator):
    """What the networks under SortPooling share.

    A subclass names its ``network`` and may add settings of it to these:

    Args:
        channels: filters per layer (and ring); the last layer makes the sort key.
        quantile: of the training graphs' sizes, for the k of SortPooling; ``auto`` is 0.6 where
            nodes have labels and 0.9 where they have none.
        conv_channels, dense, dropout: sizes of the head, and its dropout.

    The other settings are those of ``NetworkEstimator``.

    """

    network: ClassVar[type[Network]]

    def __init__(
        self,
        channels: Sequence[int] = (32, 32, 32, 1),
        *,
        features: str = "auto",
        quantile: float | str = "auto",
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
        learning_rate: float = 3e-4,
        batch_size: int = 50,
        max_epochs: int = 300,
        patience: int = 30,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            features=features,
            learning_rate=learning_rate,
            batch_size=batch_size,
            max_epochs=max_epochs,
            patience=patience,
            validation_fraction=validation_fraction,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
        )
        self.channels = channels
        self.quantile = quantile
        self.conv_channels = conv_channels
        self.dense = dense
        self.dropout = dropout

    @property
    def k_(self) -> int:
        """How many nodes SortPooling keeps."""
        found: int = self.measures_["k"]
        return found

    def _network_class(self) -> type[Network]:
        return self.network

    def _network_settings(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in settings_of(self.network)}


class PGCClassifier(SortPoolClassifier):
    """PGC-DGCNN: Eq. (10) stacked under SortPooling.

    Args:
        radius: the largest distance that a filter sees.
        activation: of the graph convolutions.
        bias: whether filters have one, inside the mean.
        ties: how SortPooling compares rows: by ``all`` columns, or by the ``last`` only.

    The other settings are those of ``SortPoolClassifier``.

    """

    network = PGCDGCNN
    checks = {**CHECKS, "radius": RADIUS}  # noqa: RUF012

    def __init__(
        self,
        radius: int = 2,
        channels: Sequence[int] = (32, 32, 32, 1),
        *,
        features: str = "auto",
        activation: str = "tanh",
        bias: bool = True,
        ties: str = "all",
        quantile: float | str = "auto",
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
        learning_rate: float = 3e-4,
        batch_size: int = 50,
        max_epochs: int = 300,
        patience: int = 30,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            channels,
            features=features,
            quantile=quantile,
            conv_channels=conv_channels,
            dense=dense,
            dropout=dropout,
            learning_rate=learning_rate,
            batch_size=batch_size,
            max_epochs=max_epochs,
            patience=patience,
            validation_fraction=validation_fraction,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
        )
        self.radius = radius
        self.activation = activation
        self.bias = bias
        self.ties = ties


class DGCNNClassifier(SortPoolClassifier):
    """DGCNN (Zhang et al., 2018): Eq. (7) stacked under SortPooling.

    Args:
        activation: of the graph convolutions.
        bias: whether filters have one, inside the mean.
        ties: how SortPooling compares rows: by ``all`` columns, or by the ``last`` only.

    The other settings are those of ``SortPoolClassifier``.

    """

    network = DGCNN

    def __init__(
        self,
        channels: Sequence[int] = (32, 32, 32, 1),
        *,
        features: str = "auto",
        activation: str = "tanh",
        bias: bool = True,
        ties: str = "all",
        quantile: float | str = "auto",
        conv_channels: tuple[int, int] = (16, 32),
        dense: int = 128,
        dropout: float = 0.5,
        learning_rate: float = 3e-4,
        batch_size: int = 50,
        max_epochs: int = 300,
        patience: int = 30,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        super().__init__(
            channels,
            features=features,
            quantile=quantile,
            conv_channels=conv_channels,
            dense=dense,
            dropout=dropout,
            learning_rate=learning_rate,
            batch_size=batch_size,
            max_epochs=max_epochs,
            patience=patience,
            validation_fraction=validation_fraction,
            class_weight=class_weight,
            random_state=random_state,
            verbose=verbose,
        )
        self.activation = activation
        self.bias = bias
        self.ties = ties


class ReleasedPGCClassifier(SortPoolClassifier):
    """What the authors' released code does, training included: see ``pgc_dgcnn_released.py``.

    The settings are those of ``SortPoolClassifier``; the features ``auto`` are labels here, or a
    constant where nodes have none. Theirs are further ``validation_fraction=0.125`` and a learning
    rate of 1e-4 or 1e-5.
    """

    network = PGCDGCNNReleased

    def _kind(self, training: Dataset) -> str:
        usual = "label" if training.n_labels else "constant"
        return usual if self.features == "auto" else self.features

    def _split(
        self, targets: NDArray[np.int64], seed: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The last graphs of the list are held out, whatever their classes."""
        del seed
        last = len(targets) - int(self.validation_fraction * len(targets))
        return np.arange(last), np.arange(last, len(targets))

    def _plan(self) -> Plan:
        return replace(super()._plan(), drop_last=True)
