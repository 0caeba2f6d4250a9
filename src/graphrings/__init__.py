"""Learning on graphs with filters that see the distance rings of a node.

The public names are imported when they are first used, so that the command line starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphrings import kernels as kernels
    from graphrings import layers as layers
    from graphrings import pyg as pyg
    from graphrings.committees.estimators import CommitteeClassifier as CommitteeClassifier
    from graphrings.committees.estimators import CommitteeRegressor as CommitteeRegressor
    from graphrings.distances.audit import audit as audit
    from graphrings.distances.audit import twin_groups as twin_groups
    from graphrings.distances.colours import refine as refine
    from graphrings.distances.quotient import Quotient as Quotient
    from graphrings.distances.quotient import quotient as quotient
    from graphrings.distances.ring_profile import RingProfile as RingProfile
    from graphrings.distances.ring_profile import ring_profile as ring_profile
    from graphrings.distances.rings import Rings as Rings
    from graphrings.distances.rings import rings as rings
    from graphrings.distances.walks import walk_rings as walk_rings
    from graphrings.errors import GraphRingsError as GraphRingsError
    from graphrings.explanations.explain import explain as explain
    from graphrings.explanations.explanation import Explanation as Explanation
    from graphrings.fit.best import fit_best as fit_best
    from graphrings.graphs import synthetic as synthetic
    from graphrings.graphs.adapters.adjacency import from_scipy as from_scipy
    from graphrings.graphs.adapters.edges import from_edges as from_edges
    from graphrings.graphs.adapters.igraph import from_igraph as from_igraph
    from graphrings.graphs.adapters.networkx import from_networkx as from_networkx
    from graphrings.graphs.adapters.pyg import from_pyg as from_pyg
    from graphrings.graphs.adapters.smiles import from_smiles as from_smiles
    from graphrings.graphs.collect import from_graphs as from_graphs
    from graphrings.graphs.dataset import Dataset as Dataset
    from graphrings.graphs.dataset import Graph as Graph
    from graphrings.graphs.drawing.draw import draw as draw
    from graphrings.graphs.formats.dgcnn_text import read_dgcnn_text as read_dgcnn_text
    from graphrings.graphs.formats.tu import read_tu as read_tu
    from graphrings.graphs.load import load as load
    from graphrings.graphs.read import read as read
    from graphrings.graphs.read_table import read_table as read_table
    from graphrings.graphs.statistics import statistics as statistics
    from graphrings.graphs.write import write as write
    from graphrings.learning.baseline import BaselineClassifier as BaselineClassifier
    from graphrings.learning.baseline import BaselineRegressor as BaselineRegressor
    from graphrings.learning.boosting import BoostingClassifier as BoostingClassifier
    from graphrings.learning.boosting import BoostingRegressor as BoostingRegressor
    from graphrings.learning.forests import ForestClassifier as ForestClassifier
    from graphrings.learning.forests import ForestRegressor as ForestRegressor
    from graphrings.learning.kernel_estimators import KernelClassifier as KernelClassifier
    from graphrings.learning.kernel_estimators import KernelRegressor as KernelRegressor
    from graphrings.learning.models import load_model as load_model
    from graphrings.learning.named_networks import DGCNNClassifier as DGCNNClassifier
    from graphrings.learning.named_networks import DGCNNRegressor as DGCNNRegressor
    from graphrings.learning.named_networks import PGCClassifier as PGCClassifier
    from graphrings.learning.named_networks import PGCRegressor as PGCRegressor
    from graphrings.learning.named_networks import ReleasedPGCClassifier as ReleasedPGCClassifier
    from graphrings.learning.named_networks import ReleasedPGCRegressor as ReleasedPGCRegressor
    from graphrings.learning.network_estimators import NetworkClassifier as NetworkClassifier
    from graphrings.learning.network_estimators import NetworkRegressor as NetworkRegressor
    from graphrings.protocol.in_python import experiment as experiment
    from graphrings.protocol.whole_run import run as run
    from graphrings.report.printed import table as table
    from graphrings.report.written import report as report

__version__ = "0.2.0"

_ROOMS = {
    "BaselineClassifier": "learning.baseline",
    "BaselineRegressor": "learning.baseline",
    "BoostingClassifier": "learning.boosting",
    "BoostingRegressor": "learning.boosting",
    "CommitteeClassifier": "committees.estimators",
    "CommitteeRegressor": "committees.estimators",
    "DGCNNClassifier": "learning.named_networks",
    "DGCNNRegressor": "learning.named_networks",
    "Dataset": "graphs.dataset",
    "Explanation": "explanations.explanation",
    "ForestClassifier": "learning.forests",
    "ForestRegressor": "learning.forests",
    "Graph": "graphs.dataset",
    "GraphRingsError": "errors",
    "KernelClassifier": "learning.kernel_estimators",
    "KernelRegressor": "learning.kernel_estimators",
    "NetworkClassifier": "learning.network_estimators",
    "NetworkRegressor": "learning.network_estimators",
    "PGCClassifier": "learning.named_networks",
    "PGCRegressor": "learning.named_networks",
    "Quotient": "distances.quotient",
    "ReleasedPGCClassifier": "learning.named_networks",
    "ReleasedPGCRegressor": "learning.named_networks",
    "RingProfile": "distances.ring_profile",
    "Rings": "distances.rings",
    "audit": "distances.audit",
    "draw": "graphs.drawing.draw",
    "explain": "explanations.explain",
    "fit_best": "fit.best",
    "experiment": "protocol.in_python",
    "from_edges": "graphs.adapters.edges",
    "from_graphs": "graphs.collect",
    "from_igraph": "graphs.adapters.igraph",
    "from_networkx": "graphs.adapters.networkx",
    "from_pyg": "graphs.adapters.pyg",
    "from_scipy": "graphs.adapters.adjacency",
    "from_smiles": "graphs.adapters.smiles",
    "kernels": "kernels",
    "layers": "layers",
    "load": "graphs.load",
    "load_model": "learning.models",
    "pyg": "pyg",
    "quotient": "distances.quotient",
    "read": "graphs.read",
    "read_dgcnn_text": "graphs.formats.dgcnn_text",
    "read_table": "graphs.read_table",
    "read_tu": "graphs.formats.tu",
    "refine": "distances.colours",
    "ring_profile": "distances.ring_profile",
    "report": "report.written",
    "rings": "distances.rings",
    "run": "protocol.whole_run",
    "statistics": "graphs.statistics",
    "synthetic": "graphs.synthetic",
    "table": "report.printed",
    "twin_groups": "distances.audit",
    "walk_rings": "distances.walks",
    "write": "graphs.write",
}

__all__ = ["__version__", *sorted(_ROOMS)]


def __getattr__(name: str) -> Any:
    if name not in _ROOMS:
        raise AttributeError(f"module 'graphrings' has no attribute {name!r}")
    room = import_module(f"graphrings.{_ROOMS[name]}")
    return getattr(room, name, room)  # a name may be that of a whole module


def __dir__() -> list[str]:
    return __all__
