from graphrings.layers.gcn_conv import GCNConv
from graphrings.layers.ring_conv import RingConv
from graphrings.layers.sort_pool import SortPool
from graphrings.layers.sum_conv import SumConv

__all__ = ["GCNConv", "RingConv", "SortPool", "SumConv"]
