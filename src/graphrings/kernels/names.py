"""The kernels by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from graphrings.errors import SettingError

if TYPE_CHECKING:
    from graphrings.kernels.kernel import Kernel


@dataclass(frozen=True)
class Named:
    """A class below graphrings.kernels, imported when it is first needed, and what is fixed."""

    path: str
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """The class."""
        module, _, name = self.path.rpartition(".")
        return getattr(import_module(f"graphrings.kernels.{module}"), name)


KERNELS = {
    "wl": Named("weisfeiler_lehman.WeisfeilerLehman"),
    "wl-oa": Named("wl_optimal_assignment.WLOptimalAssignment"),
    "ring-wl": Named("weisfeiler_lehman.RingWeisfeilerLehman"),
    "graphlet": Named("graphlet.Graphlet"),
    "random-walk": Named("random_walk.RandomWalk"),
    "propagation": Named("propagation.Propagation"),
    "shortest-path": Named("shortest_path.ShortestPath"),
    "nspdk": Named("nspdk.NSPDK"),
    "odd-sth": Named("odd_sth.ODDSTh"),
    "deep-wl": Named("deep_graph.DeepGraph", {"base": "wl"}),
    "deep-graphlet": Named("deep_graph.DeepGraph", {"base": "graphlet"}),
}
CLASSES = {named.path.rpartition(".")[2]: named for named in KERNELS.values()}


def settings_of(name: str) -> dict[str, Any]:
    """The settings that the kernel of a name has, with their defaults."""
    named = find(name)
    found: dict[str, Any] = named.load()().get_params(deep=False)
    return {key: value for key, value in found.items() if key not in named.fixed}


def build(name: str, **settings: Any) -> Kernel:
    """The kernel of a name; settings that it does not have are refused."""
    known = settings_of(name)
    for setting in settings:
        if setting not in known:
            raise SettingError(f"{name} has no setting {setting!r}; expected {', '.join(known)}")
    kernel: Kernel = find(name).load()(**find(name).fixed, **settings)
    return kernel


def find(name: str) -> Named:
    """What stands behind a name."""
    if name not in KERNELS:
        raise SettingError(f"kernel = {name!r}; expected one of {', '.join(KERNELS)}")
    return KERNELS[name]
