"""THE list of training settings: from here come checks, docstrings, options and docs."""

from __future__ import annotations

import math
from typing import Any

from graphrings.limits import bytes_of
from graphrings.settings import FAR, Setting, Settings, one_of, positive, share, switch, whole

SCHEDULES = ("constant", "cosine", "plateau")
DEVICES = ("cpu", "cuda", "mps", "auto")


def _features(value: Any) -> bool:
    from graphrings.graphs.features import PARTS

    return set(str(value).split("+")) <= {"auto", *PARTS}


def _seed(value: Any) -> bool:
    from sklearn.utils import check_random_state

    return check_random_state(value) is not None


RANDOM_STATE = Setting(
    "a seed; the same one gives the same fit to the last bit",
    "None, a whole number, or a RandomState",
    _seed,
)
CLASS_WEIGHT = Setting(
    "what a graph of every class counts for in the loss; balanced makes all classes count alike",
    "None, balanced, or a dictionary",
    lambda v: v is None or isinstance(v, dict) or v == "balanced",
)
CALIBRATE = switch(
    "learn what probabilities the outputs stand for, from graphs that were not trained on",
    default=False,
)
TRAINING: Settings = {
    "features": Setting(
        "what a node shows; auto is label, degree and attributes, or what there is of them",
        "auto, constant, label, degree, attributes, ring-sizes, colours, neighbourhoods, "
        "ring-labels joined by +",
        _features,
        "auto",
        str,
    ),
    "learning_rate": positive("step size of Adam", default=1e-3),
    "weight_decay": Setting(
        "share of the learning rate by which weights shrink in every step, as in AdamW",
        "a number, 0 or larger",
        lambda v: 0 <= v < math.inf,
        0.0,
        float,
    ),
    "schedule": one_of(
        "how the learning rate changes: not at all, down to 0 along a cosine, or halved when "
        "nothing improves for a third of the patience",
        SCHEDULES,
        default="constant",
    ),
    "batch_size": whole("graphs per step", default=50),
    "max_epochs": whole("passes over the training graphs, at most", default=300),
    "patience": whole("epochs without improvement before training stops", default=30),
    "monitor": one_of(
        "what must improve on the validation graphs; last keeps the last epoch and never stops",
        ("loss", "accuracy", "rmse", "last"),
        default="loss",
    ),
    "validation_fraction": share(
        "part of the training graphs that is held out to stop early", default=0.1
    ),
    "members": whole(
        "networks of different seeds, trained on the same batches; what they say is averaged",
        most=FAR,
        default=1,
    ),
    "memory": Setting(
        "what the rings of all graphs may take; beyond it they are computed some graphs at a time, "
        "in every epoch",
        "a size such as 2GB or 500MB",
        lambda v: bytes_of(v) > 0,
        "4GB",
        str,
    ),
    "device": one_of(
        "where to train; auto takes a graphics processor where there is one",
        DEVICES,
        default="cpu",
    ),
    "fused": switch(
        "compiled code on the CPU; False computes every layer as its equation reads", default=True
    ),
    "random_state": RANDOM_STATE,
    "verbose": switch("show a progress bar", default=False),
}
