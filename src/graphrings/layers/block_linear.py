"""Linear maps of the same rows, one per block, side by side."""

from __future__ import annotations

from torch import nn


class BlockLinear(nn.Linear):
    """One linear map per block (ring, or hop), computed as one; each starts as if it stood alone.

    Columns ``j * out_features`` to ``(j + 1) * out_features`` of the result are those of block j.

    Args:
        in_features: columns of what is mapped.
        out_features: columns of the result per block.
        n_blocks: how many maps there are.
        bias: whether they have one.

    """

    def __init__(
        self, in_features: int, out_features: int, n_blocks: int, bias: bool = True
    ) -> None:
        super().__init__(in_features, n_blocks * out_features, bias)
        self.n_blocks = n_blocks


def start_linear(module: nn.Module) -> None:
    """Glorot's weights and no biases for a linear map, in every block for itself.

    Drawn for all blocks at once, the weights of a ring would be smaller the more rings there are.
    """
    if isinstance(module, nn.Linear):
        for weight in module.weight.detach().chunk(getattr(module, "n_blocks", 1)):
            nn.init.xavier_uniform_(weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)
