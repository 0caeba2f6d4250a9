"""Tasks whose answer is known, for the question: the filter, or how far a network sees.

Prints the accuracy of small networks on new graphs, as docs/filter-size.md has it.
"""

import graphrings as gr

READOUTS = (
    {"readout": "deep-sets", "norm": "batch"},
    {"readout": "mean-sum-max", "activation": "gelu"},
)
NETWORKS = {
    "rings, r = 1, one layer": ("pgc-sets", {"radius": 1, "channels": [16]}),
    "rings, r = 2, one layer": ("pgc-sets", {"radius": 2, "channels": [16]}),
    "rings, r = 3, one layer": ("pgc-sets", {"radius": 3, "channels": [16]}),
    "rings, r = 1, two layers": ("pgc-sets", {"radius": 1, "channels": [16] * 2}),
    "rings, r = 1, three layers": ("pgc-sets", {"radius": 1, "channels": [16] * 3}),
    "rings, r = 1, six layers": ("pgc-sets", {"radius": 1, "channels": [16] * 6}),
    "walks, r = 3, two layers": ("walk-dgcnn", {"radius": 3, "channels": [16, 1]}),
    "gin, two layers": ("gin", {"channels": [16] * 2}),
}
TASKS = ("ring_two", "ring_three", "one_cycle_or_two", "spiders")
TRAINING = {
    "learning_rate": 0.01,
    "batch_size": 20,
    "max_epochs": 60,
    "patience": 60,
    "dropout": 0.0,
    "random_state": 0,
}


def accuracy(task: str, network: str, settings: dict) -> float:
    """Train on 120 graphs, choose the readout on 200 others, and score on 400 more."""
    training, validation, others = (
        getattr(gr.synthetic, task)(n, seed) for seed, n in enumerate((120, 200, 400))
    )
    features = "label" if training.n_labels else "degree"
    fits = [
        gr.NetworkClassifier(network, **settings, **readout, features=features, **TRAINING).fit(
            training, validation=validation
        )
        for readout in (READOUTS if network == "pgc-sets" else ({},))
    ]
    return max(fits, key=lambda fit: fit.score(validation)).score(others)


print(f"{'':28}" + "".join(f"{task:>18}" for task in TASKS))
for name, (network, settings) in NETWORKS.items():
    shares = (accuracy(task, network, settings) for task in TASKS)
    print(f"{name:28}" + "".join(f"{100 * share:18.1f}" for share in shares), flush=True)
