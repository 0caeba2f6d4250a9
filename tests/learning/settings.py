"""Settings of small networks that are trained in a moment."""

from typing import Any

import graphrings as gr

KINDS = [gr.PGCClassifier, gr.DGCNNClassifier, gr.ReleasedPGCClassifier]

QUICK: dict[str, Any] = {
    "channels": (4, 1),
    "conv_channels": (4, 4),
    "dense": 8,
    "learning_rate": 0.01,
    "max_epochs": 3,
    "random_state": 0,
}
