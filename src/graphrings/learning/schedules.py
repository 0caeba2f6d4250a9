"""How the learning rate changes from epoch to epoch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping


class Constant:
    """The same rate throughout."""

    def __init__(self, rate: float, max_epochs: int, patience: int) -> None:
        self.rate, self.max_epochs, self.patience = rate, max_epochs, patience

    def after(self, n_epochs: int, improved: bool) -> float:
        """The rate of the next epoch, once so many are over and the last one improved or not."""
        del n_epochs, improved
        return self.rate


class Cosine(Constant):
    """Down along half a cosine, which would reach 0 after the last epoch."""

    def after(self, n_epochs: int, improved: bool) -> float:
        """The rate of the next epoch."""
        del improved
        return self.rate * (1 + math.cos(math.pi * n_epochs / self.max_epochs)) / 2


class Plateau(Constant):
    """Halved whenever nothing has improved for a third of the patience."""

    def __init__(self, rate: float, max_epochs: int, patience: int) -> None:
        super().__init__(rate, max_epochs, patience)
        self._waited = 0

    def after(self, n_epochs: int, improved: bool) -> float:
        """The rate of the next epoch."""
        del n_epochs
        self._waited = 0 if improved else self._waited + 1
        if self._waited >= max(1, self.patience // 3):
            self.rate, self._waited = self.rate / 2, 0
        return self.rate


SCHEDULES: Mapping[str, Callable[[float, int, int], Constant]] = {
    "constant": Constant,
    "cosine": Cosine,
    "plateau": Plateau,
}
