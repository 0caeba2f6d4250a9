"""Any network by its name, as a scikit-learn estimator."""

from __future__ import annotations

from typing import Any

from graphrings.errors import SettingError
from graphrings.learning.network_estimator import CHECKS, NetworkEstimator
from graphrings.learning.open_settings import OpenSettings
from graphrings.networks.names import NETWORKS
from graphrings.networks.network import Network, settings_of
from graphrings.settings import Checks, check_settings

OWN_CHECKS: Checks = {
    **CHECKS,
    "network": (f"one of {', '.join(NETWORKS)}", lambda v: v in NETWORKS),
}


class NetworkClassifier(OpenSettings, NetworkEstimator):
    """A graph network that is chosen by name.

    Args:
        network: a name from ``graphrings.networks.names``, such as ``gin``.
        features: what a node shows; see ``NetworkEstimator``, as for all settings of the training.
        learning_rate, batch_size, max_epochs, patience: of the training.
        validation_fraction: of the training graphs, held out for early stopping.
        class_weight: None, ``balanced``, or a dictionary with a weight for every class.
        random_state: a seed; the same one gives the same fit to the last bit.
        verbose: whether to show a progress bar.
        **settings: those of the network itself, such as ``channels``.

    """

    checks = OWN_CHECKS
    part = "network"

    def __init__(
        self,
        network: str = "gcn",
        *,
        features: str = "auto",
        learning_rate: float = 1e-3,
        batch_size: int = 50,
        max_epochs: int = 300,
        patience: int = 30,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        random_state: Any = None,
        verbose: bool = False,
        **settings: Any,
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
        self.network = network
        self._settings = settings

    def check_part(self) -> None:
        """Refuse settings that the network does not have, or whose values make no sense to it."""
        known = settings_of(self._network_class())
        if strangers := [name for name in self._settings if name not in known]:
            raise SettingError(
                f"{self.network} has no setting {strangers[0]!r}; it has {', '.join(known)}"
            )
        check_settings(self._network_settings(), self._network_class().checks)

    def _learn_classes(self, graphs: Any, y: Any) -> Any:
        found = super()._learn_classes(graphs, y)
        self.check_part()
        return found

    def _defaults(self) -> dict[str, Any]:
        known = isinstance(self.network, str) and self.network in NETWORKS
        return settings_of(NETWORKS[self.network]) if known else {}

    def _network_class(self) -> type[Network]:
        return NETWORKS[self.network]

    def _network_settings(self) -> dict[str, Any]:
        return {**self._defaults(), **self._settings}
