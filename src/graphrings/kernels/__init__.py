"""Graph kernels, one per file, each imported when it is first used."""

from typing import TYPE_CHECKING, Any

from graphrings.kernels.names import CLASSES

if TYPE_CHECKING:
    from graphrings.kernels.deep_graph import DeepGraph as DeepGraph
    from graphrings.kernels.graphlet import Graphlet as Graphlet
    from graphrings.kernels.nspdk import NSPDK as NSPDK
    from graphrings.kernels.odd_sth import ODDSTh as ODDSTh
    from graphrings.kernels.propagation import Propagation as Propagation
    from graphrings.kernels.random_walk import RandomWalk as RandomWalk
    from graphrings.kernels.ring_profile import ProfileKernel as ProfileKernel
    from graphrings.kernels.shortest_path import ShortestPath as ShortestPath
    from graphrings.kernels.wasserstein_wl import WassersteinWL as WassersteinWL
    from graphrings.kernels.weisfeiler_lehman import RingWeisfeilerLehman as RingWeisfeilerLehman
    from graphrings.kernels.weisfeiler_lehman import WeisfeilerLehman as WeisfeilerLehman
    from graphrings.kernels.wl_optimal_assignment import WLOptimalAssignment as WLOptimalAssignment

__all__ = sorted(CLASSES)


def __getattr__(name: str) -> Any:
    if name not in CLASSES:
        raise AttributeError(f"module 'graphrings.kernels' has no attribute {name!r}")
    return CLASSES[name].load()


def __dir__() -> list[str]:
    return __all__
