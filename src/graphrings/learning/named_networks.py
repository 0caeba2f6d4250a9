"""The networks under SortPooling by names of their own; the same as ``Network...(name)``."""

from graphrings.learning.network_estimators import NetworkClassifier, NetworkRegressor


class PGCClassifier(NetworkClassifier):
    """PGC-DGCNN: Eq. (10) stacked under SortPooling, for classes."""

    network = "pgc-dgcnn"


class PGCRegressor(NetworkRegressor):
    """PGC-DGCNN: Eq. (10) stacked under SortPooling, for values."""

    network = "pgc-dgcnn"


class DGCNNClassifier(NetworkClassifier):
    """DGCNN (Zhang et al., 2018): Eq. (7) stacked under SortPooling, for classes."""

    network = "dgcnn"


class DGCNNRegressor(NetworkRegressor):
    """DGCNN (Zhang et al., 2018): Eq. (7) stacked under SortPooling, for values."""

    network = "dgcnn"


class ReleasedPGCClassifier(NetworkClassifier):
    """What the authors' released code does, training included: see ``pgc_dgcnn_released.py``.

    The features ``auto`` are labels here, or a constant where nodes have none. The last graphs are
    held out, and a partial batch is dropped. The authors further have ``validation_fraction=0.125``
    and a learning rate of 1e-4 or 1e-5.
    """

    network = "pgc-dgcnn-released"


class ReleasedPGCRegressor(NetworkRegressor):
    """What the authors' released code does, for values; see ``ReleasedPGCClassifier``."""

    network = "pgc-dgcnn-released"
