"""The settings that several networks have, said once."""

from graphrings.layers.activations import ACTIVATIONS, JOINT
from graphrings.layers.norms import NORMS
from graphrings.settings import (
    FAR,
    Setting,
    Settings,
    one_of,
    share,
    switch,
    whole,
    whole_or_none,
    wholes,
)

SHARED: Settings = {
    "channels": wholes("filters of every layer (per ring or head, where there are several)"),
    "radius": whole("the largest distance that a filter sees", least=0, most=FAR),
    "activation": one_of("the function after every graph convolution", ACTIVATIONS),
    "norm": one_of(
        "what every layer's rows are normalised by before the activation: nothing, the nodes of "
        "the batch, or the row itself",
        NORMS,
    ),
    "residual": switch("whether a layer adds its input to its result, where both are as wide"),
    "bias": switch("whether the filters of the graph convolutions have one"),
    "ties": one_of(
        "how SortPooling orders rows with one key: by all columns, or as the nodes stand",
        ("all", "last"),
    ),
    "quantile": Setting(
        "of the training graphs' sizes, for the k of SortPooling; auto is 0.6 where nodes have "
        "labels and 0.9 where they have none",
        "auto, or a number above 0 and up to 1",
        lambda value: value == "auto" or 0 < value <= 1,
    ),
    "conv_channels": wholes("filters of the two 1-D convolutions", count=2),
    "dense": whole("units of the hidden dense layer before the outputs"),
    "dropout": share("the share of hidden units that every training step drops"),
    "readout": one_of("how the nodes of a graph become one row", ("mean", "sum")),
    "width": whole("numbers of a node's state"),
}

RADIUS_OR_NONE = whole_or_none(
    "the largest distance that a filter sees, with weights per ring; None is the original",
    most=FAR,
)

RING_ACTIVATION = Setting(
    "the function after every graph convolution; several are those of ring 0, 1, ..., the last one "
    "for all further rings",
    f"one of {', '.join(ACTIVATIONS)}, or several joined by {JOINT}",
    lambda value: all(name in ACTIVATIONS for name in value.split(JOINT)),
)
