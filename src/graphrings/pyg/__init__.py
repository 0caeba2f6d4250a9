from graphrings.pyg.add_rings import AddRings
from graphrings.pyg.ring_conv import RingConv

__all__ = ["AddRings", "RingConv"]
