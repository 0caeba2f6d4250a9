"""Graph convolutions on top of each other."""

from collections.abc import Iterable

from torch import Tensor, nn

from graphrings.networks.batches import Batch


def stacked(convs: Iterable[nn.Module], batch: Batch, activation: str) -> list[Tensor]:
    """The rows of every layer; each convolution sees those of the one before."""
    h, layers = batch.features, []
    for conv, near in zip(convs, batch.rows, strict=True):
        h = conv(h, near, activation)
        layers.append(h)
    return layers
