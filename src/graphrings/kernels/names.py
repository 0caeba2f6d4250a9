"""The kernels by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, get_type_hints

from graphrings.errors import SettingError
from graphrings.settings import Setting
from graphrings.spelling import suggestion

if TYPE_CHECKING:
    from graphrings.kernels.kernel import Kernel


@dataclass(frozen=True)
class Named:
    """A class below graphrings.kernels, imported when it is first needed, and fixed settings."""

    path: str
    fixed: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Any:
        """The class."""
        module, _, name = self.path.rpartition(".")
        return getattr(import_module(f"graphrings.kernels.{module}"), name)


KERNELS = {
    "wl": Named("weisfeiler_lehman.WeisfeilerLehman"),
    "wl-oa": Named("wl_optimal_assignment.WLOptimalAssignment"),
    "wwl": Named("wasserstein_wl.WassersteinWL"),
    "ring-wl": Named("weisfeiler_lehman.RingWeisfeilerLehman"),
    "graphlet": Named("graphlet.Graphlet"),
    "random-walk": Named("random_walk.RandomWalk"),
    "propagation": Named("propagation.Propagation"),
    "shortest-path": Named("shortest_path.ShortestPath"),
    "ring-profile": Named("ring_profile.ProfileKernel"),
    "nspdk": Named("nspdk.NSPDK"),
    "odd-sth": Named("odd_sth.ODDSTh"),
    "deep-wl": Named("deep_graph.DeepGraph", {"base": "wl"}),
    "deep-graphlet": Named("deep_graph.DeepGraph", {"base": "graphlet"}),
}
CLASSES = {named.path.rpartition(".")[2]: named for named in KERNELS.values()}


def kernel_settings(name: str) -> dict[str, Setting]:
    """The settings of the kernel of a name, with default and type as its signature says them."""
    named = find_kernel(name)
    kernel = named.load()
    described, types = (
        {**kernel.shared_settings, **kernel.settings},
        get_type_hints(kernel.__init__),
    )
    return {
        key: replace(described[key], default=parameter.default, type=types[key])
        for key, parameter in signature(kernel).parameters.items()
        if key not in named.fixed
    }


def build(name: str, **settings: Any) -> Kernel:
    """The kernel of a name; settings that it does not have are refused."""
    known = kernel_settings(name)
    for key in settings:
        if key not in known:
            raise SettingError(
                f"{name} has no setting {key!r}; expected {', '.join(known)}"
                f"{suggestion(key, known)}"
            )
    kernel: Kernel = find_kernel(name).load()(**find_kernel(name).fixed, **settings)
    return kernel


def find_kernel(name: str) -> Named:
    """What stands behind a name."""
    if name not in KERNELS:
        raise SettingError(
            f"kernel = {name!r}; expected one of {', '.join(KERNELS)}{suggestion(name, KERNELS)}"
        )
    return KERNELS[name]
