"""The networks by name."""

from graphrings.networks.dcnn import DCNN
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.ecc import ECC
from graphrings.networks.fingerprint import Fingerprint
from graphrings.networks.gat import GAT
from graphrings.networks.gcn import GCN
from graphrings.networks.ggnn import GGNN
from graphrings.networks.gin import GIN
from graphrings.networks.gnn import GNN
from graphrings.networks.network import Network
from graphrings.networks.nn4g import NN4G
from graphrings.networks.patchy_san import PatchySAN
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.pgc_dgcnn_released import PGCDGCNNReleased
from graphrings.networks.pgc_sets import PGCSets
from graphrings.networks.ring_fcn import RingFCN
from graphrings.networks.walk_dgcnn import WalkDGCNN

NETWORKS: dict[str, type[Network]] = {
    "pgc-dgcnn": PGCDGCNN,
    "dgcnn": DGCNN,
    "pgc-dgcnn-released": PGCDGCNNReleased,
    "gcn": GCN,
    "gnn": GNN,
    "ggnn": GGNN,
    "fingerprint": Fingerprint,
    "gin": GIN,
    "gat": GAT,
    "nn4g": NN4G,
    "walk-dgcnn": WalkDGCNN,
    "ring-fcn": RingFCN,
    "pgc-sets": PGCSets,
    "ecc": ECC,
    "patchy-san": PatchySAN,
    "dcnn": DCNN,
}
