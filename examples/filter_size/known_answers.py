"""Tasks whose answer is known, for the question: the filter, or how far a network sees.

Prints the accuracy of small networks on new graphs, as docs/filter-size.md has it.
"""

import graphrings as gr

SETS = {"readout": "deep-sets", "activation": "gelu"}
NETWORKS = {
    "rings, r = 1, one layer": ("pgc-sets", {**SETS, "radius": 1, "channels": [16]}),
    "rings, r = 2, one layer": ("pgc-sets", {**SETS, "radius": 2, "channels": [16]}),
    "rings, r = 3, one layer": ("pgc-sets", {**SETS, "radius": 3, "channels": [16]}),
    "rings, r = 1, two layers": ("pgc-sets", {**SETS, "radius": 1, "channels": [16] * 2}),
    "rings, r = 1, three layers": ("pgc-sets", {**SETS, "radius": 1, "channels": [16] * 3}),
    "rings, r = 1, six layers": ("pgc-sets", {**SETS, "radius": 1, "channels": [16] * 6}),
    "walks, r = 3, two layers": ("walk-dgcnn", {"radius": 3, "channels": [16, 1]}),
    "gin, two layers": ("gin", {"channels": [16] * 2}),
}
TASKS = ("ring_two", "ring_three", "one_cycle_or_two", "spiders")
TRAINING = {
    "learning_rate": 0.005,
    "batch_size": 20,
    "max_epochs": 60,
    "dropout": 0.0,
    "validation_fraction": 0.0,
    "random_state": 0,
}


def accuracy(task: str, network: str, settings: dict) -> float:
    """Train on 120 graphs, score on 400 others."""
    training, others = (getattr(gr.synthetic, task)(n, seed) for n, seed in ((120, 1), (400, 2)))
    features = "label" if training.n_labels else "degree"
    fitted = gr.NetworkClassifier(network, **settings, features=features, **TRAINING).fit(training)
    return fitted.score(others)


print(f"{'':28}" + "".join(f"{task:>18}" for task in TASKS))
for name, (network, settings) in NETWORKS.items():
    shares = (accuracy(task, network, settings) for task in TASKS)
    print(f"{name:28}" + "".join(f"{100 * share:18.1f}" for share in shares), flush=True)
