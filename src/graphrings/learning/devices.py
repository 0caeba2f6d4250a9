"""Where a network is trained."""

from __future__ import annotations

import torch

from graphrings.errors import SettingError


def find_device(name: str) -> torch.device:
    """The device of a name; ``auto`` is a graphics processor where there is one."""
    available = [kind for kind, there in (
        ("cuda", torch.cuda.is_available()),
        ("mps", torch.backends.mps.is_available()),
        ("cpu", True),
    ) if there]  # fmt: skip
    if name == "auto":
        return torch.device(available[0])
    if name not in available:
        raise SettingError(
            f"device = {name!r}, which this machine does not have; expected auto or "
            f"{' or '.join(available)}"
        )
    return torch.device(name)
