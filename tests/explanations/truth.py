"""Datasets of which it is known where a class is written, and small models of every family."""

from typing import Any, NamedTuple

import networkx as nx
import numpy as np

import graphrings as gr

FAST = {"max_epochs": 2, "random_state": 0}
SMALL_FOREST = {"method": "ring-forest", "settings": {"n_trees": 10}}
KERNELS = {
    "wl": {"height": 2},
    "ring-wl": {},
    "wl-oa": {"height": 2},
    "graphlet": {"labelled": True, "connected": True},
    "propagation": {"height": 2},
    "shortest-path": {},
    "ring-profile": {"radius": 2},
    "nspdk": {"radius": 1, "distance": 2},
    "odd-sth": {"height": 2},
    "deep-wl": {"height": 2},
}


class Planted(NamedTuple):
    """Graphs, which nodes make up the motif, and which others are beside it."""

    dataset: gr.Dataset
    motif: np.ndarray
    beside: np.ndarray


def planted(n_graphs: int, seed: int) -> Planted:
    """Trees of C with one N and two O: both on the N in class 1, and all apart in class 0.

    Degrees tell these classes apart as well: the N has three neighbours or one, and the O of class
    0 hang on other nodes. It is for models that do not look at them.
    """
    rng, graphs = np.random.default_rng(seed), []
    for i in range(n_graphs):
        size = int(rng.integers(8, 14))
        graph = nx.Graph()
        graph.add_nodes_from(range(size), label="C")
        graph.add_edges_from((v, int(rng.integers(max(0, v - 3), v))) for v in range(1, size))
        places = [int(v) for v in rng.choice(size, 3, replace=False)]
        graph.add_nodes_from([size], label="N")
        graph.add_nodes_from([size + 1, size + 2], label="O")
        graph.add_edge(places[0], size)
        for k in (1, 2):
            graph.add_edge(size if i % 2 else places[k], size + k)
        graphs.append(graph)
    dataset = gr.from_networkx(graphs, [i % 2 for i in range(n_graphs)])
    labels = np.array(dataset.label_names)[dataset.node_labels]
    return with_neighbours(dataset, (labels != "C") & (dataset.targets[dataset.owner] == 1))


def with_neighbours(dataset: gr.Dataset, motif: np.ndarray) -> Planted:
    """A motif, and the nodes beside it, which see it."""
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees)
    beside = np.zeros(dataset.n_nodes, dtype=bool)
    beside[tails[motif[dataset.indices]]] = True
    return Planted(dataset, motif, beside & ~motif)


MOTIF = "NO"  # a centre and two leaves, which only class 1 has
OTHERS = ("NC", "CO")


def forked(n_graphs: int, seed: int) -> Planted:
    """Trees of C with forks: one of class 1 has both O on the N, all others have not.

    Nothing else tells the classes apart for sure: label and degree of all nodes have the same
    distribution in both, and the forks that class 0 has instead occur in class 1 as well.
    """
    rng, graphs, inside = np.random.default_rng(seed), [], []
    for i in range(n_graphs):
        graph = nx.Graph()
        size = int(rng.integers(6, 12))
        graph.add_nodes_from(range(size), label="C")
        graph.add_edges_from((v, int(rng.integers(max(0, v - 3), v))) for v in range(1, size))
        forks = [MOTIF, "CC"] if i % 2 else list(OTHERS)
        forks += rng.choice(OTHERS, rng.integers(2, 5)).tolist()
        inside += [False] * size
        for fork in forks:
            first = len(graph)
            graph.add_node(first, label=fork[0])
            graph.add_nodes_from((first + 1, first + 2), label=fork[1])
            ends = int(rng.integers(size)), first + 1, first + 2
            graph.add_edges_from((first, end) for end in ends)
            inside += [fork == MOTIF] * 3
        graphs.append(graph)
    dataset = gr.from_networkx(graphs, [i % 2 for i in range(n_graphs)])
    return with_neighbours(dataset, np.array(inside))


def of_second_class(planted: Planted) -> Planted:
    """Graphs of class 1 alone, which have the motif."""
    dataset, motif, beside = planted
    own = dataset.targets[dataset.owner] == 1
    return Planted(dataset[np.flatnonzero(dataset.targets == 1)], motif[own], beside[own])


def area(explanation: gr.Explanation, motif: np.ndarray, beside: np.ndarray) -> float:
    """The mean area under the curve of the graphs of class 1; nodes beside the motif see it."""
    dataset, areas = explanation.dataset, []
    for graph in np.flatnonzero(dataset.targets == 1):
        own = slice(*dataset.graph_ptr[graph : graph + 2])
        scores, inside, near = explanation.of(int(graph)), motif[own], beside[own]
        above = scores[inside][:, None] - scores[~inside & ~near]
        areas.append(((above > 0) + 0.5 * (above == 0)).mean())
    return float(np.mean(areas))


USUAL = {"n_graphs": 240, "max_epochs": 30, "learning_rate": 1e-2}
# How every network learns the forks. DCNN cannot: it averages over all nodes before it compares.
LEARNS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(
        ("dgcnn", "pgc-dgcnn", "pgc-dgcnn-released", "walk-dgcnn", "pgc-sets", "ring-fcn"), USUAL
    ),
    **dict.fromkeys(("gcn", "gat", "gin", "gnn", "ecc"), USUAL),
    "fingerprint": {**USUAL, "n_graphs": 800, "max_epochs": 20},
    "nn4g": {"n_graphs": 160, "max_epochs": 100, "learning_rate": 3e-3},
    "ggnn": {"n_graphs": 300, "max_epochs": 40, "learning_rate": 3e-3, "steps": 2},
    # Where a node stands in the sequence is all that its weights know: it takes many graphs.
    "patchy-san": {"n_graphs": 3000, "max_epochs": 8, "learning_rate": 1e-2, "field": 5},
}


def pairs_at_two(n_graphs: int, seed: int) -> gr.Dataset:
    """Cycles of letters with a spacer after each: xyxy in class 0, xxyy in class 1.

    Counts of labels and of neighbours are the same; pairs of letters at distance 2 are not.
    """
    rng, graphs = np.random.default_rng(seed), []
    for i in range(n_graphs):
        letters = ("xxyy" if i % 2 else "xyxy") * int(rng.integers(2, 4))
        graph = nx.cycle_graph(2 * len(letters))
        for place, letter in enumerate(letters):
            graph.nodes[2 * place]["label"], graph.nodes[2 * place + 1]["label"] = letter, "-"
        graphs.append(graph)
    return gr.from_networkx(graphs, [i % 2 for i in range(n_graphs)])


def difference(explanation: gr.Explanation, values: np.ndarray) -> np.ndarray:
    """How much more the graphs of class 1 have of something than those of class 0."""
    second = explanation.dataset.targets == 1
    result: np.ndarray = values[second].mean(axis=0) - values[~second].mean(axis=0)
    return result


def small_models(task: str = "Classifier") -> dict[str, Any]:
    """One untrained model of every family and way of explaining."""
    made: dict[str, Any] = {
        "ring-forest": getattr(gr, f"Forest{task}")(n_trees=10, random_state=0),
        "ring-boosting": getattr(gr, f"Boosting{task}")(n_trees=5, min_leaf=2, random_state=0),
        "baseline": getattr(gr, f"Baseline{task}")(),
        "baseline shares": getattr(gr, f"Baseline{task}")(kind="shares"),
        "baseline mlp": getattr(gr, f"Baseline{task}")(model="mlp", hidden=4),
    }
    kernel = getattr(gr, f"Kernel{task}")
    for name, settings in {
        **KERNELS,
        "random-walk": {},
        "deep-graphlet": {},
        "wwl": {},
    }.items():
        made[name] = kernel(name, **settings)
    for name in ("wl", "nspdk", "odd-sth", "deep-wl"):
        made[f"{name} linear"] = kernel(name, linear=True, **KERNELS[name])
    made["wl unnormalised"] = kernel("wl", normalize=False, height=1)
    made["graphlet counts"] = kernel("graphlet", shares=False, normalize=False)
    network = getattr(gr, f"Network{task}")
    for name in ("pgc-dgcnn", "dgcnn", "gin"):
        made[name] = network(name, channels=(4, 1), **FAST)
    for name in ("dcnn", "patchy-san"):
        made[name] = network(name, **FAST)
    made["members"] = network("dgcnn", members=2, channels=(4, 1), **FAST)
    return made
