from graphrings.layers.dcnn_conv import DiffusionConv
from graphrings.layers.ecc_conv import ECCConv
from graphrings.layers.field_conv import FieldConv
from graphrings.layers.fingerprint_conv import FingerprintConv
from graphrings.layers.gat_conv import GATConv
from graphrings.layers.gcn_conv import GCNConv
from graphrings.layers.ggnn_conv import GGNNConv
from graphrings.layers.gin_conv import GINConv
from graphrings.layers.gnn_conv import GNNConv
from graphrings.layers.nn4g_conv import NN4GConv
from graphrings.layers.oriented_ring_conv import OrientedRingConv
from graphrings.layers.ring_conv import RingConv
from graphrings.layers.sort_pool import SortPool
from graphrings.layers.sum_conv import SumConv

__all__ = [
    "DiffusionConv",
    "ECCConv",
    "FieldConv",
    "FingerprintConv",
    "GATConv",
    "GCNConv",
    "GGNNConv",
    "GINConv",
    "GNNConv",
    "NN4GConv",
    "OrientedRingConv",
    "RingConv",
    "SortPool",
    "SumConv",
]
