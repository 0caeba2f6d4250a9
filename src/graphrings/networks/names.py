"""The networks by name."""

from graphrings.networks.gcn import GCN
from graphrings.networks.gin import GIN
from graphrings.networks.network import Network

NETWORKS: dict[str, type[Network]] = {
    "gcn": GCN,
    "gin": GIN,
}
